import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/export/exporter.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import type { Store } from '../../store.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { createLanes } from '../background-work/lanes.ts';
import { openStorage } from '../images/image-storage.ts';
import { createExportContents, type RecordSource } from './export-contents.ts';
import { createExportReadModel } from './export-read-model.ts';
import { createExportKind } from './personal-export-job.ts';
import { createPersonalExportRoutes } from './personal-export-routes.ts';
import { createPersonalExportService } from './personal-export-service.ts';

/** Per process: a long export does not delay the others. */
const concurrency = 2;

type Options = {
  config: Config;
  store: Store;
  database: Database;
  images: Storage;
  sessions: RecordSource;
  exporter: Exporter;
  secrets: readonly string[];
  notify: Notify;
  securityLog: SecurityLog;
  clock: Clock;
  logger: Logger;
};

export function createPersonalExportFeature(options: Options) {
  const { config, store, database, images, sessions, secrets } = options;
  const seal = createSeal(secrets, 'personal exports');
  // In the storage of the images, which all processes share.
  const storage = openStorage(config.images, 'exports');
  const contents = createExportContents({
    store,
    readModel: createExportReadModel(database),
    sessions,
    images,
    locale: config.http.defaultLocale,
  });
  const kind = createExportKind({ ...options, storage, contents, folder: config.incomingDir, seal });
  const queue = createJobQueue(kind, seal, options);
  const lanes = createLanes(queue);
  const exports = createPersonalExportService({ ...options, storage, seal, queue });
  const jobs: Job[] = [
    { ...queue.job, run: async () => lanes.start([{ queue: '', concurrency }]), stop: lanes.stop },
    { name: 'delete personal exports', everySeconds: 600, run: exports.purge },
  ];
  return { operations: createPersonalExportRoutes({ exports }), jobs };
}
