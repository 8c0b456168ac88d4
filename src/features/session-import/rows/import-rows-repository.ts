import type { Executor } from '../../../db/database.ts';
import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { command, query } from '../../../db/sql/statement.ts';
import type { Reader } from '../../projects/project-policy.ts';
import { minProjectNameLength } from '../../projects/project-schemas.ts';
import { assignedProjects, ownProjects } from '../../projects/project-sql.ts';
import { type Draft, type Person, personKey } from '../file/row-format.ts';
import { rowProblem } from './import-row-problem-sql.ts';

export type NumberedDraft = Draft & { row: number };
/** `create` missing projects; `trim` overlapping rows. */
export type CheckOptions = { now: Date; create: boolean; trim: boolean };
export type Staging = { importId: number; drafts: readonly NumberedDraft[]; read: number; now: Date };

const stageRows = query('stage_import_rows', { id: t.bigint }, ({ importId, drafts, read, now }: Staging) => {
  const column = <Name extends keyof NumberedDraft>(name: Name) => drafts.map((draft) => draft[name]);
  return sql`
    WITH running AS (
      UPDATE session_imports SET rows = ${t.integer(read)}, renewed_at = ${t.timestamptz(now)}
      WHERE id = ${t.bigint(importId)} AND state = 'checking' RETURNING id),
    added AS (
      INSERT INTO session_import_rows
        (import_id, row, project_id, project_name, started_at, ended_at, note, source, time_zone, auto_stopped)
      SELECT r.id, d.row, d.project_id, d.project_name, d.started::timestamptz, d.ended::timestamptz,
        d.note, d.source, d.time_zone, d.auto_stopped
      FROM running r CROSS JOIN unnest(
        ${t.integers(column('row'))}, ${t.bigints(column('project_id').map((id) => id ?? 0))},
        ${t.texts(column('project_name'))}, ${t.texts(column('started'))}, ${t.texts(column('ended'))},
        ${t.texts(column('note'))}, ${t.texts(column('source'))},
        ${t.texts(column('time_zone'))}, ${t.texts(column('auto_stopped').map(String))}::boolean[])
        AS d (row, project_id, project_name, started, ended, note, source, time_zone, auto_stopped))
    SELECT id FROM running`;
});

// The planner has no statistics about new rows, and would compare each with every other.
const analyzeRows = command('analyze_import_rows', () => sql`ANALYZE session_import_rows`);

function visibleProjects({ id, role }: Reader): Sql {
  if (role === 'admin') return sql`SELECT p.id, p.user_id, p.name FROM projects p WHERE p.deleted_at IS NULL`;
  const userId = t.bigint(id);
  return sql`
    SELECT p.id, p.user_id, p.name
    FROM (${ownProjects(userId)} UNION ALL ${assignedProjects(userId)}) AS seen JOIN projects p ON p.id = seen.id`;
}

const matchProjects = command('match_import_projects', (reader: Reader, importId: number, create: boolean) => {
  const id = t.bigint(importId);
  // By id, or else by name. A row with neither problem nor target gets a new project.
  return sql`
    WITH wanted AS MATERIALIZED (
      SELECT DISTINCT i.project_id, i.project_name FROM session_import_rows i WHERE i.import_id = ${id}),
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
    WHERE i.import_id = ${id} AND i.project_id = w.project_id AND i.project_name = w.project_name`;
});

// Statistics of this table never describe the rows of a running import, so no statement joins it with itself.
const checkRows = command('check_import_rows', (userId: number, importId: number, now: Date) => {
  const problem = sql`(
    SELECT ${rowProblem(t.bigint(userId), t.timestamptz(now))}
    FROM (SELECT) AS one LEFT JOIN projects p ON p.id = r.target_id)`;
  return sql`
    UPDATE session_import_rows r SET problem = ${problem}
    WHERE r.import_id = ${t.bigint(importId)} AND r.problem IS NULL AND ${problem} IS NOT NULL`;
});

const findRepeatedRows = command('find_repeated_import_rows', (importId: number) => {
  const id = t.bigint(importId);
  // IS TRUE keeps the sub-select a hash table instead of a join.
  return sql`
    UPDATE session_import_rows i SET problem = 'import_duplicate'
    WHERE i.import_id = ${id} AND (i.row IN (
      SELECT j.row FROM (
        SELECT f.row, row_number() OVER (
          PARTITION BY f.target_id, CASE WHEN f.target_id IS NULL THEN f.project_name END, f.started_at, f.ended_at
          ORDER BY f.row) AS number
        FROM session_import_rows f
        WHERE f.import_id = ${id} AND (f.problem IS NULL OR f.problem = 'import_overlap')) AS j
      WHERE j.number > 1)) IS TRUE`;
});

const resolveOverlaps = command(
  'resolve_import_overlaps',
  (userId: number, importId: number, trim: boolean) =>
    sql`SELECT resolve_import_overlaps(${t.bigint(importId)}, ${t.bigint(userId)}, ${t.boolean(trim)})`,
);

/** Staged rows of files while these are read and checked. Locks nothing else. */
export function createImportRowsRepository(db: Executor) {
  return {
    /** Whether PostgreSQL knows a time zone: its list may differ from that of Node.js. */
    /** The names under which files may list a user. */
    async readPerson(id: number): Promise<Person> {
      const found = await db
        .table('users', 'read_person_of_import')
        .where({ id })
        .first('username', 'email', 'display_name');
      const names = [found?.email, found?.username, found?.display_name].filter((name) => name != null && name !== '');
      return { id, names: names.map((name) => personKey(String(name))) };
    },
    stage: async (staging: Staging) => (await db.maybeOne(stageRows(staging))) !== undefined,
    analyze: () => db.execute(analyzeRows()),
    async check(reader: Reader, importId: number, { now, create, trim }: CheckOptions): Promise<void> {
      await db.execute(matchProjects(reader, importId, create));
      await db.execute(checkRows(reader.id, importId, now));
      await db.execute(findRepeatedRows(importId));
      await db.execute(resolveOverlaps(reader.id, importId, trim));
    },
  };
}
