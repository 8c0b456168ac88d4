import { type Executor, sql } from '../../db/database.ts';
import type { NewPassword } from '../auth/passwords.ts';
import type { ListUsersQuery, User } from './user-schemas.ts';

/** What an administrator may write. */
export type UserFields = Pick<User, 'username' | 'email' | 'display_name' | 'role' | 'status' | 'timezone'>;

// Never the hash: nothing that leaves here could show it.
const columns = `u.id, u.username, u.email, u.display_name, u.role, u.status, u.timezone, u.created_at, u.updated_at,
  u.last_login_at, u.password_expires_at IS NOT NULL AS must_change_password, u.totp_enabled`;

const findUser = sql(`SELECT ${columns} FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`);

// Total and page from one snapshot; a page past the end is one row without a user.
const listUsers = sql(`
  WITH found AS MATERIALIZED (
    SELECT u.id FROM users u
    WHERE u.deleted_at IS NULL AND ($1 = 'all' OR u.status = $1) AND ($2 = 'all' OR u.role = $2)
      AND (strpos(lower(u.username), lower($3)) > 0 OR strpos(lower(u.email), lower($3)) > 0
        OR strpos(lower(u.display_name), lower($3)) > 0)),
  page AS (SELECT f.id FROM found f ORDER BY f.id DESC LIMIT $4 OFFSET $5)
  SELECT (SELECT count(*) FROM found) AS total, ${columns}
  FROM (VALUES (1)) AS always LEFT JOIN (page p JOIN users u ON u.id = p.id) ON true
  ORDER BY u.id DESC`);

const findTaken = sql(`
  SELECT lower(u.username) = lower($1) AS username, coalesce(lower(u.email) = lower($2), false) AS email FROM users u
  WHERE (lower(u.username) = lower($1) OR lower(u.email) = lower($2)) AND u.id <> $3`);

const insertUser = sql(`
  WITH u AS (
    INSERT INTO users (username, email, display_name, role, status, timezone, password_hash, password_expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *)
  SELECT ${columns} FROM u`);

// Not FOR UPDATE: foreign keys that point here must not wait, or they and a deletion would wait for each other.
const lockUser = sql(`
  SELECT ${columns} FROM users u
  WHERE u.deleted_at IS NULL AND (u.id = $1 OR ($2 AND u.role = 'admin' AND u.status = 'active'))
  ORDER BY u.id FOR NO KEY UPDATE`);

const findAdmin = sql(`SELECT u.id FROM users u WHERE u.role = 'admin' LIMIT 1`);
const lockFirstAdmin = sql(`SELECT pg_advisory_xact_lock(hashtext('first administrator'))`);

const updateUser = sql(`
  UPDATE users u SET username = $2, email = $3, display_name = $4, role = $5, status = $6, timezone = $7,
    updated_at = greatest(now(), u.updated_at)
  WHERE u.id = $1 RETURNING ${columns}`);

type Row = User & { total: number };

export function createUserRepository(db: Executor) {
  return {
    async find(id: number): Promise<User | undefined> {
      const [user] = await db.rows<User>(findUser, [id]);
      return user;
    },

    /** One page, newest first. */
    async list({ status, role, search, page, limit }: ListUsersQuery): Promise<{ users: User[]; total: number }> {
      const rows = await db.rows<Row>(listUsers, [status, role, search, limit, (page - 1) * limit]);
      const users = rows.filter((row) => row.id !== null).map(({ total: _, ...user }) => user);
      return { users, total: rows[0]?.total ?? 0 };
    },

    /** Which of the two names another account has. */
    async findTaken({ username, email }: Pick<UserFields, 'username' | 'email'>, exceptId = 0) {
      const rows = await db.rows<{ username: boolean; email: boolean }>(findTaken, [username, email, exceptId]);
      return { username: rows.some((row) => row.username), email: rows.some((row) => row.email) };
    },

    async insert(fields: UserFields, password: NewPassword): Promise<User> {
      const values = [...valuesOf(fields), password.hash, password.expires_at];
      const [user] = await db.rows<User>(insertUser, values);
      if (user === undefined) throw new Error('an insert returns its row');
      return user;
    },

    /**
     * The user, locked until the transaction ends; with `amongAdmins` also every active administrator, because the rule
     * that one must remain is about all of them. `otherAdmins`: how many there are besides.
     */
    async lock(id: number, amongAdmins: boolean): Promise<{ user: User | undefined; otherAdmins: number }> {
      const rows = await db.rows<User>(lockUser, [id, amongAdmins]);
      const user = rows.find((row) => row.id === id);
      return { user, otherAdmins: rows.length - (user === undefined ? 0 : 1) };
    },

    async hasAdmin(): Promise<boolean> {
      return (await db.rows(findAdmin)).length > 0;
    },

    /** Until the transaction ends, no other process makes a first administrator. */
    async lockFirstAdmin(): Promise<void> {
      await db.rows(lockFirstAdmin);
    },

    async update(id: number, fields: UserFields): Promise<User> {
      const [user] = await db.rows<User>(updateUser, [id, ...valuesOf(fields)]);
      if (user === undefined) throw new Error(`user ${id} vanished while it was locked`);
      return user;
    },
  };
}

function valuesOf({ username, email, display_name, role, status, timezone }: UserFields): string[] {
  return [username, email, display_name, role, status, timezone];
}
