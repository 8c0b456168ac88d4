/** A timestamp as the interface writes it; the session's time zone is UTC. */
export const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/**
 * A project as the interface shows it, written as JSON text by PostgreSQL: several times cheaper than rows that are
 * built into objects and back. Expects a row `p` of projects, beside the join below.
 */
export const projectJson = `
  concat('{"id":', p.id, ',"name":', to_json(p.name), ',"description":', to_json(p.description),
    ',"status":"', p.status, '","category":"', p.category,
    '","target_hours":', trim_scale(p.target_hours), ',"current_hours":', trim_scale(p.current_hours),
    ',"progress":', trim_scale(p.progress), ',"rating_standard":"', p.rating_standard, '"',
    CASE WHEN p.image IS NOT NULL THEN concat(',"image":', to_json(p.image)) END,
    ',"user_id":', p.user_id,
    ',"assigned_user_id":', coalesce(nullif(split_part(assigned.ids, ',', 1), ''), 'null'),
    ',"assigned_user_ids":[', assigned.ids,
    '],"created_at":"', to_char(p.created_at, '${isoFormat}'), '","updated_at":"', to_char(p.updated_at, '${isoFormat}'), '"')`;

/** The brace stays open above, so that a caller may add fields; this closes it. */
export const closeJson = `'}'`;

/** Joins the assigned users that the reader may know of: all for administrators and the owner, else at most the reader. */
export function joinAssigned(reader: string, isAdmin: string): string {
  return `
  CROSS JOIN LATERAL (
    SELECT string_agg(a.user_id::text, ',' ORDER BY a.position, a.id) AS ids
    FROM project_assignments a
    WHERE a.project_id = p.id AND (${isAdmin} OR p.user_id = ${reader} OR a.user_id = ${reader})
  ) AS assigned`;
}
