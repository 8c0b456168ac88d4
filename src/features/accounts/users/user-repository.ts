import { roles, userStatuses } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { command } from '../../../db/sql/statement.ts';
import { execute, many, maybeOne, one, value } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';
import { actingRole } from '../../../transactions/scope-sql.ts';
import { adminScopes } from '../admin-scope/admin-scope.ts';
import * as scopes from '../admin-scope/admin-scope-repository.ts';
import type { NewPassword } from '../passwords/password-hasher.ts';
import { endPendingLinks } from '../passwords/pending-link-repository.ts';

// A transaction that creates many accounts locks many unique keys, and could deadlock with others that wait for one of them. It
// takes this lock exclusively; all others that write a username or an e-mail address share it.
export const lockNames = command('lock_account_names', () => sql`SELECT pg_advisory_xact_lock(7246108)`);
export const shareNames = execute('share_account_names', () => sql`SELECT pg_advisory_xact_lock_shared(7246108)`);

export function isMember(userId: Sql, groupId: number): Sql {
  return sql`${userId} IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ${t.bigint(groupId)})`;
}

// Without the hash, so that it cannot be returned by mistake.
export const userColumns = {
  id: t.bigint,
  username: t.text,
  email: t.text,
  display_name: t.text,
  role: t.oneOf(roles),
  status: t.oneOf(userStatuses),
  admin_scope: t.oneOf(adminScopes),
  admin_group_ids: t.bigints,
  timezone: t.text,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  last_login_at: t.timestamptz.orNull,
  must_change_password: t.boolean,
  has_password: t.boolean,
  identity_linked: t.boolean,
  totp_enabled: t.boolean,
  timezone_chosen: t.boolean,
  locale: t.oneOf(locales).orNull,
  week_start: t.integer,
  day_start_hour: t.integer,
  rest_weekdays: t.integers,
  daily_goal_minutes: t.integer.orNull,
  weekly_goal_minutes: t.integer.orNull,
  streak_reminder_hour: t.integer.orNull,
  weekly_mail: t.boolean,
  new_request_mail: t.boolean,
  row_version: t.bigint,
};
export type UserRow = RowOf<typeof userColumns>;
export type NewUser = Pick<
  UserRow,
  | 'username'
  | 'email'
  | 'display_name'
  | 'role'
  | 'status'
  | 'timezone'
  | 'timezone_chosen'
  | 'admin_scope'
  | 'admin_group_ids'
>;
export type UserFields = NewUser &
  Pick<UserRow, 'locale' | 'week_start' | 'day_start_hour' | 'rest_weekdays' | 'daily_goal_minutes'> &
  Pick<UserRow, 'weekly_goal_minutes' | 'streak_reminder_hour' | 'weekly_mail' | 'new_request_mail'>;

export const columns = sql`u.id, u.username, u.email, u.display_name, u.role, u.status, u.admin_scope,
  ARRAY(SELECT ag.group_id FROM admin_groups ag WHERE ag.user_id = u.id ORDER BY ag.group_id) AS admin_group_ids,
  u.timezone, u.created_at, u.updated_at,
  u.last_login_at, u.password_expires_at IS NOT NULL AS must_change_password, u.password_hash IS NOT NULL AS has_password,
  EXISTS (SELECT FROM sso_identities i WHERE i.user_id = u.id) AS identity_linked, u.totp_enabled, u.timezone_chosen, u.locale, u.week_start, u.day_start_hour, u.rest_weekdays, u.daily_goal_minutes,
  u.weekly_goal_minutes, u.streak_reminder_hour, u.weekly_mail, u.new_request_mail, u.row_version`;

/** So many administrators of the whole school are named to those who are limited to groups. */
export const maxNamedAdmins = 5;
export const listWholeSchoolAdmins = many(
  'list_whole_school_admins',
  { id: t.bigint, display_name: t.text },
  () => sql`
    SELECT u.id, u.display_name FROM users u
    WHERE u.role = 'admin' AND u.admin_scope = 'all' AND u.status = 'active' AND u.deleted_at IS NULL
    ORDER BY u.id LIMIT ${t.integer(maxNamedAdmins)}`,
);

export const find = maybeOne(
  'find_user',
  userColumns,
  (id: number) => sql`SELECT ${columns} FROM users u WHERE u.id = ${t.bigint(id)} AND u.deleted_at IS NULL`,
);

const findTakenStatement = many(
  'find_taken_names',
  { username: t.boolean, email: t.boolean },
  (names: Pick<UserFields, 'username' | 'email'>, exceptId: number) => {
    const [username, email] = [t.text(names.username), t.text(names.email)];
    return sql`
      SELECT lower(u.username) = lower(${username}) AS username, coalesce(lower(u.email) = lower(${email}), false) AS email
      FROM users u
      WHERE (lower(u.username) = lower(${username}) OR lower(u.email) = lower(${email})) AND u.id <> ${t.bigint(exceptId)}`;
  },
);

