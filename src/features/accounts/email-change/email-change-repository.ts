import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { maybeOne, value } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';

export type NewEmailChange = { user_id: number; email: string; token_hash: Buffer; created_at: Date; expires_at: Date };

export const countSince = value(
  'count_email_changes_since',
  { count: t.bigint },
  (userId: number, since: Date) => sql`
    SELECT count(*) AS count FROM email_changes
    WHERE user_id = ${t.bigint(userId)} AND created_at > ${t.timestamptz(since)}`,
);

export const findPending = maybeOne(
  'find_pending_email_change',
  { user_id: t.bigint, email: t.text },
  (tokenHash: Buffer, now: Date) => sql`
    SELECT c.user_id, c.email FROM email_changes c JOIN users u ON u.id = c.user_id AND u.status = 'active'
    WHERE c.token_hash = ${t.bytea(tokenHash)} AND c.expires_at > ${t.timestamptz(now)}`,
);

/** The account, other than this one, to which the address belongs. */
export const findOther = maybeOne(
  'find_other_owner_of_email',
  { locale: t.oneOf(locales).orNull },
  (email: string, userId: number) => sql`
    SELECT u.locale FROM users u WHERE lower(u.email) = lower(${t.text(email)}) AND u.id <> ${t.bigint(userId)}`,
);
/** The pending change of a user, if any, is cancelled. */
export async function replace(db: Executor, change: NewEmailChange): Promise<void> {
  await db
    .table('email_changes', 'cancel_pending_email_change')
    .where({ user_id: change.user_id })
    .whereNotNull('token_hash')
    .update({ email: null, token_hash: null });
  await db.table('email_changes', 'insert_email_change').insert(change);
}
export const deleteExpired = async (db: Executor, now: Date) =>
  db.table('email_changes', 'delete_expired_email_changes').where('expires_at', '<=', now).delete();
