import type { Job } from '../../lib/jobs.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import { openStorage } from '../../lib/storage/open-storage.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { createJobQueue, createQueueWorkers } from '../operations/background-work/background-worker.ts';
import { createSender } from '../operations/outgoing-requests/sender.ts';
import type { Platform } from '../operations/platform.ts';
import type { Study } from '../study/study.ts';
import { createCalendarRoutes } from './calendar/calendar-routes.ts';
import { createCalendarService } from './calendar/calendar-service.ts';
import { createExportContents } from './personal-export/export-contents.ts';
import { createExportKind } from './personal-export/personal-export-job.ts';
import { createExportReadModel } from './personal-export/personal-export-repository.ts';
import { createPersonalExportRoutes } from './personal-export/personal-export-routes.ts';
import { createPersonalExportService } from './personal-export/personal-export-service.ts';
import { createSyncRoutes } from './sync/sync-routes.ts';
import { createSyncService } from './sync/sync-service.ts';
import { createDeliveryKind, createDispatcher, createNotify } from './webhooks/deliveries/delivery-kind.ts';
import { createDeliveryService } from './webhooks/deliveries/delivery-service.ts';
import { createDeliveryRoutes, createWebhookRoutes } from './webhooks/webhook-routes.ts';
import { createWebhookSecrets, createWebhookService } from './webhooks/webhook-service.ts';

/** Archives of personal data. */
function createPersonalExports(platform: Platform, study: Study, accounts: Accounts) {
  const { config, database, store, locale } = platform;
  const encryption = createEncryption(platform.secrets, 'personal exports');
  // In the storage of the images, which all processes share.
  const storage = openStorage(config.images, 'exports');
  const contents = createExportContents({
    store,
    locale,
    sessions: study.lists,
    images: study.imageStorage,
    readModel: createExportReadModel(database),
  });
  const base = { ...platform, storage, encryption, notify: accounts.notify };
  const queue = createJobQueue(
    createExportKind({ ...base, contents, folder: config.incomingDir }),
    encryption,
    platform,
  );
  // Per process: a long export does not delay the others.
  const workers = createQueueWorkers(queue);
  const exports = createPersonalExportService({ ...base, queue });
  const jobs: Job[] = [
    { ...queue.job, run: async () => workers.start([{ queue: '', concurrency: 2 }]), stop: workers.stop },
    { name: 'delete personal exports', everySeconds: 600, run: exports.purge },
  ];
  return { operations: createPersonalExportRoutes({ exports }), jobs };
}

/** How other programs follow changes: sync, webhooks and calendars; and archives of personal data. */
export function createIntegrations(platform: Platform, accounts: Accounts, study: Study) {
  const { config, store, clock, locale, ownUrl } = platform;
  const personalExports = createPersonalExports(platform, study, accounts);
  const calendar = createCalendarService({
    ...platform,
    notify: accounts.notify,
    defaultLocale: locale,
  });
  const sync = createSyncService({ store, clock });

  const sender = createSender({ anyTarget: config.webhookTargets === 'any' });
  const secrets = createWebhookSecrets(platform.secrets);
  const notify = createNotify({ mail: accounts.mail, locale, ownUrl });
  const kind = createDeliveryKind({ store, sender, secrets, notify, clock });
  const queue = createJobQueue(kind, createEncryption(platform.secrets, 'webhook delivery'), platform);
  const deliveries = createDeliveryService({ store, queue, notify, clock });

  const jobs: Job[] = [
    { name: 'purge sync deletions', everySeconds: 600, run: sync.purge },
    createDispatcher({ store, queue, clock }),
    { name: 'watch the queues of webhooks', everySeconds: 5, run: deliveries.watchQueues },
    { name: 'delete excess deliveries of webhooks', everySeconds: 60, run: deliveries.deleteExcess },
    { name: 'give up deliveries of inactive webhooks', everySeconds: 600, run: deliveries.giveUpInactive },
    { name: 'delete old webhook deliveries', everySeconds: 3600, run: deliveries.deleteOld },
    ...personalExports.jobs,
  ];
  return {
    jobs,
    operations: [
      ...createSyncRoutes({ sync }),
      ...createWebhookRoutes({ webhooks: createWebhookService({ store, sender, secrets, clock }) }),
      ...createDeliveryRoutes({ deliveries }),
      ...createCalendarRoutes({ calendar, publicUrl: ownUrl }),
      ...personalExports.operations,
    ],
  };
}
