import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Store } from '../../store.ts';
import { createBackgroundWorkReadModel, type KindOfWork } from './background-work-read-model.ts';
import { createBackgroundWorkRoutes } from './background-work-routes.ts';

/** Longer than the maximum age of every kind: older jobs are of a kind that is no longer configured. */
const retention = 40 * 86_400_000;

type Options = { database: Database; store: Store; clock: Clock };

export function createBackgroundWorkFeature({ database, store, clock }: Options) {
  const work = createBackgroundWorkReadModel(database);
  const deleteAbandoned = () => store.backgroundJobs.deleteOlderThan(new Date(clock().getTime() - retention));
  let counted: KindOfWork[] = [];
  const count = async () => {
    counted = await work.summarize(clock());
  };
  const jobs: Job[] = [
    { name: 'delete abandoned background jobs', everySeconds: 3600, run: deleteAbandoned },
    { name: 'count background jobs', everySeconds: 30, run: count },
  ];
  return {
    operations: createBackgroundWorkRoutes({ work, clock }),
    jobs,
    /** For the metrics, as of the last count: scrapes do not query the database. */
    counted: () => counted,
  };
}

export type CountedWork = ReturnType<typeof createBackgroundWorkFeature>['counted'];
