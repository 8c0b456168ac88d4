import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { command } from '../../../db/sql/statement.ts';

// A transaction that creates many accounts locks many unique keys, and could deadlock with others that wait for one of them. It
// takes this lock exclusively; all others that write a username or an e-mail address share it.
export const lockNames = command('lock_account_names', () => sql`SELECT pg_advisory_xact_lock(7246108)`);
export const shareNames = command('share_account_names', () => sql`SELECT pg_advisory_xact_lock_shared(7246108)`);

/**
 * Invalidates the links by which someone could set the password or change the address: after every change of e-mail address, password
 * or status. A separate statement after the account is locked, so that it also sees links committed during the wait.
 */
export const endPendingLinks = command('end_pending_links', (id: number) => {
  const userId = t.bigint(id);
  return sql`
    WITH links AS (UPDATE account_links SET token_hash = NULL WHERE user_id = ${userId} AND token_hash IS NOT NULL)
    UPDATE email_changes SET email = NULL, token_hash = NULL WHERE user_id = ${userId} AND token_hash IS NOT NULL`;
});

export function isMember(userId: Sql, groupId: number): Sql {
  return sql`${userId} IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ${t.bigint(groupId)})`;
}
