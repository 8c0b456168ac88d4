import type { Executor } from '../../db/database.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { endPendingLinks, shareNames } from '../users/user-sql.ts';

// Locks groups in id order before removing the member.
const leaveGroups = query('leave_groups', { group_id: t.bigint }, (id: number) => {
  const userId = t.bigint(id);
  return sql`
    WITH locked AS MATERIALIZED (
      SELECT g.id FROM groups g WHERE g.id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId})
      ORDER BY g.id FOR NO KEY UPDATE)
    DELETE FROM group_members m USING locked WHERE m.group_id = locked.id AND m.user_id = ${userId}
    RETURNING m.group_id`;
});

// Assigned projects and the project of the running timer, in id order.
const lockProjects = command('lock_projects_of_user', (id: number) => {
  const userId = t.bigint(id);
  return sql`
    SELECT p.id FROM projects p
    WHERE p.id IN (
      SELECT a.project_id FROM project_assignments a WHERE a.user_id = ${userId}
      UNION ALL SELECT s.project_id FROM study_sessions s WHERE s.user_id = ${userId} AND s.ended_at IS NULL)
    ORDER BY p.id FOR NO KEY UPDATE`;
});

// Both parts see the table before the deletion.
const unassign = query(
  'unassign_user',
  { project_id: t.bigint, user_id: t.bigint, owner_id: t.bigint, assigned_user_ids: t.bigints },
  (userId: number) => sql`
    WITH removed AS (
      DELETE FROM project_assignments WHERE user_id = ${t.bigint(userId)} RETURNING project_id, user_id, owner_id)
    SELECT r.project_id, r.user_id, r.owner_id,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = r.project_id) AS assigned_user_ids
    FROM removed r`,
);

const anonymise = query(
  'anonymise_user',
  { deleted_at: t.timestamptz },
  (userId: number) => sql`
    UPDATE users SET username = 'deleted-' || id, email = NULL, password_hash = NULL, password_expires_at = NULL,
      display_name = 'Deleted user', role = 'user', status = 'inactive', timezone = 'UTC', timezone_chosen = false,
      locale = NULL, week_start = 1, day_start_hour = 0, rest_weekdays = '{}', daily_goal_minutes = NULL,
      streak_reminder_hour = NULL, weekly_mail = false, last_login_at = NULL, last_used_at = NULL, totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0, deleted_at = now(),
      updated_at = now()
    WHERE id = ${t.bigint(userId)} RETURNING deleted_at`,
);

/** The steps of removing a user, in lock order. */
export function createUserRemovalRepository(db: Executor) {
  return {
    leaveGroups: async (userId: number) => (await db.many(leaveGroups(userId))).map((row) => row.group_id),
    lockProjects: (userId: number) => db.execute(lockProjects(userId)),
    /** The removed pairs, and all users who were assigned to these projects. */
    unassign: (userId: number) => db.many(unassign(userId)),
    /** The row remains without personal data, because sessions and projects refer to it. */
    async anonymise(userId: number): Promise<string> {
      await db.execute(endPendingLinks(userId));
      // Without the key in its row, an archive is unreadable; a job deletes the files.
      await db.table('personal_exports', 'delete_exports_of_user').where({ user_id: userId }).delete();
      await db.table('reminders', 'delete_reminders_of_user').where({ user_id: userId }).delete();
      await db.execute(shareNames());
      return (await db.one(anonymise(userId))).deleted_at;
    },
  };
}
