import { sql, t } from '../../../db/sql/sql.ts';
import { execute, many } from '../../../db/statements.ts';

/** Locks the assigned projects and the project of the running timer, in id order. */
export const lockProjects = execute('lock_projects_of_user', (id: number) => {
  const userId = t.bigint(id);
  return sql`
    SELECT p.id FROM projects p
    WHERE p.id IN (
      SELECT a.project_id FROM project_assignments a WHERE a.user_id = ${userId}
      UNION ALL SELECT s.project_id FROM study_sessions s WHERE s.user_id = ${userId} AND s.ended_at IS NULL)
    ORDER BY p.id FOR NO KEY UPDATE`;
});

/** The projects that the user left, and all users who were assigned to them. */
export const unassign = many(
  'unassign_user',
  { project_id: t.bigint, owner_id: t.bigint, user_ids: t.bigints, assigned_user_ids: t.bigints },
  // Both parts see the table before the deletion.
  (userId: number) => sql`
    WITH removed AS (
      DELETE FROM project_assignments WHERE user_id = ${t.bigint(userId)} RETURNING project_id, user_id, owner_id)
    SELECT r.project_id, r.owner_id, ARRAY[r.user_id] AS user_ids,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = r.project_id) AS assigned_user_ids
    FROM removed r`,
);
