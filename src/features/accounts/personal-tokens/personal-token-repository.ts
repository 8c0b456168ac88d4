import type { Executor } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne, one, value } from '../../../db/statements.ts';

const tokenColumns = {
  id: t.bigint,
  name: t.text,
  scopes: t.texts,
  created_at: t.timestamptz,
  expires_at: t.timestamptz,
  last_used_at: t.timestamptz.orNull,
};

export type PersonalTokenRow = RowOf<typeof tokenColumns>;
export type NewPersonalToken = {
  user_id: number;
  name: string;
  scopes: readonly string[];
  token_hash: Buffer;
  created_at: Date;
  expires_at: Date;
  client: { address: string; device: string };
};

const columns = sql`p.id, p.name, p.scopes, s.created_at, s.expires_at, s.last_used_at`;
const isActive = (now: Date) => sql`s.revoked_at IS NULL AND s.expires_at > ${t.timestamptz(now)}`;

/** Active tokens, and those created since, even if revoked. */
export const countRecent = value(
  'count_recent_personal_tokens',
  { count: t.bigint },
  (userId: number, now: Date, since: Date) => sql`
    SELECT count(*) AS count FROM personal_tokens p JOIN sign_ins s ON s.id = p.sign_in_id
    WHERE s.user_id = ${t.bigint(userId)} AND (${isActive(now)} OR s.created_at > ${t.timestamptz(since)})`,
);

export const insert = one('insert_personal_token', tokenColumns, (token: NewPersonalToken) => {
  const { user_id, name, scopes, token_hash, created_at, expires_at, client } = token;
  return sql`
    WITH s AS (
      INSERT INTO sign_ins (user_id, created_at, expires_at, address, device, generation)
      SELECT u.id, ${t.timestamptz(created_at)}, ${t.timestamptz(expires_at)}, ${t.text(client.address)},
        ${t.text(client.device)}, u.sign_in_generation
      FROM users u WHERE u.id = ${t.bigint(user_id)}
      RETURNING id, created_at, expires_at, last_used_at),
    p AS (
      INSERT INTO personal_tokens (sign_in_id, name, scopes, token_hash)
      SELECT s.id, ${t.text(name)}, ${t.texts(scopes)}, ${t.bytea(token_hash)} FROM s
      RETURNING id, name, scopes)
    SELECT ${columns} FROM s, p`;
});

// The use is recorded at most once a minute, whatever the number of processes and requests.
/** The owner of an active token; records its use. */
export const use = maybeOne(
  'use_personal_token',
  { user_id: t.bigint, sign_in_id: t.uuid, scopes: t.texts, expires_at: t.timestamptz },
  (tokenHash: Buffer, now: Date) => sql`
    WITH found AS (
      SELECT s.user_id, s.id AS sign_in_id, p.scopes, s.expires_at
      FROM personal_tokens p JOIN sign_ins s ON s.id = p.sign_in_id
      WHERE p.token_hash = ${t.bytea(tokenHash)} AND ${isActive(now)}),
    used AS (
      UPDATE sign_ins s SET last_used_at = ${t.timestamptz(now)} FROM found f
      WHERE s.id = f.sign_in_id AND (s.last_used_at IS NULL OR s.last_used_at <= ${t.timestamptz(now)} - interval '1 minute'))
    SELECT f.user_id, f.sign_in_id, f.scopes, f.expires_at FROM found f`,
);

export const listActive = many(
  'list_personal_tokens',
  tokenColumns,
  (userId: number, now: Date) => sql`
    SELECT ${columns} FROM personal_tokens p JOIN sign_ins s ON s.id = p.sign_in_id
    WHERE s.user_id = ${t.bigint(userId)} AND ${isActive(now)} AND p.scopes <> '{calendar}' ORDER BY p.id DESC`,
);

const revokedColumns = { id: t.bigint, user_id: t.bigint, name: t.text, scopes: t.texts };
export const revoke = many(
  'revoke_personal_token',
  revokedColumns,
  (id: number, userId: number, now: Date) => sql`
    UPDATE sign_ins s SET revoked_at = ${t.timestamptz(now)} FROM personal_tokens p
    WHERE p.id = ${t.bigint(id)} AND s.id = p.sign_in_id AND s.user_id = ${t.bigint(userId)} AND ${isActive(now)}
    RETURNING p.id, s.user_id, p.name, p.scopes`,
);

export const findCalendar = maybeOne(
  'find_calendar_address',
  { created_at: t.timestamptz, last_used_at: t.timestamptz.orNull },
  (userId: number, now: Date) => sql`
    SELECT s.created_at, s.last_used_at FROM personal_tokens p JOIN sign_ins s ON s.id = p.sign_in_id
    WHERE s.user_id = ${t.bigint(userId)} AND ${isActive(now)} AND p.scopes = '{calendar}'`,
);

export const countCalendars = value(
  'count_recent_calendar_addresses',
  { count: t.bigint },
  (userId: number, since: Date) => sql`
    SELECT count(*) AS count FROM personal_tokens p JOIN sign_ins s ON s.id = p.sign_in_id
    WHERE s.user_id = ${t.bigint(userId)} AND s.created_at > ${t.timestamptz(since)} AND p.scopes = '{calendar}'`,
);

/** Both return the revoked tokens. */
export const revokeCalendar = many(
  'revoke_calendar_address',
  revokedColumns,
  (userId: number, now: Date) => sql`
    UPDATE sign_ins s SET revoked_at = ${t.timestamptz(now)} FROM personal_tokens p
    WHERE s.id = p.sign_in_id AND s.user_id = ${t.bigint(userId)} AND ${isActive(now)} AND p.scopes = '{calendar}'
    RETURNING p.id, s.user_id, p.name, p.scopes`,
);

/** Concurrent requests of a user wait here, so that each counts the tokens of those before it. */
export const lockOwner = async (db: Executor, id: number) =>
  db.table('users', 'lock_owner_of_personal_tokens').where({ id }).forNoKeyUpdate().first('id');
