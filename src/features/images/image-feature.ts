import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Store } from '../../store.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createImageProcessor } from './image-processor.ts';
import { createImageRoutes } from './image-routes.ts';
import { createImageService } from './image-service.ts';
import { openImageStorage } from './image-storage.ts';
import { removeInterrupted } from './unused-files.ts';

export type ImageFeatureOptions = {
  config: Config;
  store: Store;
  logger: Logger;
  clock: Clock;
  access: ProjectAccessCheck;
  watchStorage: Metrics['watchStorage'];
};

export function createImageFeature({ config, store, logger, clock, access, watchStorage }: ImageFeatureOptions) {
  const storage = watchStorage(openImageStorage(config.images));
  const processor = createImageProcessor(config.images);
  const service = createImageService({ store, storage, processor, logger, clock });
  const jobs: Job[] = [
    { name: 'remove interrupted uploads', everySeconds: 600, run: () => removeInterrupted(config.incomingDir) },
    { name: 'delete images of projects in the trash', everySeconds: 3600, run: service.purgeTrash },
  ];
  return { operations: createImageRoutes({ service, access }), storage, jobs };
}
