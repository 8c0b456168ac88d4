import type { Executor } from '../../../db/database.ts';
import { leftJoined, matched, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, one } from '../../../db/statements.ts';

/** The most sign-ins that one statement deletes, and whose users it locks. */
export const excessBatch = 1000;

const tokenColumns = { id: t.bigint, name: t.text, scopes: t.texts };

const revokedColumns = { user_id: t.bigint, ...leftJoined(tokenColumns) };

export type RevokedSignIn = RowOf<typeof revokedColumns>;

/** The personal token of a revoked sign-in, if it was one. */
export function tokenOf({ user_id, ...row }: RevokedSignIn) {
  const token = matched(tokenColumns, row);
  return token && { ...token, user_id };
}

const withTokens = sql`
  SELECT r.user_id, p.id, p.name, p.scopes FROM revoked r LEFT JOIN personal_tokens p ON p.sign_in_id = r.id`;

/** Returns the sign-in with its personal token, if it is one. */
export const revokeOwn = many('revoke_own_sign_in', revokedColumns, (id: string, userId: number, at: Date) => {
  const now = t.timestamptz(at);
  return sql`
    WITH revoked AS (
      UPDATE sign_ins SET revoked_at = ${now}
      WHERE id = ${t.uuid(id)} AND user_id = ${t.bigint(userId)} AND revoked_at IS NULL AND expires_at > ${now}
      RETURNING id, user_id)
    ${withTokens}`;
});

// One row ends all of them; only the personal tokens, of which there are few, are revoked one by one, since each is recorded.
/** Returns the personal tokens that end with them. */
export const endOfUser = many(
  'end_sign_ins_of_user',
  revokedColumns,
  (userId: number, now: Date, except?: string) => sql`
    WITH ended AS (
      UPDATE users SET sign_in_generation = sign_in_generation + 1 WHERE id = ${t.bigint(userId)}
      RETURNING id, sign_in_generation AS next),
    kept AS (
      UPDATE sign_ins s SET generation = e.next FROM ended e
      WHERE s.id = ${t.uuid(except ?? null)} AND s.user_id = e.id AND s.generation = e.next - 1),
    revoked AS (
      UPDATE sign_ins s SET revoked_at = ${t.timestamptz(now)} FROM ended e, personal_tokens p
      WHERE s.user_id = e.id AND p.sign_in_id = s.id AND s.revoked_at IS NULL
      RETURNING s.id, s.user_id)
    ${withTokens}`,
);

// The same without personal tokens, which are not listed as sign-ins.
export const endListed = one(
  'end_listed_sign_ins',
  { ended: t.bigint },
  (userId: number, except: string | undefined) => sql`
    WITH ended AS (
      UPDATE users SET sign_in_generation = sign_in_generation + 1 WHERE id = ${t.bigint(userId)}
      RETURNING id, sign_in_generation AS next),
    kept AS (
      UPDATE sign_ins s SET generation = e.next FROM ended e
      WHERE s.user_id = e.id AND s.generation = e.next - 1 AND (
        s.id = ${t.uuid(except ?? null)} OR EXISTS (SELECT FROM personal_tokens p WHERE p.sign_in_id = s.id)))
    SELECT count(*) AS ended FROM ended`,
);

/** Ends all, and deletes as many as a user has in general; a job deletes those of deleted accounts that remain. */
export const deleteOfUser = execute(
  'delete_sign_ins_of_user',
  (userId: number) => sql`
    WITH ended AS (
      UPDATE users SET sign_in_generation = sign_in_generation + 1 WHERE id = ${t.bigint(userId)} RETURNING id)
    DELETE FROM sign_ins s WHERE s.id IN (
      SELECT s.id FROM ended e JOIN sign_ins s ON s.user_id = e.id LIMIT ${t.integer(excessBatch)})`,
);

export const revoke = async (db: Executor, id: string, now: Date) =>
  db.table('sign_ins', 'revoke_sign_in').where({ id, revoked_at: null }).update({ revoked_at: now });

const keptRevokedDays = 30;
// Users before sign-ins, as a revocation does: in the other order they could deadlock. Users that others have locked are
// left for the next run. The last use remains with the user, except that of a calendar.
const deleteEnded = one(
  'delete_ended_sign_ins',
  { count: t.bigint },
  (ended: Sql) => sql`
    WITH locked AS MATERIALIZED (
      SELECT u.id FROM users u
      WHERE u.id IN (SELECT s.user_id FROM sign_ins s WHERE ${ended} LIMIT ${t.integer(excessBatch)})
      ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED),
    gone AS (
      DELETE FROM sign_ins s USING locked WHERE s.user_id = locked.id AND ${ended}
      RETURNING s.user_id, coalesce(s.last_used_at, s.created_at) AS used_at, (
        SELECT p.scopes = '{calendar}' FROM personal_tokens p WHERE p.sign_in_id = s.id) AS is_calendar),
    noted AS (
      UPDATE users u SET last_used_at = greatest(u.last_used_at, g.used_at)
      FROM (SELECT user_id, max(used_at) AS used_at FROM gone WHERE is_calendar IS NOT TRUE GROUP BY user_id) AS g
      WHERE u.id = g.user_id)
    SELECT count(*) AS count FROM gone`,
);

/** Also those revoked a while ago: a replaced calendar address would expire only after years. */
export async function deleteExpired(db: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptRevokedDays * 86_400_000);
  const ofDeleted = sql`s.user_id IN (SELECT d.id FROM users d WHERE d.deleted_at IS NOT NULL)`;
  const conditions = [
    sql`s.revoked_at <= ${t.timestamptz(before)}`,
    sql`s.expires_at <= ${t.timestamptz(now)}`,
    ofDeleted,
  ];
  for (const ended of conditions) {
    let count: number;
    do ({ count } = await deleteEnded(db, ended));
    while (count > 0);
  }
  await db.table('refresh_tokens', 'delete_expired_refresh_tokens').where('expires_at', '<=', now).delete();
}
