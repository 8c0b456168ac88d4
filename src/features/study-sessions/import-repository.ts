import { type Executor, sql } from '../../db/database.ts';
import type { MessageKey } from '../../messages/index.ts';
import type { Actor } from '../auth/identity.ts';
import type { Draft } from './import-format.ts';
import { aheadSeconds, longestSeconds, shortestSeconds } from './session-times.ts';

const createTable = `
  CREATE TEMPORARY TABLE imported (
    row integer, project_id bigint, project_name text, started_at timestamptz(3), ended_at timestamptz(3), note text,
    source text, time_zone text, auto_stopped boolean, target_id bigint, owner_id bigint, problem text
  ) ON COMMIT DROP`;

const findZone = sql('SELECT known_time_zone($1) AS name');

// Where the end and the length differ by just an hour, the clocks were changed in between: then the length is right.
const load = sql(`
  INSERT INTO imported (row, project_id, project_name, started_at, ended_at, note, source, time_zone, auto_stopped)
  SELECT d.row, d.project_id, d.project_name, d.started::timestamptz,
    CASE WHEN d.ended IS NULL
      OR abs(extract(epoch FROM d.ended::timestamptz - d.started::timestamptz) - d.seconds) = 3600
      THEN d.started::timestamptz + make_interval(secs => d.seconds) ELSE d.ended::timestamptz END,
    d.note, d.source, d.time_zone, d.auto_stopped
  FROM unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[],
    $9::text[], $10::boolean[])
    AS d (row, project_id, project_name, started, ended, seconds, note, source, time_zone, auto_stopped)`);

// By id, or else by name, among the projects the reader sees.
const findProjects = sql(`
  WITH wanted AS MATERIALIZED (SELECT DISTINCT i.project_id, i.project_name FROM imported i),
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
  UPDATE imported i SET
    target_id = coalesce(v.id, CASE WHEN n.number = 1 THEN n.id END),
    owner_id = coalesce(v.user_id, n.user_id),
    problem = CASE WHEN v.id IS NOT NULL OR n.number = 1 THEN NULL
      WHEN n.number > 1 THEN 'import_project_ambiguous' ELSE 'import_project_unknown' END
  FROM wanted w LEFT JOIN visible v ON v.id = w.project_id LEFT JOIN named n ON n.name = w.project_name
  WHERE (i.project_id, i.project_name) IS NOT DISTINCT FROM (w.project_id, w.project_name)`);

const lockUser = sql('SELECT u.id FROM users u WHERE u.id = $1 FOR NO KEY UPDATE');
const lockProjects = sql(`
  SELECT p.id FROM projects p WHERE p.id IN (SELECT i.target_id FROM imported i) ORDER BY p.id FOR NO KEY UPDATE`);

// Records of one user never overlap, so the last one that starts before a row ends is the only one that can be in its way.
const judgeRows = sql(`
  UPDATE imported i SET problem = CASE
    WHEN p.deleted_at IS NOT NULL THEN 'import_project_unknown'
    WHEN i.started_at < '2000-01-01Z' THEN 'session_too_early'
    WHEN i.ended_at > $2::timestamptz + interval '${aheadSeconds} seconds' THEN 'session_in_future'
    WHEN i.ended_at - i.started_at < interval '${shortestSeconds} second' THEN 'session_too_short'
    WHEN i.ended_at - i.started_at > interval '${longestSeconds} seconds' THEN 'session_too_long'
    WHEN p.status <> 'active' AND NOT project_was_active(p.id, i.started_at) THEN 'project_not_active'
    WHEN EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = $1 AND s.project_id = i.target_id
        AND s.started_at = i.started_at AND s.ended_at = i.ended_at) THEN 'import_duplicate'
    WHEN (SELECT s.ended_at IS NULL OR s.ended_at > i.started_at FROM study_sessions s
      WHERE s.user_id = $1 AND s.started_at < i.ended_at ORDER BY s.started_at DESC LIMIT 1) THEN 'import_overlap'
    END
  FROM projects p WHERE p.id = i.target_id AND i.problem IS NULL`);

