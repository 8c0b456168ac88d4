import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { command } from '../../../db/sql/statement.ts';

// A transaction that creates many accounts locks many unique keys, and could deadlock with others that wait for one of them. It
// takes this lock exclusively; all others that write a username or an e-mail address share it.
export const lockNames = command('lock_account_names', () => sql`SELECT pg_advisory_xact_lock(7246108)`);
export const shareNames = command('share_account_names', () => sql`SELECT pg_advisory_xact_lock_shared(7246108)`);

export function isMember(userId: Sql, groupId: number): Sql {
  return sql`${userId} IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ${t.bigint(groupId)})`;
}
