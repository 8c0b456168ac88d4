import { type Executor, sql } from '../../db/database.ts';

export type PendingChange = { user_id: number; email: string };
type Account = { username: string; email: string };

const countSince = sql('SELECT count(*) AS count FROM email_changes WHERE user_id = $1 AND created_at > $2');
const cancelPending = sql(
  'UPDATE email_changes SET email = NULL, token_hash = NULL WHERE user_id = $1 AND token_hash IS NOT NULL',
);
const insertChange = sql(`
  INSERT INTO email_changes (user_id, email, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`);
const findPending = sql(`
  SELECT c.user_id, c.email FROM email_changes c JOIN users u ON u.id = c.user_id AND u.status = 'active'
  WHERE c.token_hash = $1 AND c.expires_at > $2`);
const lockAccount = sql('SELECT u.username, u.email FROM users u WHERE u.id = $1 FOR NO KEY UPDATE');
const findTaken = sql('SELECT 1 FROM users u WHERE lower(u.email) = lower($1) AND u.id <> $2');
const setEmail = sql('UPDATE users SET email = $2, updated_at = greatest(now(), updated_at) WHERE id = $1');
const deleteExpired = sql('DELETE FROM email_changes WHERE expires_at <= $1');

/** Requested changes of e-mail addresses. Setting an address cancels what is pending by a trigger. */
export function createEmailChangeRepository(db: Executor) {
  return {
    async countSince(userId: number, since: Date): Promise<number> {
      const [row] = await db.rows<{ count: number }>(countSince, [userId, since]);
      return row?.count ?? 0;
    },
    /** Replaces the pending change of the user, if there is one. */
    async replace(userId: number, email: string, tokenHash: Buffer, now: Date, expires: Date): Promise<void> {
      await db.rows(cancelPending, [userId]);
      await db.rows(insertChange, [userId, email, tokenHash, now, expires]);
    },
    async findPending(tokenHash: Buffer, now: Date): Promise<PendingChange | undefined> {
      const [change] = await db.rows<PendingChange>(findPending, [tokenHash, now]);
      return change;
    },
    async lockAccount(userId: number): Promise<Account | undefined> {
      const [account] = await db.rows<Account>(lockAccount, [userId]);
      return account;
    },
    /** Whether another account has the address. */
    async isTaken(email: string, userId: number): Promise<boolean> {
      return (await db.rows(findTaken, [email, userId])).length > 0;
    },
    async setEmail(userId: number, email: string): Promise<void> {
      await db.rows(setEmail, [userId, email]);
    },
    async deleteExpired(now: Date): Promise<void> {
      await db.rows(deleteExpired, [now]);
    },
  };
}
