import { type Parameter, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { many, one } from '../../../../db/statements.ts';
import { aheadSeconds, maxSessionSeconds, minSessionSeconds } from '../../study-sessions/session-times.ts';

export const rowProblems = [
  'import_project_unknown',
  'import_project_ambiguous',
  'session_too_early',
  'session_in_future',
  'session_too_short',
  'session_too_long',
  'project_not_active',
  'import_duplicate',
  'import_overlap',
] as const;
export type RowProblem = { row: number; problem: (typeof rowProblems)[number] };

const interval = (count: number): Sql => sql`${t.interval(`${count} seconds`)}`;

/**
 * SQL: the problem of a staged row `r` on its project `p`, or NULL. Checks the file, and each chunk again before it
 * is written. Sessions of a user never overlap, so only the last one that starts before a row ends can overlap it.
 */
export const rowProblem = (userId: Parameter, now: Parameter): Sql => sql`CASE
    WHEN p.deleted_at IS NOT NULL THEN 'import_project_unknown'
    WHEN r.started_at < '2000-01-01Z' THEN 'session_too_early'
    WHEN r.ended_at > ${now} + ${interval(aheadSeconds)} THEN 'session_in_future'
    WHEN r.ended_at - r.started_at < ${interval(minSessionSeconds)} THEN 'session_too_short'
    WHEN r.ended_at - r.started_at > ${interval(maxSessionSeconds)} THEN 'session_too_long'
    WHEN p.status <> 'active' AND NOT project_was_active(p.id, r.started_at) THEN 'project_not_active'
    WHEN EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = ${userId} AND s.project_id = r.target_id
        AND s.started_at = r.started_at AND s.ended_at = r.ended_at) THEN 'import_duplicate'
    WHEN (SELECT s.ended_at IS NULL OR s.ended_at > r.started_at FROM study_sessions s
      WHERE s.user_id = ${userId} AND s.started_at < r.ended_at ORDER BY s.started_at DESC LIMIT 1) THEN 'import_overlap'
    END`;

const seconds = sql`floor(extract(epoch FROM i.ended_at - i.started_at))`;
const ofImport = (importId: number): Sql => sql`i.import_id = ${t.bigint(importId)}`;
const total = sql`coalesce(sum(${seconds}), 0)::bigint`;

export const count = one(
  'count_import_rows',
  {
    valid: t.bigint,
    duplicates: t.bigint,
    overlaps: t.bigint,
    moved: t.bigint,
    invalid: t.bigint,
    created_projects: t.bigint,
    seconds: t.bigint,
    stored: t.integer,
    tags: t.bigint,
  },
  (importId: number) => sql`
    SELECT count(*) FILTER (WHERE i.problem IS NULL) AS valid,
      count(*) FILTER (WHERE i.problem = 'import_duplicate') AS duplicates,
      count(*) FILTER (WHERE i.problem = 'import_overlap') AS overlaps,
      count(*) FILTER (WHERE i.moved) AS moved,
      count(*) FILTER (WHERE i.problem NOT IN ('import_duplicate', 'import_overlap')) AS invalid,
      count(DISTINCT i.project_name) FILTER (WHERE i.problem IS NULL AND i.target_id IS NULL) AS created_projects,
      coalesce(sum(${seconds}) FILTER (WHERE i.problem IS NULL), 0)::bigint AS seconds,
      coalesce((SELECT k.sessions_count FROM session_imports f JOIN user_study_totals k ON k.user_id = f.user_id
        WHERE f.id = ${t.bigint(importId)}), 0) AS stored,
      (SELECT count(*) FROM (
         SELECT search_form(t.name) FROM session_imports f JOIN tags t ON t.user_id = f.user_id WHERE f.id = ${t.bigint(importId)}
         UNION
         SELECT search_form(name) FROM session_import_rows i CROSS JOIN LATERAL unnest(i.tags) AS name
         WHERE ${ofImport(importId)} AND i.problem IS NULL) AS names) AS tags
    FROM session_import_rows i WHERE ${ofImport(importId)}`,
);

const entryColumns = {
  row: t.integer,
  problem: t.oneOf(rowProblems).orNull,
  other_row: t.integer.orNull,
  other_session_id: t.bigint.orNull,
  started_at: t.timestamptz,
  project: t.text,
};

/** Rows with one of the problems, and optionally those that begin later. */
export const listEntries = many(
  'list_import_entries',
  entryColumns,
  (importId: number, problems: readonly string[], moved: boolean, limit: number) => sql`
    SELECT i.row, i.problem, i.other_row, i.other_session_id, i.started_at,
      coalesce(nullif(i.project_name, ''), i.project_id::text) AS project
    FROM session_import_rows i
    WHERE ${ofImport(importId)} AND (i.problem = ANY (${t.texts(problems)}) OR (${t.boolean(moved)} AND i.moved))
    ORDER BY i.row LIMIT ${t.integer(limit)}`,
);

const projectColumns = {
  project_id: t.bigint.orNull,
  project_name: t.text,
  sessions: t.bigint,
  seconds: t.bigint,
  started_at: t.timestamptz,
  ended_at: t.timestamptz,
};

export const listProjects = many(
  'list_import_projects',
  projectColumns,
  (importId: number, limit: number) => sql`
    SELECT i.target_id AS project_id, coalesce(p.name, i.project_name) AS project_name, count(*) AS sessions,
      ${total} AS seconds, min(i.started_at) AS started_at, max(i.ended_at) AS ended_at
    FROM session_import_rows i LEFT JOIN projects p ON p.id = i.target_id
    WHERE ${ofImport(importId)} AND i.problem IS NULL
    GROUP BY i.target_id, coalesce(p.name, i.project_name) ORDER BY seconds DESC, project_name LIMIT ${t.integer(limit)}`,
);

const sessionColumns = {
  row: t.integer,
  project_id: t.bigint.orNull,
  project_name: t.text,
  started_at: t.timestamptz,
  ended_at: t.timestamptz,
  seconds: t.bigint,
  tags: t.texts,
};

export const listSessions = many(
  'list_import_sessions',
  sessionColumns,
  (importId: number, limit: number) => sql`
    SELECT i.row, i.target_id AS project_id, coalesce(p.name, i.project_name) AS project_name, i.started_at, i.ended_at,
      ${seconds}::bigint AS seconds, i.tags
    FROM session_import_rows i LEFT JOIN projects p ON p.id = i.target_id
    WHERE ${ofImport(importId)} AND i.problem IS NULL ORDER BY i.started_at LIMIT ${t.integer(limit)}`,
);

type RowsOf<List extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number];
export type ImportEntry = RowsOf<typeof listEntries>;
export type ImportedProject = RowsOf<typeof listProjects>;
export type ImportedSession = RowsOf<typeof listSessions>;
