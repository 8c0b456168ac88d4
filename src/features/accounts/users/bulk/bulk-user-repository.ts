import { roles, userStatuses } from '../../../../actor.ts';
import type { Executor } from '../../../../db/executor.ts';
import { sql, t } from '../../../../db/sql/sql.ts';
import { many } from '../../../../db/statements.ts';
import { adminScopes } from '../../admin-scope/admin-scope.ts';
import { lockNames as lockAccountNames } from '../user-repository.ts';

export type HashedUser = Names & {
  display_name: string;
  role: string;
  status: string;
  timezone: string;
  timezone_chosen: boolean;
  hash: string;
};
type Names = { username: string; email: string };

// In the order of the request: of two rows with the same name, the first is created.
export const insert = many(
  'insert_users',
  {
    id: t.bigint,
    username: t.text,
    email: t.text,
    display_name: t.text,
    role: t.oneOf(roles),
    status: t.oneOf(userStatuses),
    timezone: t.text,
    day_start_hour: t.integer,
    rest_weekdays: t.integers,
    totp_enabled: t.boolean,
    admin_scope: t.oneOf(adminScopes),
    admin_group_ids: t.bigints,
  },
  (users: readonly HashedUser[], expiresAt: Date) => {
    const column = (name: keyof HashedUser) => t.texts(users.map((user) => String(user[name])));
    return sql`
      INSERT INTO users (username, email, display_name, role, status, timezone, timezone_chosen, password_hash,
        password_expires_at)
      SELECT k.username, k.email, k.display_name, k.role, k.status, k.timezone, k.timezone_chosen::boolean, k.hash,
        ${t.timestamptz(expiresAt)}
      FROM unnest(${column('username')}, ${column('email')}, ${column('display_name')}, ${column('role')},
        ${column('status')}, ${column('timezone')}, ${column('timezone_chosen')}, ${column('hash')}) WITH ORDINALITY
        AS k (username, email, display_name, role, status, timezone, timezone_chosen, hash, position)
      ORDER BY k.position
      ON CONFLICT DO NOTHING
      RETURNING id, username, email, display_name, role, status, timezone, day_start_hour, rest_weekdays, totp_enabled, admin_scope,
        '{}'::bigint[] AS admin_group_ids`;
  },
);

/** For each user, which of their names are taken. */
export const findTaken = many(
  'find_taken_names_of_many',
  { username: t.boolean, email: t.boolean },
  (users: readonly Names[]) => {
    const [usernames, emails] = [t.texts(users.map((user) => user.username)), t.texts(users.map((user) => user.email))];
    return sql`
      SELECT EXISTS (SELECT FROM users u WHERE lower(u.username) = lower(k.username)) AS username,
        EXISTS (SELECT FROM users u WHERE lower(u.email) = lower(k.email)) AS email
      FROM unnest(${usernames}, ${emails}) WITH ORDINALITY AS k (username, email, position)
      ORDER BY k.position`;
  },
);

/** Blocks other writes of usernames and e-mail addresses until the transaction ends. */
export const lockNames = (db: Executor) => db.execute(lockAccountNames());
