import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { one, values } from '../../../db/statements.ts';
import { endPendingLinks } from '../passwords/pending-link-repository.ts';
import { shareNames } from '../users/user-repository.ts';

// Locks groups in id order before removing the member.
/** The steps of removing a user, in lock order. */
export const leaveGroups = values('leave_groups', { group_id: t.bigint }, (id: number) => {
  const userId = t.bigint(id);
  return sql`
    WITH locked AS MATERIALIZED (
      SELECT g.id FROM groups g WHERE g.id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId})
      ORDER BY g.id FOR NO KEY UPDATE)
    DELETE FROM group_members m USING locked WHERE m.group_id = locked.id AND m.user_id = ${userId}
    RETURNING m.group_id`;
});

const anonymiseStatement = one(
  'anonymise_user',
  { deleted_at: t.timestamptz },
  (userId: number) => sql`
    UPDATE users SET username = 'deleted-' || id, email = NULL, password_hash = NULL, password_expires_at = NULL,
      display_name = 'Deleted user', role = 'user', admin_scope = 'all', status = 'inactive', timezone = 'UTC', timezone_chosen = false,
      locale = NULL, week_start = 1, day_start_hour = 0, rest_weekdays = '{}', daily_goal_minutes = NULL,
      weekly_goal_minutes = NULL,
      streak_reminder_hour = NULL, weekly_mail = false, new_request_mail = false, last_login_at = NULL, last_used_at = NULL, totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0, deleted_at = now(),
      updated_at = now()
    WHERE id = ${t.bigint(userId)} RETURNING deleted_at`,
);
/** The row remains without personal data, because sessions and projects refer to it. */
export async function anonymise(db: Executor, userId: number): Promise<string> {
  await endPendingLinks(db, userId);
  // Without the key in its row, an archive is unreadable; a job deletes the files.
  await db.table('personal_exports', 'delete_exports_of_user').where({ user_id: userId }).delete();
  await db.table('reminders', 'delete_reminders_of_user').where({ user_id: userId }).delete();
  await db.table('channels', 'delete_channel_of_user').where({ user_id: userId }).delete();
  await db.table('tags', 'delete_tags_of_user').where({ user_id: userId }).delete();
  await db.table('admin_groups', 'delete_admin_groups_of_user').where({ user_id: userId }).delete();
  await shareNames(db);
  return (await anonymiseStatement(db, userId)).deleted_at;
}
