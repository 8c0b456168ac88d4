import type { Reader } from '../../../../actor.ts';
import type { Executor } from '../../../../db/database.ts';
import { type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { execute, exists, many } from '../../../../db/statements.ts';
import { minProjectNameLength } from '../../project-access/project-fields.ts';
import { assignedProjects, ownProjects, scopedProjects } from '../../project-access/project-sql.ts';
import { type Draft, type Person, personKey } from '../file/row-format.ts';
import { rowProblem } from './import-report-read-model.ts';
import { type Resolution, recordsPerPage } from './overlap-resolution.ts';

export type NumberedDraft = Draft & { row: number };
export type Staging = { importId: number; drafts: readonly NumberedDraft[]; read: number; now: Date };

export const stage = exists('stage_import_rows', { id: t.bigint }, ({ importId, drafts, read, now }: Staging) => {
  const column = <Name extends keyof NumberedDraft>(name: Name) => drafts.map((draft) => draft[name]);
  return sql`
    WITH running AS (
      UPDATE session_imports SET rows = ${t.integer(read)}, renewed_at = ${t.timestamptz(now)}
      WHERE id = ${t.bigint(importId)} AND state = 'checking' RETURNING id),
    added AS (
      INSERT INTO session_import_rows
        (import_id, row, project_id, project_name, started_at, ended_at, note, tags, source, time_zone, auto_stopped)
      SELECT r.id, d.row, d.project_id, d.project_name, d.started::timestamptz, d.ended::timestamptz,
        d.note, ARRAY(SELECT jsonb_array_elements_text(d.tags)), d.source, d.time_zone, d.auto_stopped
      FROM running r CROSS JOIN unnest(
        ${t.integers(column('row'))}, ${t.bigints(column('project_id').map((id) => id ?? 0))},
        ${t.texts(column('project_name'))}, ${t.texts(column('started'))}, ${t.texts(column('ended'))},
        ${t.texts(column('note'))}, ${t.texts(column('tags').map((tags) => JSON.stringify(tags)))}::jsonb[],
        ${t.texts(column('source'))},
        ${t.texts(column('time_zone'))}, ${t.texts(column('auto_stopped').map(String))}::boolean[])
        AS d (row, project_id, project_name, started, ended, note, tags, source, time_zone, auto_stopped))
    SELECT id FROM running`;
});

// The planner has no statistics about new rows, and would compare each with every other.
export const analyze = execute('analyze_import_rows', () => sql`ANALYZE session_import_rows`);

function visibleProjects({ id, role }: Reader): Sql {
  if (role === 'admin') return sql`SELECT p.id, p.user_id, p.name FROM projects p WHERE p.deleted_at IS NULL`;
  const userId = t.bigint(id);
  return sql`
    SELECT p.id, p.user_id, p.name
    FROM (${ownProjects(userId)} UNION ALL ${role === 'user' ? assignedProjects(userId) : scopedProjects(userId)}) AS seen JOIN projects p ON p.id = seen.id`;
}

/** The rows of an import numbered above `after`, up to `last`. */
export type Rows = { importId: number; after: number; last: number };
/** SQL: whether a staged row `i` is one of these. */
const isOneOf = ({ importId, after, last }: Rows): Sql =>
  sql`i.import_id = ${t.bigint(importId)} AND i.row > ${t.integer(after)} AND i.row <= ${t.integer(last)}`;

export const matchProjects = execute('match_import_projects', (rows: Rows, reader: Reader, create: boolean) => {
  // By id, or else by name. A row with neither problem nor target gets a new project.
  return sql`
    WITH wanted AS MATERIALIZED (
      SELECT DISTINCT i.project_id, i.project_name FROM session_import_rows i WHERE ${isOneOf(rows)}),
    visible AS NOT MATERIALIZED (${visibleProjects(reader)}),
    named AS (
      SELECT v.name, min(v.id) AS id, min(v.user_id) AS user_id, count(*) AS number
      FROM visible v WHERE v.name IN (SELECT w.project_name FROM wanted w) GROUP BY v.name)
    UPDATE session_import_rows i SET
      target_id = coalesce(v.id, CASE WHEN n.number = 1 THEN n.id END),
      owner_id = coalesce(v.user_id, n.user_id),
      problem = CASE WHEN v.id IS NOT NULL OR n.number = 1 THEN NULL
        WHEN n.number > 1 THEN 'import_project_ambiguous'
        WHEN ${t.boolean(create)} AND char_length(w.project_name) >= ${t.integer(minProjectNameLength)} THEN NULL ELSE 'import_project_unknown' END
    FROM wanted w LEFT JOIN visible v ON v.id = w.project_id LEFT JOIN named n ON n.name = w.project_name
    WHERE ${isOneOf(rows)} AND i.project_id = w.project_id AND i.project_name = w.project_name`;
});

// Statistics of this table never describe the rows of a running import, so no statement joins it with itself.
// Checks rows again that were moved.
export const checkRows = execute('check_import_rows', (rows: Rows, userId: number, now: Date, moved: boolean) => {
  const problem = sql`(
    SELECT ${rowProblem(t.bigint(userId), t.timestamptz(now))}
    FROM (SELECT i.*) AS r LEFT JOIN projects p ON p.id = r.target_id)`;
  return sql`
    UPDATE session_import_rows i SET problem = ${problem}, moved = false
    WHERE ${isOneOf(rows)} AND i.moved = ${t.boolean(moved)} AND i.problem IS NULL AND ${problem} IS NOT NULL`;
});

// Entries that are made by duration may have equal times: repeated ones have equal notes too.
export const findRepeatedRows = execute('find_repeated_import_rows', (importId: number, byNote: boolean) => {
  const id = t.bigint(importId);
  // IS TRUE keeps the sub-select a hash table instead of a join.
  return sql`
    UPDATE session_import_rows i SET problem = 'import_duplicate'
    WHERE i.import_id = ${id} AND (i.row IN (
      SELECT j.row FROM (
        SELECT f.row, row_number() OVER (
          PARTITION BY f.target_id, CASE WHEN f.target_id IS NULL THEN f.project_name END, f.started_at, f.ended_at,
            CASE WHEN ${t.boolean(byNote)} THEN f.note END
          ORDER BY f.row) AS number
        FROM session_import_rows f
        WHERE f.import_id = ${id} AND (f.problem IS NULL OR f.problem = 'import_overlap')) AS j
      WHERE j.number > 1)) IS TRUE`;
});

// A row that was moved may begin after the last one that was listed: it is not listed again.
export const listRows = many(
  'list_import_rows_by_start',
  { row: t.integer, started_at: t.timestamptz, ended_at: t.timestamptz, problem: t.text.orNull },
  (importId: number, after: Position, limit: number) => sql`
    SELECT i.row, i.started_at, i.ended_at, i.problem FROM session_import_rows i
    WHERE i.import_id = ${t.bigint(importId)} AND (i.problem IS NULL OR i.problem = 'import_overlap') AND NOT i.moved
      AND (i.started_at, i.row) > (${t.timestamptz(after.started_at)}, ${t.integer(after.row)})
    ORDER BY i.started_at, i.row LIMIT ${t.integer(limit)}`,
);
type Position = { started_at: Date; row: number };

export const readRecords = many(
  'read_records_of_import',
  { id: t.bigint, started_at: t.timestamptz, ended_at: t.timestamptz.orNull },
  (userId: number, from: Date) => {
    const [user, time] = [t.bigint(userId), t.timestamptz(from)];
    return sql`
      SELECT s.id, s.started_at, s.ended_at FROM study_sessions s
      WHERE s.user_id = ${user} AND s.started_at >= coalesce(
        (SELECT max(o.started_at) FROM study_sessions o WHERE o.user_id = ${user} AND o.started_at <= ${time}), ${time})
      ORDER BY s.started_at LIMIT ${t.integer(recordsPerPage)}`;
  },
);

export const saveResolutions = execute('save_import_resolutions', (importId: number, found: readonly Resolution[]) => {
  const column = <Name extends keyof Resolution>(name: Name) => found.map((one) => one[name]);
  const times = (name: 'start' | 'end') => t.texts(column(name).map((time) => new Date(time).toISOString()));
  const flags = (name: 'isMoved' | 'isOmitted') => sql`${t.texts(column(name).map(String))}::boolean[]`;
  const ids = (name: 'otherRow' | 'otherSession') => t.bigints(column(name).map((id) => id ?? 0));
  return sql`
    UPDATE session_import_rows i SET started_at = d.started::timestamptz, ended_at = d.ended::timestamptz,
      moved = d.moved, problem = CASE WHEN d.omitted THEN 'import_overlap' END,
      other_row = nullif(d.other_row, 0), other_session_id = nullif(d.other_session, 0)
    FROM unnest(${t.integers(column('row'))}, ${times('start')}, ${times('end')}, ${flags('isMoved')},
      ${flags('isOmitted')}, ${ids('otherRow')}, ${ids('otherSession')})
      AS d (row, started, ended, moved, omitted, other_row, other_session)
    WHERE i.import_id = ${t.bigint(importId)} AND i.row = d.row`;
});

/** The names under which files may list a user. */
export async function readPerson(db: Executor, id: number): Promise<Person> {
  const found = await db
    .table('users', 'read_person_of_import')
    .where({ id })
    .first('username', 'email', 'display_name');
  const names = [found?.email, found?.username, found?.display_name].filter((name) => name != null && name !== '');
  return { id, names: names.map((name) => personKey(String(name))) };
}
