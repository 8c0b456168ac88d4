import type { JobQueue } from './background-worker.ts';

export type Share = { queue: string; concurrency: number };

/** Runs the jobs of several queues concurrently: a slow queue does not delay the others. */
export function createLanes({ runNext }: Pick<JobQueue<object>, 'runNext'>) {
  const lanes = new Map<Promise<void>, string>();
  const errors: unknown[] = [];
  let isStopping = false;

  async function serve(queue: string): Promise<void> {
    while (!isStopping && (await runNext(queue)) === 'done');
  }

  function open(queue: string): void {
    const lane = serve(queue)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => lanes.delete(lane));
    lanes.set(lane, queue);
  }

  return {
    /** Starts the due jobs without waiting for them. Rethrows an error of earlier ones, for the log and the metrics. */
    start(shares: readonly Share[]): void {
      isStopping = false;
      for (const { queue, concurrency } of shares) {
        const running = [...lanes.values()].filter((served) => served === queue).length;
        for (let lane = running; lane < concurrency; lane += 1) open(queue);
      }
      const [error] = errors.splice(0);
      if (error !== undefined) throw error;
    },

    /** Starts no more jobs and waits for the running ones. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(lanes.keys());
    },
  };
}
