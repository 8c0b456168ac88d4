import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

export type NewEmailChange = { user_id: number; email: string; token_hash: Buffer; created_at: Date; expires_at: Date };

const countSince = query(
  'count_email_changes_since',
  { count: t.bigint },
  (userId: number, since: Date) => sql`
    SELECT count(*) AS count FROM email_changes
    WHERE user_id = ${t.bigint(userId)} AND created_at > ${t.timestamptz(since)}`,
);
const cancelPending = command(
  'cancel_pending_email_change',
  (userId: number) => sql`
    UPDATE email_changes SET email = NULL, token_hash = NULL
    WHERE user_id = ${t.bigint(userId)} AND token_hash IS NOT NULL`,
);
const insertChange = command(
  'insert_email_change',
  ({ user_id, email, token_hash, created_at, expires_at }: NewEmailChange) => sql`
    INSERT INTO email_changes (user_id, email, token_hash, created_at, expires_at)
    VALUES (${t.bigint(user_id)}, ${t.text(email)}, ${t.bytea(token_hash)}, ${t.timestamptz(created_at)},
      ${t.timestamptz(expires_at)})`,
);
const findPending = query(
  'find_pending_email_change',
  { user_id: t.bigint, email: t.text },
  (tokenHash: Buffer, now: Date) => sql`
    SELECT c.user_id, c.email FROM email_changes c JOIN users u ON u.id = c.user_id AND u.status = 'active'
    WHERE c.token_hash = ${t.bytea(tokenHash)} AND c.expires_at > ${t.timestamptz(now)}`,
);
const lockAccount = query(
  'lock_account_for_email_change',
  { username: t.text, email: t.text },
  (userId: number) => sql`
    SELECT u.username, u.email FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL FOR NO KEY UPDATE`,
);
const isTaken = query(
  'is_email_taken',
  { is_taken: t.boolean },
  (email: string, userId: number) => sql`
    SELECT EXISTS (
      SELECT FROM users u WHERE lower(u.email) = lower(${t.text(email)}) AND u.id <> ${t.bigint(userId)}) AS is_taken`,
);
const setEmail = command(
  'set_email',
  (userId: number, email: string) => sql`
    UPDATE users SET email = ${t.text(email)}, updated_at = greatest(now(), updated_at) WHERE id = ${t.bigint(userId)}`,
);
const deleteExpired = command(
  'delete_expired_email_changes',
  (now: Date) => sql`DELETE FROM email_changes WHERE expires_at <= ${t.timestamptz(now)}`,
);

export function createEmailChangeRepository(db: Executor) {
  return {
    countSince: async (userId: number, since: Date) => (await db.one(countSince(userId, since))).count,
    async replace(change: NewEmailChange): Promise<void> {
      await db.execute(cancelPending(change.user_id));
      await db.execute(insertChange(change));
    },
    findPending: (tokenHash: Buffer, now: Date) => db.maybeOne(findPending(tokenHash, now)),
    lockAccount: (userId: number) => db.maybeOne(lockAccount(userId)),
    isTaken: async (email: string, userId: number) => (await db.one(isTaken(email, userId))).is_taken,
    setEmail: (userId: number, email: string) => db.execute(setEmail(userId, email)),
    deleteExpired: (now: Date) => db.execute(deleteExpired(now)),
  };
}