const insertUser = one(
  'insert_user',
  userColumns,
  (user: NewUser, { hash, expires_at }: NewPassword) => sql`
    WITH u AS (
      INSERT INTO users (username, email, display_name, role, status, admin_scope, timezone, timezone_chosen, password_hash,
        password_expires_at)
      VALUES (${t.text(user.username)}, ${t.text(user.email)}, ${t.text(user.display_name)}, ${t.text(user.role)},
        ${t.text(user.status)}, ${t.text(user.admin_scope)}, ${t.text(user.timezone)}, ${t.boolean(user.timezone_chosen)}, ${t.text(hash)},
        ${t.timestamptz(expires_at)})
      RETURNING *)
    SELECT ${columns} FROM u`,
);

// Not FOR UPDATE: foreign key checks would wait for it and could deadlock with a deletion.
const lockUser = many(
  'lock_user',
  userColumns,
  (id: number, amongAdmins: boolean) => sql`
    SELECT ${columns} FROM users u
    WHERE u.deleted_at IS NULL
      AND (u.id = ${t.bigint(id)} OR (${t.boolean(amongAdmins)} AND ${actingRole} = 'admin' AND u.status = 'active'))
    ORDER BY u.id FOR NO KEY UPDATE`,
);

export const hasAdmin = value(
  'has_admin',
  { has_admin: t.boolean },
  () => sql`SELECT EXISTS (SELECT FROM users u WHERE u.role = 'admin') AS has_admin`,
);
/** Serialises the creation of the first administrator until the transaction ends. */
export const lockFirstAdmin = execute(
  'lock_first_admin',
  () => sql`SELECT pg_advisory_xact_lock(hashtext('first administrator'))`,
);

const updateUser = one(
  'update_user',
  userColumns,
  (id: number, user: UserFields) => sql`
    UPDATE users u SET username = ${t.text(user.username)}, email = ${t.text(user.email)},
      display_name = ${t.text(user.display_name)}, role = ${t.text(user.role)}, status = ${t.text(user.status)},
      admin_scope = ${t.text(user.admin_scope)}, timezone = ${t.text(user.timezone)}, timezone_chosen = ${t.boolean(user.timezone_chosen)},
      locale = ${t.text(user.locale)}, week_start = ${t.integer(user.week_start)},
      day_start_hour = ${t.integer(user.day_start_hour)}, rest_weekdays = ${t.integers(user.rest_weekdays)},
      daily_goal_minutes = ${t.integer(user.daily_goal_minutes)},
      weekly_goal_minutes = ${t.integer(user.weekly_goal_minutes)},
      streak_reminder_hour = ${t.integer(user.streak_reminder_hour)}, weekly_mail = ${t.boolean(user.weekly_mail)},
      new_request_mail = ${t.boolean(user.new_request_mail)},
      updated_at = greatest(now(), u.updated_at)
    WHERE u.id = ${t.bigint(id)} RETURNING ${columns}`,
);
export async function findTaken(db: Executor, names: Pick<UserFields, 'username' | 'email'>, exceptId = 0) {
  const rows = await findTakenStatement(db, names, exceptId);
  return { username: rows.some((row) => row.username), email: rows.some((row) => row.email) };
}
export async function insert(db: Executor, fields: NewUser, password: NewPassword): Promise<UserRow> {
  await shareNames(db);
  const user = await insertUser(db, fields, password);
  if (fields.admin_group_ids.length === 0) return user;
  await scopes.setGroups(db, user.id, fields.admin_group_ids);
  return { ...user, admin_group_ids: fields.admin_group_ids };
}
/**
 * Locks the user; with `amongAdmins` also all active administrators of the whole school, because one must remain. `otherAdmins`: how
 * many.
 */
export async function lock(
  db: Executor,
  id: number,
  amongAdmins: boolean,
): Promise<{ user: UserRow | undefined; otherAdmins: number }> {
  const rows = await lockUser(db, id, amongAdmins);
  const user = rows.find((row) => row.id === id);
  return { user, otherAdmins: rows.length - (user === undefined ? 0 : 1) };
}
/** An activated account counts as used. */
export const noteActivation = async (db: Executor, id: number, now: Date) =>
  db.table('users', 'note_activation').where({ id }).update({ last_used_at: now });
export async function update(db: Executor, before: UserRow, fields: UserFields): Promise<UserRow> {
  if (fields.username !== before.username || fields.email !== before.email) await shareNames(db);
  if (String(fields.admin_group_ids) !== String(before.admin_group_ids))
    await scopes.setGroups(db, before.id, fields.admin_group_ids);
  const after = await updateUser(db, before.id, fields);
  if (after.email !== before.email || after.status !== before.status) await endPendingLinks(db, after.id);
  return after;
}
