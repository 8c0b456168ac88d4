import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { Logger } from '../lib/log/logger.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { UnavailableError } from '../texts/errors.ts';

export type WorkersOptions = { config: Config; url: string; secrets: readonly string[]; logger: Logger };

/** `serving` rejects with OperatorError when the first worker does not start; the worker prints the reason. */
export type Workers = { serving: Promise<string>; stop(): Promise<void> };

export type WorkerMessage = { type: 'serving'; origin: string } | { type: 'metrics wanted'; id: number };
type PrimaryMessage = { type: 'metrics'; id: number; text?: string };

const restartDelay = 1_000; // ms

/** Collects the metrics of workers, or in a worker responds to the primary process. */
const metrics = new AggregatorRegistry();

/** A worker that exits is replaced. `stop` may be called at any time. */
export function startWorkers({ config, url, secrets, logger }: WorkersOptions): Workers {
  let origin: string | undefined;
  let stopping = false;

  /** Resolves when the worker serves, or exits. The environment contains the generated settings. */
  function fork(): Promise<void> {
    const worker = cluster.fork({ DATABASE_URL: url, JWT_SECRET: secrets.join(',') });
    const { pid } = worker.process;
    return new Promise((resolve) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'metrics wanted') void sendMetrics(worker, message.id);
        if (message.type !== 'serving') return;
        origin ??= message.origin;
        logger.info({ worker: pid }, 'worker listening');
        resolve();
      });
      worker.once('exit', (exitCode, signal) => {
        resolve();
        if (stopping || origin === undefined) return;
        logger.error({ worker: pid, exitCode, signal }, 'worker exited; restarting');
        setTimeout(() => stopping || void fork(), restartDelay);
      });
    });
  }

  async function sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await metrics.clusterMetrics().catch(() => undefined); // a worker that exits does not respond
    const reply: PrimaryMessage = { type: 'metrics', id, ...(text !== undefined && { text }) };
    if (worker.isConnected()) worker.send(reply);
  }

  async function start(): Promise<string> {
    await fork();
    if (origin === undefined) throw new OperatorError('The first worker did not start.');
    if (!stopping) await Promise.all(Array.from({ length: config.processes - 1 }, fork));
    return origin;
  }

  async function stop(): Promise<void> {
    stopping = true;
    const ends = Object.values(cluster.workers ?? {}).map(async (worker) => {
      if (worker?.isDead() !== false) return;
      worker.process.kill('SIGTERM');
      await once(worker, 'exit');
    });
    await Promise.all(ends);
  }

  return { serving: start(), stop };
}

/** In a worker. Returns a function that reads the metrics of all workers from the primary process. */
export function shareMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  let requests = 0;
  return () =>
    new Promise((resolve, reject) => {
      requests += 1;
      const id = requests;
      const receive = (message: PrimaryMessage) => {
        if (message.type !== 'metrics' || message.id !== id) return;
        process.off('message', receive);
        if (message.text === undefined) reject(new UnavailableError());
        else resolve(message.text);
      };
      process.on('message', receive);
      process.send?.({ type: 'metrics wanted', id } satisfies WorkerMessage);
    });
}
