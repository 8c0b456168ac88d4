import { aheadSeconds, longestSeconds, shortestSeconds } from '../study-sessions/session-times.ts';

/**
 * What is wrong with a staged row `r` on its project `p`, or NULL. The same expression checks a file and, once more, each
 * chunk that is written. Records of one user never overlap, so the last one that starts before a row ends is the only
 * one that can be in its way.
 */
export const rowProblem = (user: string, now: string) => `CASE
    WHEN p.deleted_at IS NOT NULL THEN 'import_project_unknown'
    WHEN r.started_at < '2000-01-01Z' THEN 'session_too_early'
    WHEN r.ended_at > ${now}::timestamptz + interval '${aheadSeconds} seconds' THEN 'session_in_future'
    WHEN r.ended_at - r.started_at < interval '${shortestSeconds} second' THEN 'session_too_short'
    WHEN r.ended_at - r.started_at > interval '${longestSeconds} seconds' THEN 'session_too_long'
    WHEN p.status <> 'active' AND NOT project_was_active(p.id, r.started_at) THEN 'project_not_active'
    WHEN EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = ${user} AND s.project_id = r.target_id
        AND s.started_at = r.started_at AND s.ended_at = r.ended_at) THEN 'import_duplicate'
    WHEN (SELECT s.ended_at IS NULL OR s.ended_at > r.started_at FROM study_sessions s
      WHERE s.user_id = ${user} AND s.started_at < r.ended_at ORDER BY s.started_at DESC LIMIT 1) THEN 'import_overlap'
    END`;
