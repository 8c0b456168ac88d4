import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { changes, execute, exists, many, maybeOne, maybeValue, values } from '../../../db/statements.ts';
import type { ErrorCode, ErrorDetail, FieldError, FileColumn } from '../../../texts/errors.ts';
import type { Message } from '../../../texts/index.ts';
import type { ColumnField } from './file/column-names.ts';
import type { ColumnReading } from './file/column-readings.ts';
import type { DateOrder } from './file/written-times.ts';
import type { DurationUnit } from './file/written-words.ts';
import { type ImportState, importStates } from './import-status-schemas.ts';
import type { ImportedProject, ImportedSession } from './rows/import-report-read-model.ts';

export type ImportError = FieldError & { row: number; other_row?: number; session_id?: number };
export type ImportNotice = ImportError & {
  action: 'left_out' | 'skipped' | 'trimmed' | 'moved' | 'shortened';
  started_at?: string;
};
export type ImportReport = {
  rows: number;
  valid: number;
  duplicates: number;
  overlaps: number;
  skipped: number;
  trimmed: number;
  moved: number;
  invalid: number;
  created_projects: number;
  left_out: number;
  shortened: number;
  columns: Partial<Record<ColumnField, string>>;
  /** These two are not in reports of version 1.1.0. */
  file_columns?: FileColumn[];
  other_durations?: number;
  unread_columns: readonly string[];
  readings: readonly ColumnReading[];
  date_order: DateOrder;
  date_order_guessed: boolean;
  duration_unit: DurationUnit | null;
  duration_unit_asked: boolean;
  seconds: number;
  errors: readonly ImportError[];
  notices: readonly ImportNotice[];
  projects: readonly ImportedProject[];
  sessions: readonly ImportedSession[];
};
/** Why an import failed: the error of the response to its request. */
export type ImportFailure = { code: ErrorCode; text: Message; details: readonly ErrorDetail[] };

const importColumns = {
  id: t.bigint,
  dry_run: t.boolean,
  state: t.oneOf(importStates),
  rows: t.integer,
  processed: t.integer,
  imported: t.integer,
  report: t.json<ImportReport>().orNull,
  failure: t.json<ImportFailure>().orNull,
  created_at: t.timestamptz,
  finished_at: t.timestamptz.orNull,
};
export type ImportRow = RowOf<typeof importColumns>;
const columns = sql`id, dry_run, state, rows, processed, imported, report, failure, created_at, finished_at`;

// The index of unfinished imports allows one per user, in all processes.
/** Returns undefined while the user has an unfinished one. */
export const insert = maybeValue('insert_import', { id: t.bigint }, (userId: number, dryRun: boolean, now: Date) => {
  const time = t.timestamptz(now);
  return sql`
    INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at)
    VALUES (${t.bigint(userId)}, ${t.boolean(dryRun)}, ${time}, ${time})
    ON CONFLICT DO NOTHING RETURNING id`;
});
export const find = maybeOne(
  'find_import',
  importColumns,
  (id: number, userId: number) =>
    sql`SELECT ${columns} FROM session_imports WHERE id = ${t.bigint(id)} AND user_id = ${t.bigint(userId)}`,
);
export const list = many(
  'list_imports',
  importColumns,
  (userId: number) =>
    sql`SELECT ${columns} FROM session_imports WHERE user_id = ${t.bigint(userId)} ORDER BY id DESC LIMIT 10`,
);
export const findUnfinished = maybeValue(
  'find_unfinished_import',
  { id: t.bigint },
  (userId: number) => sql`SELECT id FROM session_imports WHERE user_id = ${t.bigint(userId)} AND finished_at IS NULL`,
);
export const renew = execute(
  'renew_import',
  (id: number, now: Date) => sql`
    UPDATE session_imports SET renewed_at = ${t.timestamptz(now)} WHERE id = ${t.bigint(id)} AND finished_at IS NULL`,
);
export const saveReport = execute(
  'save_import_report',
  (id: number, report: ImportReport) => sql`
    UPDATE session_imports SET report = ${t.jsonb(JSON.stringify(report))}
    WHERE id = ${t.bigint(id)} AND finished_at IS NULL`,
);
/** `valid` rows will be written; the others of the file are left out. */
export const startWriting = changes(
  'start_writing_import',
  (id: number, valid: number) => sql`
    UPDATE session_imports SET state = 'writing', processed = rows - ${t.integer(valid)}
    WHERE id = ${t.bigint(id)} AND state = 'checking'`,
);

