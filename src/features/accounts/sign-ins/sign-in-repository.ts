import { actingRoles } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne } from '../../../db/statements.ts';
import { isOpen } from '../../../transactions/rights.ts';
import { actingRole } from '../../../transactions/scope-sql.ts';
import { excessBatch } from './ended-sign-in-repository.ts';

/** Of an account: with a further one, the oldest ends. */
export const maxOpen = 200;
/** Of a sign-in, to notice that a stolen one is used again. */
const maxUsedTokens = 100;

export type Client = { address: string; device: string };
type Period = { now: Date; expires: Date };

/** Where the refresh token is stored: by the client, or in a cookie for the browser session or longer. */
const tokenStorages = ['client', 'session_cookie', 'persistent_cookie'] as const;
export type TokenStorage = (typeof tokenStorages)[number];
/** How a refresh token is sent. A token issued for a cookie is valid only in a cookie, and vice versa. */
export type Carrier = 'client' | 'cookie';
const carriedBy = (carrier: Carrier) => sql`(s.token_storage = 'client') = ${t.boolean(carrier === 'client')}`;

const issued = {
  user_id: t.bigint,
  sign_in_id: t.uuid,
  expires_at: t.timestamptz,
  token_storage: t.oneOf(tokenStorages),
};
export type IssuedSignIn = RowOf<typeof issued>;

/** What proved the account: its password, or the identity provider. */
export type Proof = { password_hash: string | null } | 'identity_provider';

// Only if the verified password is still current, so that no sign-in survives a new password. An expired one-time
// password counts as wrong. One through the identity provider ends a one-time password, which somebody else knows.
export const insert = maybeOne(
  'insert_sign_in',
  issued,
  (
    userId: number,
    proof: Proof,
    tokenHash: Buffer,
    { now, expires }: Period,
    { address, device }: Client,
    storage: TokenStorage,
  ) => {
    const [createdAt, expiresAt] = [t.timestamptz(now), t.timestamptz(expires)];
    const verified =
      proof === 'identity_provider'
        ? sql`SET last_login_at = ${createdAt}, password_expires_at = NULL,
            password_hash = CASE WHEN password_expires_at IS NULL THEN password_hash END
          WHERE id = ${t.bigint(userId)} AND status = 'active'`
        : sql`SET last_login_at = ${createdAt}
          WHERE id = ${t.bigint(userId)} AND password_hash = ${t.text(proof.password_hash)} AND status = 'active'
            AND (password_expires_at IS NULL OR password_expires_at > ${createdAt})`;
    return sql`
      WITH account AS (UPDATE users ${verified} RETURNING id, sign_in_generation),
      signed_in AS (
        INSERT INTO sign_ins (user_id, created_at, expires_at, address, device, token_storage, generation)
        SELECT a.id, ${createdAt}, ${expiresAt}, ${t.text(address)}, ${t.text(device)}, ${t.text(storage)},
          a.sign_in_generation
        FROM account a
        RETURNING *),
      excess AS (
        DELETE FROM sign_ins s WHERE s.id IN (
          SELECT s.id FROM account a JOIN sign_ins s ON s.user_id = a.id
          WHERE NOT EXISTS (SELECT FROM personal_tokens p WHERE p.sign_in_id = s.id)
          ORDER BY (s.revoked_at IS NULL AND s.generation = a.sign_in_generation) DESC, s.created_at DESC, s.id
          LIMIT ${t.integer(excessBatch)} OFFSET ${t.integer(maxOpen - 1)})),
      token AS (
        INSERT INTO refresh_tokens (token_hash, sign_in_id, created_at, expires_at)
        SELECT ${t.bytea(tokenHash)}, s.id, ${createdAt}, ${expiresAt} FROM signed_in s)
      SELECT s.user_id, s.id AS sign_in_id, s.expires_at, s.token_storage FROM signed_in s`;
  },
);