const judgeAmongRows = sql(`
  UPDATE imported i SET problem = j.problem
  FROM (
    SELECT f.row, CASE
      WHEN row_number() OVER (PARTITION BY f.target_id, f.started_at, f.ended_at ORDER BY f.row) > 1
        THEN 'import_duplicate'
      WHEN f.started_at < max(f.ended_at) OVER (
        ORDER BY f.started_at, f.row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 'import_overlap'
      END AS problem
    FROM imported f WHERE f.problem IS NULL) AS j
  WHERE j.row = i.row AND j.problem IS NOT NULL`);

const summarise = sql(`
  SELECT count(*) FILTER (WHERE i.problem IS NULL) AS valid,
    count(*) FILTER (WHERE i.problem = 'import_duplicate') AS duplicates,
    count(*) FILTER (WHERE i.problem = 'import_overlap') AS overlaps
  FROM imported i`);

const listProblems = sql(`
  SELECT i.row, i.problem FROM imported i WHERE i.problem <> 'import_duplicate' ORDER BY i.row LIMIT $1`);

// Some thousands at a time: a statement may last a few seconds only. Valid rows never start at the same moment.
const insertNext = sql(`
  WITH added AS (
    INSERT INTO study_sessions
      (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone, auto_stopped)
    SELECT i.target_id, i.owner_id, $1, i.started_at, i.ended_at, i.note, i.source, i.time_zone, i.auto_stopped
    FROM imported i WHERE i.problem IS NULL AND i.started_at > $2 ORDER BY i.started_at LIMIT 5000
    ON CONFLICT DO NOTHING RETURNING started_at)
  SELECT count(*) AS number, max(a.started_at) AS reached FROM added a`);

export type ImportSummary = { valid: number; duplicates: number; overlaps: number };
export type NumberedDraft = Draft & { row: number };

/** A table for the rows of one file, for as long as the transaction lasts, and what is asked of it: set by set. */
export function createImportRepository(tx: Executor) {
  return {
    async createTable(): Promise<void> {
      await tx.knex.raw(createTable);
    },
    /** Whether this server knows a time zone: its list may differ from the one of the runtime. */
    async knowsZone(name: string): Promise<boolean> {
      const [zone] = await tx.rows<{ name: string | null }>(findZone, [name]);
      return zone?.name != null;
    },
    async load(drafts: readonly NumberedDraft[]): Promise<void> {
      const column = <K extends keyof NumberedDraft>(name: K) => drafts.map((draft) => draft[name]);
      await tx.rows(load, [
        column('row'),
        column('project_id'),
        column('project_name'),
        column('started'),
        column('ended'),
        column('seconds'),
        column('note'),
        column('source'),
        column('time_zone'),
        column('auto_stopped').map(String),
      ]);
    },
    async findProjects(actor: Actor): Promise<void> {
      await tx.rows(findProjects, [actor.id, actor.role === 'admin']);
    },
    /** The author, then the projects: as everybody locks who writes records. */
    async lock(userId: number): Promise<void> {
      await tx.rows(lockUser, [userId]);
      await tx.rows(lockProjects);
    },
    async judge(userId: number, now: Date): Promise<ImportSummary> {
      await tx.rows(judgeRows, [userId, now]);
      await tx.rows(judgeAmongRows);
      const [summary] = await tx.rows<ImportSummary>(summarise);
      if (summary === undefined) throw new Error('a count always has a row');
      return summary;
    },
    /** What is wrong, by row; duplicates are no problem. */
    listProblems: (limit: number) => tx.rows<{ row: number; problem: MessageKey }>(listProblems, [limit]),
    /** Inserts what is valid, and says how many there were. */
    async insertAll(userId: number): Promise<number> {
      let inserted = 0;
      let reached: string | null = '-infinity';
      while (reached !== null) {
        const rows: { number: number; reached: string | null }[] = await tx.rows(insertNext, [userId, reached]);
        inserted += rows[0]?.number ?? 0;
        reached = rows[0]?.reached ?? null;
      }
      return inserted;
    },
  };
}
