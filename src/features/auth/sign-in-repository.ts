import { type Executor, sql } from '../../db/database.ts';
import type { NewPassword } from './passwords.ts';

export type Credentials = { id: number; password_hash: string | null };
export type OwnCredentials = Credentials & { username: string; email: string };
/** What a name stands for: the key that failures are counted by, and the account, if it is one. */
export type NamedAccount = { key: string; account: Credentials | undefined };
/** Whose tokens are issued, and when the sign-in expires. */
export type Rotation = { user_id: number; sign_in_id: string; expires_at: string };
/** Where a sign-in is used from. */
export type Client = { address: string; device: string };
type Period = { now: Date; expires: Date };
/** A refresh token that cannot be rotated (any more): when it was used, and whether its sign-in still stands. */
export type SpentToken = Rotation & { used_at: string | null; alive: boolean; has_unused_successor: boolean };

// The one way in which names are compared: by the database, and of what was typed only ASCII letters change case, as no
// account has others. Unknown names are counted under a hash, because people type their password into the wrong field.
const folded = 'lower($1::text COLLATE "C") COLLATE "default"';
// A name has no @ and an address has one, so the two cannot be taken for each other.
const findByName = sql(`
  SELECT coalesce('user ' || u.id, 'name ' || encode(sha256(convert_to(${folded}, 'UTF8')), 'base64')) AS key,
    u.id, u.password_hash
  FROM (VALUES (1)) AS always
  LEFT JOIN users u ON u.deleted_at IS NULL AND (lower(u.username) = ${folded} OR lower(u.email) = ${folded})`);
const findById = sql(`
  SELECT u.id, u.password_hash, u.username, u.email FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`);

// Only while the password that was verified is still the account's, so that a new password leaves no old sign-in behind.
// A one-time password that has expired is a wrong one.
const insertSignIn = sql(`
  WITH who AS (
    UPDATE users SET last_login_at = $3
    WHERE id = $1 AND password_hash = $2 AND status = 'active' AND (password_expires_at IS NULL OR password_expires_at > $3)
    RETURNING id),
  signed_in AS (
    INSERT INTO sign_ins (user_id, created_at, expires_at, address, device) SELECT w.id, $3, $4, $6, $7 FROM who w
    RETURNING *),
  token AS (
    INSERT INTO refresh_tokens (token_hash, sign_in_id, created_at, expires_at) SELECT $5, s.id, $3, $4 FROM signed_in s)
  SELECT s.user_id, s.id AS sign_in_id, s.expires_at FROM signed_in s`);

// The sign-in is locked before the token, as everywhere. Of two that present the token at once, the second waits there
// and then finds it used.
const rotateToken = sql(`
  WITH family AS (
    UPDATE sign_ins s SET expires_at = least($4, s.created_at + $7 * interval '1 second'), last_used_at = $3,
      address = $5, device = $6
    FROM refresh_tokens r, users u
    WHERE r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > $3
      AND s.id = r.sign_in_id AND s.revoked_at IS NULL AND s.created_at + $7 * interval '1 second' > $3
      AND u.id = s.user_id AND u.status = 'active'
    RETURNING s.id, s.user_id, s.expires_at),
  used AS (
    UPDATE refresh_tokens r SET used_at = $3 FROM family f WHERE r.token_hash = $1 AND r.used_at IS NULL RETURNING f.*),
  successor AS (
    INSERT INTO refresh_tokens (token_hash, sign_in_id, created_at, expires_at) SELECT $2, u.id, $3, u.expires_at
    FROM used u)
  SELECT u.user_id, u.id AS sign_in_id, u.expires_at FROM used u`);

const findSpent = sql(`
  SELECT s.user_id, s.id AS sign_in_id, s.expires_at, r.used_at,
    s.revoked_at IS NULL AND s.expires_at > $3 AND u.status = 'active' AS alive,
    EXISTS (SELECT FROM refresh_tokens n WHERE n.token_hash = $2 AND n.used_at IS NULL) AS has_unused_successor
  FROM refresh_tokens r JOIN sign_ins s ON s.id = r.sign_in_id JOIN users u ON u.id = s.user_id
  WHERE r.token_hash = $1`);

const setPassword = sql(`
  UPDATE users SET password_hash = $2, password_expires_at = $3, updated_at = now()
  WHERE id = $1 AND deleted_at IS NULL
    AND ($4::text IS NULL OR (password_hash = $4 AND (password_expires_at IS NULL OR password_expires_at > $5)))
  RETURNING id`);

const revoke = sql('UPDATE sign_ins SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL');
const revokeOfUser = sql(`
  UPDATE sign_ins SET revoked_at = $3 WHERE user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id <> $2)`);
const deleteOfUser = sql('DELETE FROM sign_ins WHERE user_id = $1');
const deleteExpired = sql('DELETE FROM sign_ins WHERE expires_at <= $1');
const deleteExpiredTokens = sql('DELETE FROM refresh_tokens WHERE expires_at <= $1');

export function createSignInRepository(db: Executor) {
  return {
    async findByName(name: string): Promise<NamedAccount> {
      const [found] = await db.rows<{ key: string; id: number | null; password_hash: string | null }>(findByName, [
        name,
      ]);
      if (found === undefined) throw new Error('an outer join returns a row');
      const { key, id, password_hash } = found;
      return { key, account: id === null ? undefined : { id, password_hash } };
    },
    async findById(userId: number): Promise<OwnCredentials | undefined> {
      const [found] = await db.rows<OwnCredentials>(findById, [userId]);
      return found;
    },
    /** The new sign-in; undefined when the account changed since its password was verified. */
    async insert(account: Credentials, tokenHash: Buffer, { now, expires }: Period, { address, device }: Client) {
      const values = [account.id, account.password_hash, now, expires, tokenHash, address, device];
      const [row] = await db.rows<Rotation>(insertSignIn, values);
      return row;
    },
    /** Uses a token and stores its successor; undefined when it cannot be used. `longest`: seconds a sign-in lasts at most. */
    async rotate(token: { used: Buffer; successor: Buffer }, { now, expires }: Period, longest: number, from: Client) {
      const values = [token.used, token.successor, now, expires, from.address, from.device, longest];
      const [row] = await db.rows<Rotation>(rotateToken, values);
      return row;
    },
    async findSpent(token: Buffer, successor: Buffer, now: Date): Promise<SpentToken | undefined> {
      const [row] = await db.rows<SpentToken>(findSpent, [token, successor, now]);
      return row;
    },
    /** Sets the password, if `verified` is given only while that is the present one and valid; returns whether it was set. */
    async setPassword(userId: number, next: NewPassword, verified: string | null, now: Date): Promise<boolean> {
      return (await db.rows(setPassword, [userId, next.hash, next.expires_at, verified, now])).length > 0;
    },
    async revoke(id: string, now: Date): Promise<void> {
      await db.rows(revoke, [id, now]);
    },
    /** Ends the sign-ins of a user, but for the excepted one. */
    async revokeOfUser(userId: number, except: string | null, now: Date): Promise<void> {
      await db.rows(revokeOfUser, [userId, except, now]);
    },
    async deleteOfUser(userId: number): Promise<void> {
      await db.rows(deleteOfUser, [userId]);
    },
    async deleteExpired(now: Date): Promise<void> {
      await db.rows(deleteExpired, [now]);
      await db.rows(deleteExpiredTokens, [now]);
    },
  };
}
