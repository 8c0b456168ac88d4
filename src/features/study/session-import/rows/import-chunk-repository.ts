import type { Reader } from '../../../../actor.ts';
import type { Executor } from '../../../../db/database.ts';
import { sql, t } from '../../../../db/sql/sql.ts';
import { execute, many, one } from '../../../../db/statements.ts';
import { huesOfCreated, projectColumns, selectNewProject, visibleTo } from '../../project-access/project-sql.ts';
import { formerColumns } from '../../study-sessions/session-sql.ts';
import { learnedFrom, tagsAsLearned } from '../../tags/tag-sql.ts';
import { rowProblem, rowProblems } from './import-report-read-model.ts';

// Local to the transaction.
const setLockTimeout = execute(
  'set_import_lock_timeout',
  (milliseconds: number) => sql`
    SELECT set_config('lock_timeout', ${t.text(String(milliseconds))}, true)`,
);

const findNextRows = one(
  'find_next_import_rows',
  { last_row: t.integer.orNull, number: t.bigint, project_ids: t.bigints.orNull },
  (importId: number, after: number, limit: number) => sql`
    SELECT max(c.row) AS last_row, count(*) AS number, array_agg(DISTINCT c.target_id) AS project_ids
    FROM (
      SELECT r.row, r.target_id FROM session_import_rows r
      WHERE r.import_id = ${t.bigint(importId)} AND r.row > ${t.integer(after)} AND r.problem IS NULL
      ORDER BY r.row LIMIT ${t.integer(limit)}) AS c`,
);

const lockUserStatement = execute(
  'lock_import_user',
  (userId: number) => sql`SELECT FROM users u WHERE u.id = ${t.bigint(userId)} FOR NO KEY UPDATE`,
);
export const lockProjects = execute(
  'lock_import_projects',
  (ids: readonly number[]) =>
    sql`SELECT FROM projects p WHERE p.id = ANY(${t.bigints(ids)}) ORDER BY p.id FOR NO KEY UPDATE`,
);

/** `tolerated`: problems that exclude a row; any other rejects the chunk. */
export type Chunk = { importId: number; after: number; last: number; now: Date; tolerated: readonly string[] };

/** Inserts the sessions of the rows up to `last`, or none if a row has a problem that is not tolerated. */
export const write = many(
  'write_import_rows',
  { row: t.integer, problem: t.oneOf(rowProblems).orNull, is_added: t.boolean, project: t.text },
  (reader: Reader, { importId, after, last, now, tolerated }: Chunk) => {
    const id = t.bigint(importId);
    const userId = t.bigint(reader.id);
    // Checked again under the locks: if a row has a problem that is not tolerated, no row of the chunk is inserted.
    // Conflicts with a session that another transaction is inserting are left to the constraint.
    return sql`
      WITH checked AS MATERIALIZED (
        SELECT r.*, CASE WHEN NOT ${visibleTo(reader)} THEN 'import_project_unknown'
          ELSE ${rowProblem(userId, t.timestamptz(now))} END AS found
        FROM session_import_rows r JOIN projects p ON p.id = r.target_id
        WHERE r.import_id = ${id} AND r.row > ${t.integer(after)} AND r.row <= ${t.integer(last)} AND r.problem IS NULL),
      ${learnedFrom(sql`SELECT ${userId}, unnest(c.tags) FROM checked c WHERE c.found IS NULL`)},
      added AS (
        INSERT INTO study_sessions
          (project_id, owner_id, user_id, started_at, ended_at, note, tags, source, time_zone, auto_stopped, import_id)
        SELECT c.target_id, c.owner_id, ${userId}, c.started_at, c.ended_at, c.note,
          ${tagsAsLearned(userId, sql`c.tags`)}, c.source, c.time_zone,
          c.auto_stopped, ${id}
        FROM checked c
        WHERE c.found IS NULL AND NOT EXISTS (SELECT FROM checked o WHERE o.found <> ALL (${t.texts(tolerated)}))
        ON CONFLICT DO NOTHING RETURNING id, started_at)
      SELECT c.row, c.found AS problem, a.id IS NOT NULL AS is_added,
        coalesce(nullif(c.project_name, ''), c.project_id::text) AS project
      FROM checked c LEFT JOIN added a ON a.started_at = c.started_at AND c.found IS NULL
      ORDER BY c.row`;
  },
);

