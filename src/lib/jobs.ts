import type { Logger } from './logger.ts';

/** Work that recurs. Several processes may run the same job at once, so each must be harmless when doubled. */
export type Job = { name: string; everySeconds: number; run: () => Promise<unknown> };

/** Starts the jobs, each at once: a process that is restarted often would never come to the rare ones. The returned function stops them and waits for those that are running. */
export function startJobs(jobs: readonly Job[], logger: Logger): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const timers = jobs.map((job) => {
    let busy = false;
    const start = () => {
      if (busy) return;
      busy = true;
      const run = job
        .run()
        .then(
          () => undefined,
          (error: unknown) => logger.error({ err: error, job: job.name }, 'job failed'),
        )
        .finally(() => {
          busy = false;
          running.delete(run);
        });
      running.add(run);
    };
    start();
    return setInterval(start, job.everySeconds * 1000).unref();
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}
