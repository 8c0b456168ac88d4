import type { Actor } from '../auth/identity.ts';

/** Timestamps as the interface writes them; the time zone of our connections is UTC. */
function isoText(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Whole seconds of a record `s`; of a running one those up to `now`. */
export function elapsedSeconds(now: string): string {
  return `CASE WHEN s.ended_at IS NULL
    THEN greatest(0, floor(extract(epoch FROM ${now}::timestamptz - s.started_at)))::integer
    ELSE s.duration_seconds END`;
}

/** The reader to `shownProjectName`: administrators see every project as it is. */
export function readerOf(actor: Pick<Actor, 'id' | 'role'>): number | null {
  return actor.role === 'admin' ? null : actor.id;
}

/** The name of a project `p` to a reader: to one who was taken off it, the name it had then. For administrators null. */
export function shownProjectName(readerId: string): string {
  return `coalesce((SELECT e.project_name FROM project_membership_ends e
    WHERE e.user_id = ${readerId} AND e.project_id = p.id), p.name)`;
}

/**
 * A study record as the interface shows it, written as JSON text by PostgreSQL: several times cheaper than rows that
 * are built into objects and back. Expects a row `s` of study_sessions and its project `p`.
 */
export function sessionJson(seconds = 's.duration_seconds', projectName = 'p.name'): string {
  return `concat('{"id":', s.id, ',"project_id":', s.project_id, ',"project_name":', to_json(${projectName}),
    ',"user_id":', s.user_id, ',"started_at":"', ${isoText('s.started_at')},
    '","ended_at":', coalesce('"' || ${isoText('s.ended_at')} || '"', 'null'),
    ',"duration_seconds":', ${seconds}, ',"hours":', trim_scale(round((${seconds}) / 3600.0, 2)),
    ',"note":', to_json(s.note), ',"source":"', s.source, '","time_zone":', to_json(s.time_zone),
    ',"auto_stopped":', s.auto_stopped::text, ',"created_at":"', ${isoText('s.created_at')},
    '","updated_at":"', ${isoText('s.updated_at')}, '"}')`;
}
