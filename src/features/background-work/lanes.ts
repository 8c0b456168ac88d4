import type { JobQueue } from './background-worker.ts';

/** A queue, and how many of its jobs this process runs at once. */
export type Share = { queue: string; atOnce: number };

/** Runs jobs of several queues side by side, where one may take long: none of them waits for another. */
export function createLanes({ runNext }: Pick<JobQueue<object>, 'runNext'>) {
  const lanes = new Map<Promise<void>, string>();
  const problems: unknown[] = [];
  let isStopping = false;

  async function serve(queue: string): Promise<void> {
    while (!isStopping && (await runNext(queue)) === 'done');
  }

  function open(queue: string): void {
    const lane = serve(queue)
      .catch((error: unknown) => void problems.push(error))
      .finally(() => lanes.delete(lane));
    lanes.set(lane, queue);
  }

  return {
    /** Starts what is due, without waiting for it. Throws what an earlier run has failed with, for the log and the metrics. */
    start(shares: readonly Share[]): void {
      isStopping = false;
      for (const { queue, atOnce } of shares) {
        const running = [...lanes.values()].filter((served) => served === queue).length;
        for (let lane = running; lane < atOnce; lane += 1) open(queue);
      }
      const [problem] = problems.splice(0);
      if (problem !== undefined) throw problem;
    },

    /** Waits for the jobs that run, and starts no more. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(lanes.keys());
    },
  };
}
