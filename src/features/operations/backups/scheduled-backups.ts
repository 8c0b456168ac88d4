import { alone } from '../../../db/backup/archive.ts';
import { writeBackupFile } from '../../../db/backup/write.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import { reasonOf } from '../../../lib/log/logged-error.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { Reading } from '../../../lib/metrics.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { exponentialBackoff } from '../background-work/job-kind.ts';
import type { BackupStatus } from './backup-repository.ts';
import * as backups from './backup-repository.ts';
import { type BackupTarget, backupName } from './backup-target.ts';

type Options = {
  url: string;
  schedule: Schedule;
  keep: number;
  target: BackupTarget;
  images: Storage;
  db: Db;
  clock: Clock;
  logger: Logger;
};

/** Writes a backup whenever one is due; of several processes, one does. The first is due immediately, which tests the settings. */
export function createScheduledBackups(options: Options) {
  const { url, schedule, keep, target, images, db, clock, logger } = options;
  const stopped = new AbortController();
  let running: Promise<unknown> | undefined;
  let known: BackupStatus | undefined;

  async function isDue(): Promise<boolean> {
    known = await backups.read(db);
    return clock() >= nextAttempt(schedule, known, clock());
  }

  async function attempt(): Promise<void> {
    if (!(await isDue())) return; // another process was faster
    const started_at = clock();
    const file = backupName(started_at);
    const source = { url, images, log: (line: string) => logger.debug({ line }, 'backup'), signal: stopped.signal };
    try {
      const bytes = await target.store(file, (path) => writeBackupFile(source, path));
      await backups.succeeded(db, { started_at, finished_at: clock(), file, bytes });
      logger.info({ file, bytes }, 'backup written');
    } catch (error) {
      if (stopped.signal.aborted) return;
      logger.error({ err: error, reason: reasonOf(error) }, 'backup failed; retrying');
      await backups.failed(db, clock(), reasonOf(error));
      return;
    }
    await target
      .keep(keep)
      .catch((error: unknown) => logger.warn({ err: error, reason: reasonOf(error) }, 'old backups not deleted'));
    known = await backups.read(db);
  }

  const job: Job = {
    name: 'back up',
    everySeconds: 30,
    // Does not wait for a backup, which may take hours.
    run: async () => {
      if (running !== undefined || !(await isDue())) return;
      running = alone(url, 'scheduled backup', attempt)
        .catch((error: unknown) => logger.error({ err: error, reason: reasonOf(error) }, 'backup failed; retrying'))
        .finally(() => {
          running = undefined;
        });
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };

  return {
    job,
    /** Resolves when no backup is being written by this process. */
    idle: async () => void (await running),
    async overview() {
      const { started_at, failing_since, ...status } = await backups.read(db);
      const next = nextAttempt(schedule, { started_at, failing_since, ...status }, clock());
      return { ...status, schedule: schedule.text, next_at: next.toISOString() };
    },
    /** As of the last check. */
    status: () => known,
    overdueSeconds: () => (known === undefined ? 0 : overdueSeconds(schedule, known, clock())),
  };
}

function nextAttempt(schedule: Schedule, status: BackupStatus, now: Date): Date {
  const failed = past(status.failed_at, now);
  if (failed !== undefined) return new Date(failed.getTime() + exponentialBackoff(status.failures));
  const started = past(status.started_at, now);
  return started === undefined ? now : schedule.next(started);
}

/** Undefined for a time that a clock wrote which was ahead: a backup is due now, and not when that time has come. */
function past(time: string | null, now: Date): Date | undefined {
  return time === null || Date.parse(time) > now.getTime() ? undefined : new Date(time);
}

/** Since when a backup should exist. */
export function overdueSeconds(schedule: Schedule, { started_at, failing_since }: BackupStatus, now: Date): number {
  const started = past(started_at, now);
  const due = started === undefined ? (past(failing_since, now) ?? now) : schedule.next(started);
  return Math.max(0, (now.getTime() - due.getTime()) / 1000);
}

const seconds = (time: string | null | undefined) => (time ? Date.parse(time) / 1000 : 0);

/** Zero without a schedule. */
export function backupReadings(backups: ReturnType<typeof createScheduledBackups> | undefined): Reading[] {
  const gauge = (name: string, help: string, read: () => number): Reading => ({
    name: `backup_${name}`,
    help,
    type: 'gauge',
    across: 'max',
    read,
  });
  return [
    gauge('last_success_timestamp_seconds', 'When the last scheduled backup was complete.', () =>
      seconds(backups?.status()?.finished_at),
    ),
    gauge('last_size_bytes', 'Size of the last scheduled backup.', () => backups?.status()?.bytes ?? 0),
    gauge('failures', 'Failed attempts since the last scheduled backup.', () => backups?.status()?.failures ?? 0),
    gauge('overdue_seconds', 'Time for which a scheduled backup has been due.', () => backups?.overdueSeconds() ?? 0),
  ];
}
