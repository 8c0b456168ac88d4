import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';
import { locales } from '../../messages/index.ts';

const recipient = { username: t.text, email: t.text, locale: t.oneOf(locales).orNull };

const findRecipient = query(
  'find_notice_recipient',
  recipient,
  (userId: number) => sql`
    SELECT u.username, u.email, u.locale FROM users u WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL`,
);
// At most once a day, even for several simultaneous locks.
const claimLockNotice = query('claim_lock_notice', recipient, (userId: number, at: Date) => {
  const now = t.timestamptz(at);
  return sql`
    UPDATE users u SET lock_notice_at = ${now}
    WHERE u.id = ${t.bigint(userId)} AND u.status = 'active'
      AND (u.lock_notice_at IS NULL OR u.lock_notice_at <= ${now} - interval '1 day')
    RETURNING u.username, u.email, u.locale`;
});

export function createAccountNoticeRepository(db: Executor) {
  return {
    findRecipient: (userId: number) => db.maybeOne(findRecipient(userId)),
    claimLockNotice: (userId: number, now: Date) => db.maybeOne(claimLockNotice(userId, now)),
  };
}
