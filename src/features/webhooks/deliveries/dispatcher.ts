import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import type { Store } from '../../../store.ts';
import type { JobQueue } from '../../background-work/background-worker.ts';
import { createLanes } from '../../background-work/lanes.ts';
import type { DeliveryJob } from './delivery-kind.ts';

/** Per webhook and process. After a failure only one, until one succeeds. */
const maxConcurrency = 3;

type Options = { store: Store; queue: JobQueue<DeliveryJob>; clock: Clock };

/** Each webhook has its own queue: a slow receiver does not delay other deliveries. */
export function createDispatcher({ store, queue, clock }: Options): Job {
  const lanes = createLanes(queue);
  return {
    ...queue.job,
    async run() {
      const due = await store.webhooks.listDue(clock());
      lanes.start(due.map(({ id, failures }) => ({ queue: `${id}`, concurrency: failures > 0 ? 1 : maxConcurrency })));
    },
    stop: lanes.stop,
  };
}
