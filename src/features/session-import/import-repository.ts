import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import type { ErrorCode } from '../../error-codes.ts';
import type { ErrorDetail, FieldError } from '../../errors.ts';
import type { Message } from '../../messages/index.ts';
import type { ColumnField } from './file/column-names.ts';
import type { DateOrder } from './file/written-times.ts';
import { type ImportState, importStates } from './import-report-schemas.ts';
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
  date_order: DateOrder;
  date_order_guessed: boolean;
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
const insertImport = query('insert_import', { id: t.bigint }, (userId: number, dryRun: boolean, now: Date) => {
  const time = t.timestamptz(now);
  return sql`
    INSERT INTO session_imports (user_id, dry_run, created_at, renewed_at)
    VALUES (${t.bigint(userId)}, ${t.boolean(dryRun)}, ${time}, ${time})
    ON CONFLICT DO NOTHING RETURNING id`;
});
const findImport = query(
  'find_import',
  importColumns,
  (id: number, userId: number) =>
    sql`SELECT ${columns} FROM session_imports WHERE id = ${t.bigint(id)} AND user_id = ${t.bigint(userId)}`,
);
const listImports = query(
  'list_imports',
  importColumns,
  (userId: number) =>
    sql`SELECT ${columns} FROM session_imports WHERE user_id = ${t.bigint(userId)} ORDER BY id DESC LIMIT 10`,
);
const findUnfinished = query(
  'find_unfinished_import',
  { id: t.bigint },
  (userId: number) => sql`SELECT id FROM session_imports WHERE user_id = ${t.bigint(userId)} AND finished_at IS NULL`,
);
const renewImport = command(
  'renew_import',
  (id: number, now: Date) => sql`
    UPDATE session_imports SET renewed_at = ${t.timestamptz(now)} WHERE id = ${t.bigint(id)} AND finished_at IS NULL`,
);
const saveReport = command(
  'save_import_report',
  (id: number, report: ImportReport) => sql`
    UPDATE session_imports SET report = ${t.jsonb(JSON.stringify(report))}
    WHERE id = ${t.bigint(id)} AND finished_at IS NULL`,
);
const startWriting = command(
  'start_writing_import',
  (id: number, valid: number) => sql`
    UPDATE session_imports SET state = 'writing', processed = rows - ${t.integer(valid)}
    WHERE id = ${t.bigint(id)} AND state = 'checking'`,
);

export type Progress = { rows: number; sessions: number };
const advanceImport = command(
  'advance_import',
  (id: number, { rows, sessions }: Progress, now: Date) => sql`
    UPDATE session_imports SET processed = processed + ${t.integer(rows)}, imported = imported + ${t.integer(sessions)},
      renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'writing'`,
);
const revertImport = command(
  'revert_import',
  (id: number, sessions: number, now: Date) => sql`
    UPDATE session_imports SET imported = imported - ${t.integer(sessions)}, renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'undoing'`,
);

const listProjects = query(
  'list_projects_of_import',
  { id: t.bigint, user_id: t.bigint },
  (id: number) => sql`
    SELECT DISTINCT s.project_id AS id, s.owner_id AS user_id FROM study_sessions s
    WHERE s.import_id = ${t.bigint(id)} ORDER BY 1`,
);

export type Ending = { state: 'done' | 'failed' | 'undone'; from: ImportState; now: Date };
const finishImport = query(
  'finish_import',
  { id: t.bigint },
  (importId: number, { state, from, now }: Ending, failure: ImportFailure | undefined) => {
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
const startUndo = command(
  'start_undoing_import',
  (id: number, failure: ImportFailure) => sql`
    UPDATE session_imports SET state = 'undoing', failure = coalesce(failure, ${t.jsonb(JSON.stringify(failure))})
    WHERE id = ${t.bigint(id)} AND state = 'writing'`,
);
const reopen = command(
  'reopen_import',
  (id: number, now: Date) => sql`
    UPDATE session_imports SET state = 'undoing', finished_at = NULL, renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'done' AND NOT dry_run`,
);
const listLapsed = query(
  'list_lapsed_imports',
  { id: t.bigint },
  (before: Date) => sql`
    SELECT id FROM session_imports WHERE finished_at IS NULL AND renewed_at < ${t.timestamptz(before)} ORDER BY id`,
);
// Checks the condition again: of several processes, only one takes it over.
const takeOver = query(
  'take_over_import',
  { user_id: t.bigint },
  (id: number, now: Date, before: Date) => sql`
    UPDATE session_imports SET renewed_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND finished_at IS NULL AND renewed_at < ${t.timestamptz(before)}
    RETURNING user_id`,
);
const deleteFinished = command(
  'delete_finished_imports',
  (before: Date) => sql`DELETE FROM session_imports WHERE finished_at < ${t.timestamptz(before)}`,
);

export function createImportRepository(db: Executor) {
  return {
    /** Returns undefined while the user has an unfinished one. */
    insert: async (userId: number, dryRun: boolean, now: Date) =>
      (await db.maybeOne(insertImport(userId, dryRun, now)))?.id,
    find: (id: number, userId: number) => db.maybeOne(findImport(id, userId)),
    list: (userId: number) => db.many(listImports(userId)),
    findUnfinished: async (userId: number) => (await db.maybeOne(findUnfinished(userId)))?.id,
    renew: (id: number, now: Date) => db.execute(renewImport(id, now)),
    /** The projects with sessions that it has written and nobody has edited. */
    listProjects: (id: number) => db.many(listProjects(id)),
    saveReport: (id: number, report: ImportReport) => db.execute(saveReport(id, report)),
    /** `valid` rows will be written; the others of the file are left out. */
    startWriting: async (id: number, valid: number) => (await db.execute(startWriting(id, valid))) > 0,
    advance: async (id: number, progress: Progress, now: Date) =>
      (await db.execute(advanceImport(id, progress, now))) > 0,
    revert: (id: number, sessions: number, now: Date) => db.execute(revertImport(id, sessions, now)),
    /** Finishes an import that is in the state `from`, and deletes its rows. */
    finish: async (id: number, ending: Ending, failure?: ImportFailure) =>
      (await db.maybeOne(finishImport(id, ending, failure))) !== undefined,
    startUndo: async (id: number, failure: ImportFailure) => (await db.execute(startUndo(id, failure))) > 0,
    /** Starts undoing a finished import; returns false for any other. */
    reopen: async (id: number, now: Date) => (await db.execute(reopen(id, now))) > 0,
    listLapsed: async (before: Date) => (await db.many(listLapsed(before))).map(({ id }) => id),
    takeOver: (id: number, now: Date, before: Date) => db.maybeOne(takeOver(id, now, before)),
    deleteFinished: (before: Date) => db.execute(deleteFinished(before)),
  };
}
