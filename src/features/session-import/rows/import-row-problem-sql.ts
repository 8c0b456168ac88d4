import { type Parameter, type Sql, sql, t } from '../../../db/sql/sql.ts';
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

const seconds = (count: number): Sql => sql`${t.interval(`${count} seconds`)}`;

/**
 * SQL: the problem of a staged row `r` on its project `p`, or NULL. Checks the file, and each chunk again before it
 * is written. Sessions of a user never overlap, so only the last one that starts before a row ends can overlap it.
 */
export const rowProblem = (userId: Parameter, now: Parameter): Sql => sql`CASE
    WHEN p.deleted_at IS NOT NULL THEN 'import_project_unknown'
    WHEN r.started_at < '2000-01-01Z' THEN 'session_too_early'
    WHEN r.ended_at > ${now} + ${seconds(aheadSeconds)} THEN 'session_in_future'
    WHEN r.ended_at - r.started_at < ${seconds(minSessionSeconds)} THEN 'session_too_short'
    WHEN r.ended_at - r.started_at > ${seconds(maxSessionSeconds)} THEN 'session_too_long'
    WHEN p.status <> 'active' AND NOT project_was_active(p.id, r.started_at) THEN 'project_not_active'
    WHEN EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = ${userId} AND s.project_id = r.target_id
        AND s.started_at = r.started_at AND s.ended_at = r.ended_at) THEN 'import_duplicate'
    WHEN (SELECT s.ended_at IS NULL OR s.ended_at > r.started_at FROM study_sessions s
      WHERE s.user_id = ${userId} AND s.started_at < r.ended_at ORDER BY s.started_at DESC LIMIT 1) THEN 'import_overlap'
    END`;
