import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/logger.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createImageProcessor } from './image-processor.ts';
import { createImageRoutes } from './image-routes.ts';
import { createImageService } from './image-service.ts';
import { openImageStorage } from './image-storage.ts';
import { removeInterrupted } from './unused-files.ts';

export type ImageFeatureOptions = {
  config: Config;
  database: Database;
  logger: Logger;
  access: ProjectAccessCheck;
};

/** Cover images: their operations, the store they are served from, and the job that sweeps up after uploads. */
export function createImageFeature({ config, database, logger, access }: ImageFeatureOptions) {
  const storage = openImageStorage(config.images);
  const processor = createImageProcessor(config.images);
  const service = createImageService({ database, storage, processor, logger });
  const jobs: Job[] = [
    { name: 'remove interrupted uploads', everySeconds: 600, run: () => removeInterrupted(config.incomingDir) },
  ];
  return { operations: createImageRoutes(service, access), storage, jobs };
}
