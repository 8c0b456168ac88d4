import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Storage } from './storage/storage.ts';

/** A value that is read at each scrape. `across` aggregates the values of several processes; default: their sum. */
export type Reading = {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  across?: 'min' | 'max';
  read: () => number;
};

/** A gauge with a label, whose values are the same in all processes. */
export type LabelledReading = { name: string; help: string; label: string; readAll: () => Record<string, number> };

const refusalReasons = ['unauthorized', 'rate_limited'] as const;
const storageOperations = ['put', 'delete', 'list', 'open', 'check'] as const;

export function createMetrics(version: string, readings: readonly (Reading | LabelledReading)[]) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  const refusals = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests rejected without a valid token (unauthorized) or because of a limit (rate_limited).',
    labelNames: ['reason'],
    registers,
  });
  const storageFailures = new Counter({
    name: 'storage_failures_total',
    help: 'Failed operations of the image store.',
    labelNames: ['operation'],
    registers,
  });
  const jobFailures = new Counter({
    name: 'job_failures_total',
    help: 'Failed runs of recurring jobs.',
    labelNames: ['job'],
    registers,
  });
  const jobSuccess = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a recurring job last succeeded, in any process.',
    labelNames: ['job'],
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'studytrack_info',
    help: 'The running version.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version, node: process.version }, 1);
  for (const reading of readings)
    if ('readAll' in reading) addLabelledReading(registry, reading);
    else addReading(registry, reading);
  // Without an initial zero, rate() misses the first increment.
  for (const reason of refusalReasons) refusals.inc({ reason }, 0);
  for (const operation of storageOperations) storageFailures.inc({ operation }, 0);

  return {
    registry,
    observe(method: string, route: string, status: number, seconds: number): void {
      durations.observe({ method, route, status }, seconds);
      if (status === 401) refusals.inc({ reason: 'unauthorized' });
      if (status === 429) refusals.inc({ reason: 'rate_limited' });
    },
    jobStarted: (job: string): void => jobFailures.inc({ job }, 0),
    jobSucceeded: (job: string): void => jobSuccess.set({ job }, Date.now() / 1000),
    jobFailed: (job: string): void => jobFailures.inc({ job }),
    watchStorage: (storage: Storage): Storage =>
      countFailures(storage, (operation) => storageFailures.inc({ operation })),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function addReading(registry: Registry, { name, help, type, across, read }: Reading): void {
  const options = { name, help, registers: [registry], ...(across && { aggregator: across }) };
  if (type === 'gauge')
    new Gauge({
      ...options,
      collect() {
        this.set(read());
      },
    });
  else
    new Counter({
      ...options,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
}

function addLabelledReading(registry: Registry, { name, help, label, readAll }: LabelledReading): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    aggregator: 'max',
    collect() {
      for (const [value, number] of Object.entries(readAll())) this.set({ [label]: value }, number);
    },
  });
}

function countFailures(storage: Storage, failed: (operation: (typeof storageOperations)[number]) => void): Storage {
  const counted = async <T>(operation: (typeof storageOperations)[number], work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      failed(operation);
      throw error;
    });
  return {
    ...storage,
    put: (...given) => counted('put', storage.put(...given)),
    delete: (name) => counted('delete', storage.delete(name)),
    open: (name) => counted('open', storage.open(name)),
    assertWritable: () => counted('check', storage.assertWritable()),
    async *list() {
      try {
        yield* storage.list();
      } catch (error) {
        failed('list');
        throw error;
      }
    },
  };
}
