import { sql, t } from '../../../db/sql/sql.ts';
import { execute } from '../../../db/statements.ts';

/**
 * Invalidates the links by which someone could set the password or change the address: after every change of e-mail address, password
 * or status. A separate statement after the account is locked, so that it also sees links committed during the wait.
 */
export const endPendingLinks = execute('end_pending_links', (id: number) => {
  const userId = t.bigint(id);
  return sql`
    WITH links AS (UPDATE account_links SET token_hash = NULL WHERE user_id = ${userId} AND token_hash IS NOT NULL)
    UPDATE email_changes SET email = NULL, token_hash = NULL WHERE user_id = ${userId} AND token_hash IS NOT NULL`;
});
