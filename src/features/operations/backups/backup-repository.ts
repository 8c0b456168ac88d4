import type { Columns, Executor, Row } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { execute } from '../../../db/statements.ts';

const shown = [
  'started_at',
  'finished_at',
  'file',
  'bytes',
  'failures',
  'failing_since',
  'failed_at',
  'error',
] as const satisfies Columns<'backup_status'>;
export type BackupStatus = Pick<Row<'backup_status'>, (typeof shown)[number]>;

export type CompleteBackup = { started_at: Date; finished_at: Date; file: string; bytes: number };

export const failed = execute(
  'record_backup_failure',
  (at: Date, error: string) => sql`
    UPDATE backup_status
    SET failures = failures + 1, failing_since = coalesce(failing_since, ${t.timestamptz(at)}),
      failed_at = ${t.timestamptz(at)}, error = ${t.text(error)}`,
);

const none = { failures: 0, failing_since: null, failed_at: null, error: null };

export async function read(db: Executor): Promise<BackupStatus> {
  const status = await db.table('backup_status', 'read_backup_status').first(...shown);
  if (status === undefined) throw new Error('the table backup_status has no row');
  return status;
}
export const succeeded = async (db: Executor, backup: CompleteBackup) =>
  db.table('backup_status', 'record_backup').update({ ...backup, ...none });