// Lock order: the sign-in before the token. Of two requests with one token, the second waits and finds it used.
export const rotate = maybeOne(
  'rotate_refresh_token',
  issued,
  (
    token: { used: Buffer; successor: Buffer },
    carrier: Carrier,
    period: Period,
    maxSeconds: number,
    client: Client,
  ) => {
    const [used, now] = [t.bytea(token.used), t.timestamptz(period.now)];
    const latestEnd = sql`s.created_at + ${t.integer(maxSeconds)} * interval '1 second'`;
    return sql`
      WITH family AS (
        UPDATE sign_ins s SET expires_at = least(${t.timestamptz(period.expires)}, ${latestEnd}), last_used_at = ${now},
          address = ${t.text(client.address)}, device = ${t.text(client.device)}
        FROM refresh_tokens r, users u
        WHERE r.token_hash = ${used} AND r.used_at IS NULL AND r.expires_at > ${now}
          AND s.id = r.sign_in_id AND ${carriedBy(carrier)} AND ${latestEnd} > ${now}
          AND u.id = s.user_id AND u.status = 'active' AND ${isOpen}
        RETURNING s.id, s.user_id, s.expires_at, s.token_storage),
      used AS (
        UPDATE refresh_tokens r SET used_at = ${now} FROM family f
        WHERE r.token_hash = ${used} AND r.used_at IS NULL RETURNING f.*),
      forgotten AS (
        DELETE FROM refresh_tokens r WHERE r.token_hash IN (
          SELECT o.token_hash FROM family f JOIN refresh_tokens o ON o.sign_in_id = f.id
          WHERE o.used_at IS NOT NULL ORDER BY o.used_at DESC OFFSET ${t.integer(maxUsedTokens)})),
      successor AS (
        INSERT INTO refresh_tokens (token_hash, sign_in_id, created_at, expires_at)
        SELECT ${t.bytea(token.successor)}, u.id, ${now}, u.expires_at FROM used u)
      SELECT u.user_id, u.id AS sign_in_id, u.expires_at, u.token_storage FROM used u`;
  },
);

/** A token that cannot be rotated: when it was used, and whether its sign-in is still active. */
export const findRejectedToken = maybeOne(
  'find_rejected_refresh_token',
  { ...issued, used_at: t.timestamptz.orNull, is_active: t.boolean, unused_successor: t.bytea.orNull },
  (token: { used: Buffer; successors: readonly Buffer[] }, carrier: Carrier, now: Date) => sql`
    SELECT s.user_id, s.id AS sign_in_id, s.expires_at, s.token_storage, r.used_at,
      ${isOpen} AND s.expires_at > ${t.timestamptz(now)} AND u.status = 'active' AS is_active,
      (SELECT n.token_hash FROM unnest(${t.texts(token.successors.map((hash) => hash.toString('hex')))}) AS h (hex)
        JOIN refresh_tokens n ON n.token_hash = decode(h.hex, 'hex') WHERE n.used_at IS NULL) AS unused_successor
    FROM refresh_tokens r JOIN sign_ins s ON s.id = r.sign_in_id JOIN users u ON u.id = s.user_id
    WHERE r.token_hash = ${t.bytea(token.used)} AND ${carriedBy(carrier)}`,
);

/** The active sign-in of a cookie's token, used or not. */
export const findByCookieToken = maybeOne(
  'find_sign_in_of_cookie',
  { user_id: t.bigint, sign_in_id: t.uuid, role: t.oneOf(actingRoles) },
  (tokenHash: Buffer, now: Date) => sql`
    SELECT s.user_id, s.id AS sign_in_id, ${actingRole} AS role
    FROM refresh_tokens r JOIN sign_ins s ON s.id = r.sign_in_id JOIN users u ON u.id = s.user_id
    WHERE r.token_hash = ${t.bytea(tokenHash)} AND ${carriedBy('cookie')}
      AND ${isOpen} AND s.expires_at > ${t.timestamptz(now)} AND u.status = 'active'`,
);

const signInColumns = {
  id: t.uuid,
  device: t.text,
  address: t.text,
  created_at: t.timestamptz,
  last_used_at: t.timestamptz,
  expires_at: t.timestamptz,
};
export const listActive = many(
  'list_active_sign_ins',
  signInColumns,
  (userId: number, now: Date) => sql`
    SELECT s.id, s.device, s.address, s.created_at, coalesce(s.last_used_at, s.created_at) AS last_used_at, s.expires_at
    FROM sign_ins s JOIN users u ON u.id = s.user_id
    WHERE s.user_id = ${t.bigint(userId)} AND ${isOpen} AND s.expires_at > ${t.timestamptz(now)}
      AND NOT EXISTS (SELECT FROM personal_tokens p WHERE p.sign_in_id = s.id)
    ORDER BY coalesce(s.last_used_at, s.created_at) DESC, s.id LIMIT ${t.integer(maxOpen)}`,
);

export const startedSince = async (db: Executor, id: string, since: Date) =>
  (await db.table('sign_ins', 'find_recent_sign_in').where({ id }).where('created_at', '>', since).first('id')) !==
  undefined;

export type SignInRow = RowOf<typeof signInColumns>;
