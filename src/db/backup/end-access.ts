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

/** The names of the active administrators; none in a database without tables. */
export async function listAdministrators(client: pg.Client): Promise<string[]> {
  const table = await client.query<{ exists: boolean }>(`SELECT to_regclass('users') IS NOT NULL AS exists`);
  if (table.rows[0]?.exists !== true) return [];
  const { rows } = await client.query<{ username: string }>(
    `SELECT username FROM users WHERE role = 'admin' AND status = 'active' AND deleted_at IS NULL ORDER BY username`,
  );
  return rows.map(({ username }) => username);
}
