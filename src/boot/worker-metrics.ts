import type { Worker } from 'node:cluster';
import { UnavailableError } from '../errors.ts';
import type { MetricsSnapshot } from '../lib/metrics.ts';

export type WorkerMessage =
  | { type: 'serving'; origin: string }
  | { type: 'metrics wanted'; id: number }
  | { type: 'metrics'; id: number; snapshot: MetricsSnapshot };

/** `snapshots` is missing if a worker did not respond. */
type PrimaryMessage =
  | { type: 'send metrics'; id: number }
  | { type: 'all metrics'; id: number; snapshots?: MetricsSnapshot[] };

const timeout = 2_000; // ms

/** In the primary process: collects the metrics of all serving workers for the one that requests them. */
export function relayMetrics(worker: Worker, serving: () => readonly Worker[]): void {
  worker.on('message', async (message: WorkerMessage) => {
    if (message.type !== 'metrics wanted') return;
    const { id } = message;
    const snapshots = await Promise.all(serving().map(readMetrics)).catch(() => undefined);
    const reply: PrimaryMessage = {
      type: 'all metrics',
      id,
      ...(snapshots && { snapshots: snapshots.filter((snapshot) => snapshot !== undefined) }),
    };
    if (worker.isConnected()) worker.send(reply);
  });
}

let requests = 0;

/** Undefined for a worker that exits. Rejects on a timeout, because a missing snapshot would look like a counter reset. */
function readMetrics(worker: Worker): Promise<MetricsSnapshot | undefined> {
  requests += 1;
  const id = requests;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('worker does not respond'))), timeout);
    const receive = (message: WorkerMessage) => {
      if (message.type === 'metrics' && message.id === id) settle(() => resolve(message.snapshot));
    };
    const leave = () => settle(() => resolve(undefined));
    const settle = (done: () => void) => {
      clearTimeout(timer);
      worker.off('message', receive).off('exit', leave);
      done();
    };
    worker.on('message', receive).on('exit', leave);
    const request: PrimaryMessage = { type: 'send metrics', id };
    worker.send(request, (error) => error && leave());
  });
}

/** In a worker: sends its metrics on request. Returns a function that collects those of all workers. */
export function shareMetrics(own: () => Promise<MetricsSnapshot>): () => Promise<MetricsSnapshot[]> {
  const waiting = new Map<number, (snapshots: MetricsSnapshot[] | undefined) => void>();
  const send = (message: WorkerMessage) => process.send?.(message);
  process.on('message', async (message: PrimaryMessage) => {
    if (message.type === 'send metrics') send({ type: 'metrics', id: message.id, snapshot: await own() });
    if (message.type === 'all metrics') waiting.get(message.id)?.(message.snapshots);
  });
  return async () => {
    requests += 1;
    const id = requests;
    const snapshots = await new Promise<MetricsSnapshot[] | undefined>((resolve) => {
      waiting.set(id, resolve);
      send({ type: 'metrics wanted', id });
    });
    waiting.delete(id);
    if (snapshots === undefined) throw new UnavailableError();
    return snapshots;
  };
}
