import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Logger } from '../lib/logger.ts';
import type { Service } from './service.ts';
import { StartError } from './start-error.ts';

// Milliseconds. A worker that lived this long did not die of its start: the next one comes at once.
const calm = 60_000;
const shortestPause = 100;
const longestPause = 10_000;

export type WorkersOptions = { config: Config; url: string; secrets: readonly string[]; logger: Logger };

/**
 * Serves requests in several processes behind one port. A worker that dies is replaced, later and later when it dies
 * again and again. Throws StartError when the first one does not come up, having said why.
 */
export async function startWorkers({ config, url, secrets, logger }: WorkersOptions): Promise<Service> {
  const stopping = new AbortController();
  const { signal } = stopping;
  // What was found or made here, so that no worker looks for itself.
  const fork = () => {
    const worker = cluster.fork({ DATABASE_URL: url, JWT_SECRET: secrets.join(',') });
    worker.once('listening', () => logger.info({ worker: worker.process.pid }, 'worker listening'));
    return worker;
  };

  async function keep(first: Worker): Promise<void> {
    let worker = first;
    for (let pause = 0; ; ) {
      const since = Date.now();
      if (!worker.isDead()) await once(worker, 'exit');
      if (signal.aborted) return;
      const { pid, exitCode, signalCode } = worker.process;
      logger.error({ worker: pid, exitCode, signal: signalCode }, 'worker exited; restarting');
      pause = Date.now() - since > calm ? 0 : Math.min(Math.max(2 * pause, shortestPause), longestPause);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      worker = fork();
    }
  }

  const first = fork();
  const origin = await originOf(first);
  const workers = [first, ...Array.from({ length: config.processes - 1 }, fork)];
  const keepers = workers.map(keep);
  await Promise.allSettled(workers.slice(1).map(originOf));

  return {
    origin,
    stop: async () => {
      stopping.abort();
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
      await Promise.all(keepers);
    },
  };
}

/** The address at which a new worker serves. One that ends before has said why on standard error. */
async function originOf(worker: Worker): Promise<string> {
  const served = once(worker, 'message').then(([origin]) => String(origin));
  const ended = once(worker, 'exit').then(() => undefined);
  const origin = await Promise.race([served, ended]);
  if (origin === undefined) throw new StartError('The first worker did not start.');
  return origin;
}
