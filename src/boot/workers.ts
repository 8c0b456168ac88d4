import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Logger } from '../lib/log/logger.ts';
import type { Service } from './service.ts';
import { StartError } from './start-error.ts';
import { relayMetrics, type WorkerMessage } from './worker-metrics.ts';

// Milliseconds. A worker that ran longer did not crash on startup and is replaced without a delay.
const healthyAfter = 60_000;
const minRestartDelay = 100;
const maxRestartDelay = 10_000;

export type WorkersOptions = { config: Config; url: string; secrets: readonly string[]; logger: Logger };

/** `serving` rejects with StartError when the first worker does not start; the worker prints the reason. */
export type Workers = { serving: Promise<Service['origin']>; stop: Service['stop'] };

/** A worker that exits is replaced, with growing delays if it happens repeatedly. `stop` may be called at any time. */
export function startWorkers({ config, url, secrets, logger }: WorkersOptions): Workers {
  const stopping = new AbortController();
  const { signal } = stopping;
  const origins = new Map<Worker, string>();

  // Workers get the generated settings, so that they do not generate them.
  function fork(): Worker {
    const worker = cluster.fork({ DATABASE_URL: url, JWT_SECRET: secrets.join(',') });
    worker.on('message', (message: WorkerMessage) => {
      if (message.type !== 'serving') return;
      origins.set(worker, message.origin);
      logger.info({ worker: worker.process.pid }, 'worker listening');
    });
    worker.once('exit', () => origins.delete(worker));
    relayMetrics(worker, () => [...origins.keys()]);
    return worker;
  }

  async function keepRunning(first: Worker): Promise<void> {
    let worker = first;
    for (let pause = 0; ; ) {
      const since = Date.now();
      if (!worker.isDead()) await once(worker, 'exit');
      if (signal.aborted) return;
      const { pid, exitCode, signalCode } = worker.process;
      logger.error({ worker: pid, exitCode, signal: signalCode }, 'worker exited; restarting');
      pause = Date.now() - since > healthyAfter ? 0 : Math.min(Math.max(2 * pause, minRestartDelay), maxRestartDelay);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      worker = fork();
    }
  }

  async function start(): Promise<string> {
    const first = fork();
    await servingOrExit(first);
    const origin = origins.get(first);
    if (origin === undefined) throw new StartError('The first worker did not start.');
    const workers = signal.aborted ? [first] : [first, ...Array.from({ length: config.processes - 1 }, fork)];
    for (const worker of workers) void keepRunning(worker);
    await Promise.all(workers.map(servingOrExit));
    return origin;
  }

  async function servingOrExit(worker: Worker): Promise<void> {
    while (!origins.has(worker) && !worker.isDead())
      await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  }

  return {
    serving: start(),
    stop: async () => {
      stopping.abort();
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        workers.map(async (worker) => {
          const exit = once(worker, 'exit');
          worker.process.kill('SIGTERM');
          if (!worker.isDead()) await exit;
        }),
      );
    },
  };
}
