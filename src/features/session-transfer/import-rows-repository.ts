import { type Executor, sql } from '../../db/database.ts';
import type { MessageKey } from '../../messages/index.ts';
import type { Actor } from '../auth/identity.ts';
import type { Draft } from './import-format.ts';
import { rowProblem } from './import-row-problem.ts';

const findZone = sql('SELECT known_time_zone($1) AS name');

// Where the end and the length differ by just an hour, the clocks were changed in between: then the length is right.
const stage = sql(`
  WITH running AS (
    UPDATE session_imports SET rows = $12, renewed_at = $13 WHERE id = $1 AND state = 'checking' RETURNING id),
  added AS (
    INSERT INTO session_import_rows
      (import_id, row, project_id, project_name, started_at, ended_at, note, source, time_zone, auto_stopped)
    SELECT r.id, d.row, d.project_id, d.project_name, d.started::timestamptz,
      CASE WHEN d.ended IS NULL
        OR abs(extract(epoch FROM d.ended::timestamptz - d.started::timestamptz) - d.seconds) = 3600
        THEN d.started::timestamptz + make_interval(secs => d.seconds) ELSE d.ended::timestamptz END,
      d.note, d.source, d.time_zone, d.auto_stopped
    FROM running r CROSS JOIN unnest($2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[],
      $8::text[], $9::text[], $10::text[], $11::boolean[])
      AS d (row, project_id, project_name, started, ended, seconds, note, source, time_zone, auto_stopped))
  SELECT id FROM running`);

// The planner knows nothing about rows that were just added, and would compare each with each.
const analyse = sql('ANALYZE session_import_rows');

// By id, or else by name, among the projects the reader sees.
const findProjects = sql(`
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT i.project_id, i.project_name FROM session_import_rows i WHERE i.import_id = $3),
  visible AS NOT MATERIALIZED (
    SELECT p.id, p.user_id, p.name FROM projects p WHERE $2::boolean AND p.deleted_at IS NULL
    UNION ALL
    SELECT p.id, p.user_id, p.name FROM projects p WHERE NOT $2 AND p.user_id = $1 AND p.deleted_at IS NULL
    UNION ALL
    SELECT p.id, p.user_id, p.name FROM project_assignments a JOIN projects p ON p.id = a.project_id
    WHERE NOT $2 AND a.user_id = $1 AND a.owner_id <> $1 AND p.deleted_at IS NULL),
  named AS (
    SELECT v.name, min(v.id) AS id, min(v.user_id) AS user_id, count(*) AS number
    FROM visible v WHERE v.name IN (SELECT w.project_name FROM wanted w) GROUP BY v.name)
  UPDATE session_import_rows i SET
    target_id = coalesce(v.id, CASE WHEN n.number = 1 THEN n.id END),
    owner_id = coalesce(v.user_id, n.user_id),
    problem = CASE WHEN v.id IS NOT NULL OR n.number = 1 THEN NULL
      WHEN n.number > 1 THEN 'import_project_ambiguous' ELSE 'import_project_unknown' END
  FROM wanted w LEFT JOIN visible v ON v.id = w.project_id LEFT JOIN named n ON n.name = w.project_name
  WHERE i.import_id = $3 AND i.project_id = w.project_id AND i.project_name = w.project_name`);

const judgeRows = sql(`
  UPDATE session_import_rows i SET problem = j.problem
  FROM (
    SELECT r.row, ${rowProblem('$2', '$3')} AS problem
    FROM session_import_rows r JOIN projects p ON p.id = r.target_id
    WHERE r.import_id = $1 AND r.problem IS NULL) AS j
  WHERE i.import_id = $1 AND i.row = j.row AND j.problem IS NOT NULL`);

const judgeAmongRows = sql(`
  UPDATE session_import_rows i SET problem = j.problem
  FROM (
    SELECT f.row, CASE
      WHEN row_number() OVER (PARTITION BY f.target_id, f.started_at, f.ended_at ORDER BY f.row) > 1
        THEN 'import_duplicate'
      WHEN f.started_at < max(f.ended_at) OVER (
        ORDER BY f.started_at, f.row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 'import_overlap'
      END AS problem
    FROM session_import_rows f WHERE f.import_id = $1 AND f.problem IS NULL) AS j
  WHERE i.import_id = $1 AND i.row = j.row AND j.problem IS NOT NULL`);

const summarise = sql(`
  SELECT count(*) FILTER (WHERE i.problem IS NULL) AS valid,
    count(*) FILTER (WHERE i.problem = 'import_duplicate') AS duplicates,
    count(*) FILTER (WHERE i.problem = 'import_overlap') AS overlaps
  FROM session_import_rows i WHERE i.import_id = $1`);

const listProblems = sql(`
  SELECT i.row, i.problem FROM session_import_rows i
  WHERE i.import_id = $1 AND i.problem <> 'import_duplicate' ORDER BY i.row LIMIT $2`);

export type ImportSummary = { valid: number; duplicates: number; overlaps: number };
export type NumberedDraft = Draft & { row: number };
export type RowProblem = { row: number; problem: MessageKey };

/** The rows of one file while they are read and judged, set by set. Nothing else is locked. */
export function createImportRowsRepository(db: Executor, importId: number) {
  return {
    /** Whether this server knows a time zone: its list may differ from the one of the runtime. */
    async knowsZone(name: string): Promise<boolean> {
      const [zone] = await db.rows<{ name: string | null }>(findZone, [name]);
      return zone?.name != null;
    },
    /** Stores rows; `read` of the file have been read so far. False when the import is not being checked any more. */
    async stage(drafts: readonly NumberedDraft[], read: number, now: Date): Promise<boolean> {
      const column = <K extends keyof NumberedDraft>(name: K) => drafts.map((draft) => draft[name]);
      const running = await db.rows(stage, [
        importId,
        column('row'),
        column('project_id').map((id) => id ?? 0),
        column('project_name'),
        column('started'),
        column('ended'),
        column('seconds'),
        column('note'),
        column('source'),
        column('time_zone'),
        column('auto_stopped').map(String),
        read,
        now,
      ]);
      return running.length > 0;
    },
    async analyse(): Promise<void> {
      await db.rows(analyse);
    },
    async judge(actor: Actor, now: Date): Promise<ImportSummary> {
      await db.rows(findProjects, [actor.id, actor.role === 'admin', importId]);
      await db.rows(judgeRows, [importId, actor.id, now]);
      await db.rows(judgeAmongRows, [importId]);
      const [summary] = await db.rows<ImportSummary>(summarise, [importId]);
      if (summary === undefined) throw new Error('a count always has a row');
      return summary;
    },
    /** What is wrong, by row; duplicates are no problem. */
    listProblems: (limit: number) => db.rows<RowProblem>(listProblems, [importId, limit]),
  };
}
