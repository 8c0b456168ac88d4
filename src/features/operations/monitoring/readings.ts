import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { LabelledReading, Reading } from '../../../lib/metrics.ts';
import type { Storage } from '../../../lib/storage/storage.ts';

/**
 * Logs when images can no longer be stored, and when they can again; also at the start, such as for a bucket that does not exist. The
 * service stays ready meanwhile: everything else works.
 */
export function createStorageCheck(storage: Storage, logger: Logger): Job {
  let isWritable = true;

  async function check(): Promise<void> {
    try {
      await storage.assertWritable();
      if (!isWritable) logger.info('image storage writable again');
      isWritable = true;
    } catch (error) {
      if (isWritable) logger.warn({ err: error }, 'image storage not writable');
      isWritable = false;
    }
  }

  return { name: 'check the image storage', everySeconds: 30, run: check };
}

type DatabaseMonitor = ReturnType<typeof createDatabaseMonitor>;

export function createDatabaseMonitor(ping: () => Promise<unknown>, logger: Logger) {
  let isUp = true; // the service does not start without it

  async function check(): Promise<void> {
    try {
      await ping();
      if (!isUp) logger.info('database available again');
      isUp = true;
    } catch (error) {
      if (isUp) logger.error({ err: error }, 'database unavailable');
      isUp = false;
    }
  }

  const job: Job = { name: 'check the database', everySeconds: 5, run: check };
  return { job, check, isUp: () => isUp };
}

export type ReadingsOptions = {
  database: Database;
  databaseMonitor: DatabaseMonitor;
  countedWork: () => readonly CountedWork[];
  clock: Clock;
  listCache: { stats(): { hits: number; misses: number } };
};

export function createReadings(options: ReadingsOptions): (Reading | LabelledReading)[] {
  const { database, databaseMonitor, countedWork, listCache } = options;
  return [
    ...workReadings(options),
    {
      name: 'database_up',
      help: 'Whether the last check of the database succeeded.',
      type: 'gauge',
      across: 'min',
      read: () => Number(databaseMonitor.isUp()),
    },
    {
      name: 'database_connections_used',
      help: 'Connections in use.',
      type: 'gauge',
      read: () => database.pool().used,
    },
    {
      name: 'database_connections_free',
      help: 'Idle connections of the pool.',
      type: 'gauge',
      read: () => database.pool().free,
    },
    {
      name: 'database_requests_waiting',
      help: 'Requests waiting for a connection.',
      type: 'gauge',
      read: () => database.pool().waiting,
    },
    {
      name: 'mails_unsent',
      help: 'Mails waiting to be sent.',
      type: 'gauge',
      across: 'max',
      read: () =>
        sum(
          countedWork()
            .filter(({ kind }) => /mail$/.test(kind))
            .map(unfinished),
        ),
    },
    {
      name: 'list_cache_hits_total',
      help: 'Lists served from memory.',
      type: 'counter',
      read: () => listCache.stats().hits,
    },
    {
      name: 'list_cache_misses_total',
      help: 'Lists read from the database.',
      type: 'counter',
      read: () => listCache.stats().misses,
    },
  ];
}

type CountedWork = { kind: string; queued: number; running: number; failed: number; oldest_at: string | null };
const unfinished = ({ queued, running, failed }: CountedWork) => queued + running + failed;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function workReadings({ countedWork, clock }: ReadingsOptions): LabelledReading[] {
  const byKind = (name: string, help: string, value: (work: CountedWork) => number): LabelledReading => ({
    name: `background_jobs_${name}`,
    help,
    label: 'kind',
    readAll: () => Object.fromEntries(countedWork().map((work) => [work.kind, value(work)])),
  });
  const age = ({ oldest_at }: CountedWork) =>
    oldest_at === null ? 0 : Math.max(0, (clock().getTime() - Date.parse(oldest_at)) / 1000);
  return [
    byKind('queued', 'Background jobs waiting for their first attempt.', ({ queued }) => queued),
    byKind('running', 'Background jobs being attempted.', ({ running }) => running),
    byKind('failed', 'Background jobs waiting for another attempt after a failure.', ({ failed }) => failed),
    byKind('oldest_seconds', 'Age of the oldest unfinished background job.', age),
  ];
}
