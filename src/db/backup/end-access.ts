import type pg from 'pg';

// A backup also has what was taken away after it: what the deletion of these rows and the next generation of sign-ins end cannot
// come back. Personal tokens and calendar addresses are sign-ins, too.
const statements = [
  'UPDATE users SET sign_in_generation = sign_in_generation + 1',
  'DELETE FROM account_links',
  'DELETE FROM email_changes',
  'DELETE FROM password_reset_requests',
  'DELETE FROM report_links',
  'DELETE FROM sso_attempts',
  'DELETE FROM totp_setups',
  `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, error_code = 'RESTORED' WHERE state = 'waiting'`,
  `DELETE FROM background_jobs WHERE kind IN ('mail', 'contact_mail', 'channel_message', 'webhook_delivery')`,
];

/** Ends the sign-ins, tokens and links of a restored database, and what waits to be sent. */
export async function endAccess(client: pg.Client): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** An active administrator, and the groups to which they are limited; null for the whole school. */
export type Administrator = { username: string; groups: readonly { id: number; name: string }[] | null };

/** The active administrators; none in a database without tables. Also of schemas in which nobody is limited. */
export async function listAdministrators(client: pg.Client): Promise<Administrator[]> {
  const tables = await client.query<{ users: boolean; scopes: boolean }>(
    `SELECT to_regclass('users') IS NOT NULL AS users, to_regclass('admin_groups') IS NOT NULL AS scopes`,
  );
  if (tables.rows[0]?.users !== true) return [];
  const groups = `CASE WHEN u.admin_scope = 'groups' THEN (
    SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name)), '[]')
    FROM admin_groups ag JOIN groups g ON g.id = ag.group_id WHERE ag.user_id = u.id) END`;
  const { rows } = await client.query<Administrator>(
    `SELECT u.username, ${tables.rows[0].scopes ? groups : 'NULL'} AS groups FROM users u
     WHERE u.role = 'admin' AND u.status = 'active' AND u.deleted_at IS NULL ORDER BY u.username`,
  );
  return rows;
}
