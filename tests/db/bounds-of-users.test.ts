import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../support/accounts.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** How many rows of a user each table can have at once; a key on the user alone, or with few values, is a bound of its own. */
const bounds: Readonly<Record<string, string>> = {
  account_links: 'a replaced link is empty; three of the user and ten of administrators a day, deleted after a day',
  account_notices: 'one for each kind',
  admin_groups: 'the groups of the school',
  audit_log: 'of administrators; removed after AUDIT_RETENTION_DAYS',
  background_jobs:
    'awards: one that waits and one that runs; deliveries: 5,000 of a user for each webhook; mails: those of limited operations',
  channels: 'one',
  contact_requests: 'those that administrators have resolved with an account',
  days_off: '500',
  email_changes: 'counted within an hour, deleted afterwards',
  group_members: 'the groups of the school',
  idempotency_keys: 'a day of requests within the rate limit',
  live_updates: 'minutes',
  personal_exports: 'three a day, deleted after a day',
  project_assignments: 'by administrators',
  project_membership_ends: 'one for each project',
  project_user_totals: 'one for each project',
  projects: 'the rate limit; statistics and lists are read in pages and bounded parts',
  recovery_codes: 'ten',
  reminders: 'one for each kind and way',
  report_links: 'by administrators, listed in pages, a year at most',
  roster_accounts: 'one',
  roster_rows: 'of the last rosters, deleted after 30 days',
  rosters: 'one that runs, deleted after 30 days',
  session_counts: 'one for each month',
  session_imports: 'one that runs, deleted after seven days',
  sign_in_addresses: '30 days of successful sign-ins',
  sign_in_failures: '15 minutes of failures within the throttle',
  sign_ins: '200 that are open, and 50 personal tokens',
  sso_identities: 'one for each provider',
  study_sessions: '500,000',
  sync_deletions: 'purged',
  tags: '200',
  totp_setups: 'one',
  user_achievements: 'the catalogue',
  user_list_versions: 'one',
  user_study_totals: 'one',
  webhook_skipped_senders: 'one for each webhook',
};

test('every table that belongs to a user has a known bound', async () => {
  const tables = await app.query<{ name: string }>(`
    SELECT DISTINCT c.relname::text AS name FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attname IN ('user_id', 'sender', 'actor_id')
    LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.confrelid = 'users'::regclass
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'users'
      AND (a.attname IS NOT NULL OR f.oid IS NOT NULL)
    ORDER BY 1`);
  const unknown = tables.map(({ name }) => name).filter((name) => bounds[name] === undefined);
  expect(unknown, 'say how many rows of a user the table can have, and test it').toEqual([]);
});

test('of the sign-ins of an account 200 are open, and the oldest ends; ending all of many changes none of them', async () => {
  const user = await app.createUser({ role: 'admin' });
  await app.query(
    `INSERT INTO sign_ins (user_id, created_at, expires_at) SELECT $1, now() - n * interval '1 second', now() + interval '1 day'
     FROM generate_series(1, 250) AS n`,
    [user.id],
  );
  const open = () => app.query('SELECT id FROM sign_ins WHERE user_id = $1 AND revoked_at IS NULL', [user.id]);
  const account = await createAccount(app);
  await app.query('UPDATE sign_ins SET user_id = $1 WHERE user_id = $2', [account.id, user.id]);
  const signedIn = await signIn(app, account);
  const rows = await app.query('SELECT id FROM sign_ins WHERE user_id = $1', [account.id]);
  expect(rows).toHaveLength(200);
  await app.as(signedIn).get('/api/auth/me').expect(200);
  expect(await open()).toEqual([]);

  await app.query(
    `INSERT INTO sign_ins (user_id, expires_at) SELECT $1, now() + interval '1 day' FROM generate_series(1, 100000)`,
    [account.id],
  );
  await app.as(signedIn).delete('/api/auth/sign-ins?current=true').expect(200);
  await app.as(signedIn).get('/api/auth/me').expect(401);
  const touched = `SELECT count(*)::integer AS n FROM sign_ins WHERE user_id = $1 AND revoked_at IS NOT NULL`;
  expect(await app.query(touched, [account.id])).toEqual([{ n: 0 }]);
});