export type Progress = { rows: number; sessions: number };
export const advance = changes(
  'advance_import',
  (id: number, { rows, sessions }: Progress, now: Date) => sql`
    UPDATE session_imports SET processed = processed + ${t.integer(rows)}, imported = imported + ${t.integer(sessions)},
      renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'writing'`,
);
export const revert = execute(
  'revert_import',
  (id: number, sessions: number, now: Date) => sql`
    UPDATE session_imports SET imported = imported - ${t.integer(sessions)}, renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'undoing'`,
);

/** The projects with sessions that it has written and nobody has edited. */
export const listProjects = many(
  'list_projects_of_import',
  { id: t.bigint, user_id: t.bigint },
  (id: number) => sql`
    SELECT DISTINCT s.project_id AS id, s.owner_id AS user_id FROM study_sessions s
    WHERE s.import_id = ${t.bigint(id)} ORDER BY 1`,
);

export type Ending = { state: 'done' | 'failed' | 'undone'; from: ImportState; now: Date };
/** Finishes an import that is in the state `from`, and deletes its rows. */
export const finish = exists(
  'finish_import',
  { id: t.bigint },
  (importId: number, { state, from, now }: Ending, failure?: ImportFailure) => {
    const ending = t.text(state);
    const reason = t.jsonb(failure === undefined ? null : JSON.stringify(failure));
    return sql`
      WITH finished AS (
        UPDATE session_imports SET state = ${ending}, finished_at = ${t.timestamptz(now)},
          failure = coalesce(${reason}, failure), processed = CASE WHEN ${ending} = 'done' THEN rows ELSE processed END,
          imported = CASE WHEN ${ending} = 'undone' THEN 0 ELSE imported END
        WHERE id = ${t.bigint(importId)} AND state = ${t.text(from)} RETURNING id),
      removed AS (DELETE FROM session_import_rows r USING finished f WHERE r.import_id = f.id)
      SELECT id FROM finished`;
  },
);
export const startUndo = changes(
  'start_undoing_import',
  (id: number, failure: ImportFailure) => sql`
    UPDATE session_imports SET state = 'undoing', failure = coalesce(failure, ${t.jsonb(JSON.stringify(failure))})
    WHERE id = ${t.bigint(id)} AND state = 'writing'`,
);
/** Starts undoing a finished import; returns false for any other. */
export const reopen = changes(
  'reopen_import',
  (id: number, now: Date) => sql`
    UPDATE session_imports SET state = 'undoing', finished_at = NULL, renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'done' AND NOT dry_run`,
);
export const listLapsed = values(
  'list_lapsed_imports',
  { id: t.bigint },
  (before: Date) => sql`
    SELECT id FROM session_imports WHERE finished_at IS NULL AND renewed_at < ${t.timestamptz(before)} ORDER BY id`,
);
// Checks the condition again: of several processes, only one takes it over.
export const takeOver = maybeOne(
  'take_over_import',
  { user_id: t.bigint },
  (id: number, now: Date, before: Date) => sql`
    UPDATE session_imports SET renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND finished_at IS NULL AND renewed_at < ${t.timestamptz(before)}
    RETURNING user_id`,
);
export const deleteFinished = execute(
  'delete_finished_imports',
  (before: Date) => sql`DELETE FROM session_imports WHERE finished_at < ${t.timestamptz(before)}`,
);
