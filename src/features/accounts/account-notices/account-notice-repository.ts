import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { maybeOne } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';

const recipient = {
  username: t.text,
  display_name: t.text,
  email: t.text,
  locale: t.oneOf(locales).orNull,
  number: t.integer,
};

export type Claim = { userId: number; notice: string; maximum: number; now: Date };

// One statement, so that concurrent requests count each other.
/** Counts a notice; undefined if the user got the maximum of this kind within a day, or was deleted. */
export const claim = maybeOne('claim_account_notice', recipient, ({ userId, notice, maximum, now }: Claim) => {
  const at = t.timestamptz(now);
  // A time that is further ahead was written when the clock was.
  const isOver = sql`(a.since <= ${at} - interval '1 day' OR a.since > ${at} + interval '1 day')`;
  return sql`
    WITH claimed AS (
      INSERT INTO account_notices AS a (user_id, notice, since)
      SELECT u.id, ${t.text(notice)}, ${at} FROM users u WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL
      ON CONFLICT ON CONSTRAINT account_notices_pkey DO UPDATE SET
        since = CASE WHEN ${isOver} THEN excluded.since ELSE a.since END,
        number = CASE WHEN ${isOver} THEN 1 ELSE a.number + 1 END
      WHERE ${isOver} OR a.number < ${t.integer(maximum)}
      RETURNING user_id, number)
    SELECT u.username, u.display_name, u.email, u.locale, c.number FROM claimed c JOIN users u ON u.id = c.user_id`;
});

/** Of a notice that could not be sent. */
export const forget = async (db: Executor, notice: { user_id: number; notice: string }) =>
  db.table('account_notices', 'delete_account_notice').where(notice).delete();
