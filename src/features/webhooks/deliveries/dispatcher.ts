import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import type { Store } from '../../../store.ts';
import type { JobQueue } from '../../background-work/background-worker.ts';
import { createLanes } from '../../background-work/lanes.ts';
import type { DeliveryJob } from './delivery-kind.ts';

/** Of one webhook, in each process. After a failure it is one, until one succeeds. */
const maxConcurrency = 3;

type Options = { store: Store; queue: JobQueue<DeliveryJob>; clock: Clock };

/** Each webhook has a queue that is served on its own: a slow receiver delays nobody else's deliveries. */
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
