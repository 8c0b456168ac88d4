import { type Executor, sql } from '../../db/database.ts';
import type { ErrorCode, FieldError } from '../../errors.ts';
import type { Message } from '../../messages/index.ts';

export type ImportState = 'checking' | 'writing' | 'undoing' | 'done' | 'failed' | 'undone';
export type ImportError = FieldError & { row: number };
export type ImportReport = {
  rows: number;
  valid: number;
  duplicates: number;
  overlaps: number;
  errors: readonly ImportError[];
};
/** Why an import failed, as the answer to its request says it. */
export type ImportFailure = { code: ErrorCode; text: Message; details: readonly FieldError[] };

export type ImportRow = {
  id: number;
  dry_run: boolean;
  state: ImportState;
  rows: number;
  processed: number;
  imported: number;
  report: ImportReport | null;
  failure: ImportFailure | null;
  created_at: string;
  finished_at: string | null;
};

const columns = 'id, dry_run, state, rows, processed, imported, report, failure, created_at, finished_at';

// The index of unfinished imports allows one for each user, over all processes.
const insert = sql(`
  INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at) VALUES ($1, $2, $3, $3)
  ON CONFLICT DO NOTHING RETURNING id`);
const find = sql(`SELECT ${columns} FROM session_imports WHERE id = $1 AND user_id = $2`);
const list = sql(`SELECT ${columns} FROM session_imports WHERE user_id = $1 ORDER BY id DESC LIMIT 10`);
const findRunning = sql('SELECT id FROM session_imports WHERE user_id = $1 AND finished_at IS NULL');
const renew = sql('UPDATE session_imports SET renewed_at = $2 WHERE id = $1 AND finished_at IS NULL');
const saveReport = sql(`UPDATE session_imports SET report = $2 WHERE id = $1 AND state = 'checking'`);
const startWriting = sql(`
  UPDATE session_imports SET state = 'writing', processed = rows - $2::integer
  WHERE id = $1 AND state = 'checking' RETURNING id`);
const advance = sql(`
  UPDATE session_imports SET processed = processed + $2, imported = imported + $3, renewed_at = $4
  WHERE id = $1 AND state = 'writing' RETURNING id`);
const retreat = sql(`
  UPDATE session_imports SET imported = imported - $2, renewed_at = $3 WHERE id = $1 AND state = 'undoing' RETURNING id`);
const finish = sql(`
  WITH finished AS (
    UPDATE session_imports SET state = $2, finished_at = $3, failure = coalesce($4, failure),
      processed = CASE WHEN $2 = 'done' THEN rows ELSE processed END
    WHERE id = $1 AND state = $5 RETURNING id),
  removed AS (DELETE FROM session_import_rows r USING finished f WHERE r.import_id = f.id)
  SELECT id FROM finished`);
const startUndo = sql(`
  UPDATE session_imports SET state = 'undoing', failure = coalesce(failure, $2)
  WHERE id = $1 AND state = 'writing' RETURNING id`);
const listLapsed = sql('SELECT id FROM session_imports WHERE finished_at IS NULL AND renewed_at < $1 ORDER BY id');
// Again with the condition: of several processes that find one, one takes it over.
const takeOver = sql(`
  UPDATE session_imports SET renewed_at = $2 WHERE id = $1 AND finished_at IS NULL AND renewed_at < $3
  RETURNING user_id, state`);
const sweep = sql('DELETE FROM session_imports WHERE finished_at < $1');

export type Ending = { state: 'done' | 'failed' | 'undone'; from: ImportState; now: Date };

/** The imports themselves. What depends on a state tells whether it still was that: another process may have taken over. */
export function createImportRepository(db: Executor) {
  const isDone = async (rows: Promise<unknown[]>) => (await rows).length > 0;
  return {
    /** Undefined while the user has one that is not finished. */
    async insert(userId: number, dryRun: boolean, now: Date): Promise<number | undefined> {
      const [row] = await db.rows<{ id: number }>(insert, [userId, dryRun, now]);
      return row?.id;
    },
    async find(id: number, userId: number): Promise<ImportRow | undefined> {
      const [row] = await db.rows<ImportRow>(find, [id, userId]);
      return row;
    },
    /** The newest of a user. */
    list: (userId: number) => db.rows<ImportRow>(list, [userId]),
    async findRunning(userId: number): Promise<number | undefined> {
      const [row] = await db.rows<{ id: number }>(findRunning, [userId]);
      return row?.id;
    },
    async renew(id: number, now: Date): Promise<void> {
      await db.rows(renew, [id, now]);
    },
    async saveReport(id: number, report: ImportReport): Promise<void> {
      await db.rows(saveReport, [id, JSON.stringify(report)]);
    },
    /** `valid` rows are to be written; the others of the file are left out. */
    startWriting: (id: number, valid: number) => isDone(db.rows(startWriting, [id, valid])),
    advance: (id: number, progress: { rows: number; records: number }, now: Date) =>
      isDone(db.rows(advance, [id, progress.rows, progress.records, now])),
    retreat: (id: number, records: number, now: Date) => isDone(db.rows(retreat, [id, records, now])),
    /** Ends an import that is in the state `from`, and forgets its rows. */
    finish: (id: number, { state, from, now }: Ending, failure?: ImportFailure) =>
      isDone(db.rows(finish, [id, state, now, failure === undefined ? null : JSON.stringify(failure), from])),
    startUndo: (id: number, failure: ImportFailure) => isDone(db.rows(startUndo, [id, JSON.stringify(failure)])),
    async listLapsed(before: Date): Promise<number[]> {
      return (await db.rows<{ id: number }>(listLapsed, [before])).map((row) => row.id);
    },
    async takeOver(id: number, now: Date, before: Date): Promise<{ user_id: number; state: ImportState } | undefined> {
      const [row] = await db.rows<{ user_id: number; state: ImportState }>(takeOver, [id, now, before]);
      return row;
    },
    async sweep(before: Date): Promise<void> {
      await db.rows(sweep, [before]);
    },
  };
}
