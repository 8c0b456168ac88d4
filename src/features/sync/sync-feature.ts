import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import { validDays } from './sync-cursor.ts';
import { createSyncReadModel } from './sync-read-model.ts';
import { createSyncRepository } from './sync-repository.ts';
import { createSyncRoutes } from './sync-routes.ts';
import { createSyncService } from './sync-service.ts';

// One day longer than cursors are valid, for clock differences and transactions that began before their cursor.
const retentionMilliseconds = (validDays + 1) * 86_400_000;
/** Rows per statement. */
const batch = 10_000;

export function createSyncFeature({ database, clock }: { database: Database; clock: Clock }) {
  const repository = createSyncRepository(database);
  const jobs: Job[] = [
    {
      name: 'purge sync deletions',
      everySeconds: 600,
      async run() {
        const before = new Date(clock().getTime() - retentionMilliseconds);
        while ((await repository.purge(before, batch)) === batch);
      },
    },
  ];
  return {
    operations: createSyncRoutes({ sync: createSyncService({ readModel: createSyncReadModel(database), clock }) }),
    jobs,
  };
}