export const createProjects = many('create_import_projects', projectColumns, (userId: number, importId: number) => {
  const id = t.bigint(importId);
  return sql`
    WITH created AS (
      INSERT INTO projects (user_id, name)
      SELECT DISTINCT ${t.bigint(userId)}, r.project_name FROM session_import_rows r
      WHERE r.import_id = ${id} AND r.problem IS NULL AND r.target_id IS NULL
      RETURNING *),
    updated_import AS (
      UPDATE session_imports SET created_project_ids = ARRAY(SELECT c.id FROM created c) WHERE id = ${id} RETURNING id),
    linked AS (
      UPDATE session_import_rows r SET target_id = c.id, owner_id = c.user_id
      FROM created c, updated_import
      WHERE r.import_id = ${id} AND r.problem IS NULL AND r.target_id IS NULL AND r.project_name = c.name),
    ${huesOfCreated}
    SELECT ${selectNewProject} FROM created p ORDER BY p.id`;
});
// Except those that are in use, or have been changed.
export const deleteProjects = many(
  'delete_import_projects',
  { id: t.bigint, user_id: t.bigint, assigned_user_ids: t.bigints },
  (importId: number) => sql`
    DELETE FROM projects p USING session_imports i
    WHERE i.id = ${t.bigint(importId)} AND p.id = ANY (i.created_project_ids) AND p.image IS NULL
      AND p.description = '' AND p.due_date IS NULL AND p.weekly_goal_hours IS NULL AND p.target_hours = 0
      AND NOT EXISTS (SELECT FROM study_sessions s WHERE s.project_id = p.id)
    RETURNING p.id, p.user_id,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id) AS assigned_user_ids`,
);

const findWritten = one(
  'find_imported_sessions',
  { session_ids: t.bigints.orNull, project_ids: t.bigints.orNull },
  (importId: number, limit: number) => sql`
    SELECT array_agg(c.id) AS session_ids, array_agg(DISTINCT c.project_id) AS project_ids
    FROM (
      SELECT s.id, s.project_id FROM study_sessions s
      WHERE s.import_id = ${t.bigint(importId)} ORDER BY s.id LIMIT ${t.integer(limit)}) AS c`,
);
// Except those that have been edited while this waited for their projects.
const deleteSessions = many(
  'delete_imported_sessions',
  formerColumns,
  (importId: number, ids: readonly number[]) => sql`
    DELETE FROM study_sessions WHERE id = ANY(${t.bigints(ids)}) AND import_id = ${t.bigint(importId)}
    RETURNING id, project_id, user_id, owner_id, started_at, ended_at`,
);

/** Lock order: the user before the projects, as for all writers of sessions. Limits the wait for any lock. */
export async function lockUser(db: Executor, userId: number, milliseconds: number): Promise<void> {
  await setLockTimeout(db, milliseconds);
  await lockUserStatement(db, userId);
}
/** Locks the projects of the next rows to write, up to `last_row`; undefined if there are none. */
export async function lockNext(
  db: Executor,
  importId: number,
  after: number,
  limit: number,
): Promise<{ last_row: number; number: number; project_ids: number[] } | undefined> {
  const { last_row, number, project_ids } = await findNextRows(db, importId, after, limit);
  if (last_row === null || project_ids === null) return undefined;
  await lockProjects(db, project_ids);
  return { last_row, number, project_ids };
}
/** Deletes some of the sessions that it added and nobody has edited; undefined if there are none. */
export async function deleteSome(db: Executor, importId: number, limit: number) {
  const { session_ids, project_ids } = await findWritten(db, importId, limit);
  if (session_ids === null || project_ids === null) return undefined;
  await lockProjects(db, project_ids);
  return deleteSessions(db, importId, session_ids);
}

export type WrittenRow = Awaited<ReturnType<typeof write>>[number];
