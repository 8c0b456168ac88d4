import { UnavailableError } from '../texts/errors.ts';
import { createOutageLog, type Logger } from './log/logger.ts';

/** Several processes may run the same job at once. `stop` ends work that a run has started and not awaited. */
export type Job = { name: string; everySeconds: number; run: () => Promise<unknown>; stop?: () => Promise<unknown> };

export type JobMetrics = Record<'jobStarted' | 'jobSucceeded' | 'jobFailed', (job: string) => void>;

/** Runs each job immediately: a process that is restarted often would otherwise never run the rare ones. */
export function startJobs(jobs: readonly Job[], logger: Logger, metrics: JobMetrics): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const timers = jobs.map((job) => {
    let isRunning = false;
    const logFailure = createOutageLog();
    metrics.jobStarted(job.name);
    const succeeded = () => metrics.jobSucceeded(job.name);
    const failed = (error: unknown) => {
      metrics.jobFailed(job.name);
      logFailure(error instanceof UnavailableError, (count) =>
        logger.error({ err: error, job: job.name, ...count }, 'job failed'),
      );
    };
    const start = () => {
      if (isRunning) return;
      isRunning = true;
      const run = job
        .run()
        .then(succeeded, failed)
        .finally(() => {
          isRunning = false;
          running.delete(run);
        });
      running.add(run);
    };
    start();
    return setInterval(start, job.everySeconds * 1000).unref();
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all([...running, ...jobs.map((job) => job.stop?.())]);
  };
}

/** `draining`: the process has been asked to stop and finishes its open requests. */
export type Lifecycle = { draining: boolean };

/** Called between the steps of work that may take longer than a shutdown. Throws UnavailableError once the process stops. */
export function assertNotStopping({ draining }: Lifecycle): void {
  if (draining) throw new UnavailableError('import_interrupted');
}
