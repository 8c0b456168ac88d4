import type { Executor } from '../../../db/executor.ts';
import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';

const keptRevokedDays = 30;
/** The most of one statement, which holds locks on their users. */
const batch = 1000;

// Users before sign-ins, as a revocation does: in the other order they could deadlock. Users that others have locked are
// left for the next run. The last use remains with the user, except that of a calendar.
const deleteEnded = query(
  'delete_ended_sign_ins',
  { count: t.bigint },
  (ended: Sql) => sql`
    WITH locked AS MATERIALIZED (
      SELECT u.id FROM users u
      WHERE u.id IN (SELECT s.user_id FROM sign_ins s WHERE ${ended} LIMIT ${t.integer(batch)})
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
export async function deleteEndedSignIns(db: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptRevokedDays * 86_400_000);
  const ofDeleted = sql`s.user_id IN (SELECT d.id FROM users d WHERE d.deleted_at IS NOT NULL)`;
  const conditions = [
    sql`s.revoked_at <= ${t.timestamptz(before)}`,
    sql`s.expires_at <= ${t.timestamptz(now)}`,
    ofDeleted,
  ];
  for (const ended of conditions) {
    let count: number;
    do ({ count } = await db.one(deleteEnded(ended)));
    while (count > 0);
  }
  await db.table('refresh_tokens', 'delete_expired_refresh_tokens').where('expires_at', '<=', now).delete();
}
