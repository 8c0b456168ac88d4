import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type SignedIn, signIn } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

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
  student_notes: 'one; of an author, one for each student',
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

describe('shutting an account out writes a number of rows that does not depend on what the account owns:', () => {
  /** How many rows of the user the tables hold, and how many of them were written since a transaction. */
  async function rowsOf(userId: number, since: string): Promise<{ owned: number; written: number }> {
    const tables = await app.query<{ name: string }>(`
      SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped`);
    const counts = await Promise.all(
      tables.map(({ name }) =>
        app.query<{ owned: number; written: number }>(
          `SELECT count(*)::integer AS owned, count(*) FILTER (WHERE xmin::text::bigint >= $2::bigint)::integer AS written
           FROM ${name} WHERE user_id = $1`,
          [userId, since],
        ),
      ),
    );
    const sum = (key: 'owned' | 'written') => counts.flat().reduce((total, row) => total + row[key], 0);
    return { owned: sum('owned'), written: sum('written') };
  }

  async function createOwner(size: number): Promise<SignedIn> {
    const owner = await signIn(app, await createAccount(app, { role: 'admin' }));
    const project = await createProject(app, owner);
    await app.query(
      `INSERT INTO sign_ins (user_id, expires_at) SELECT $1, now() + interval '1 day' FROM generate_series(1, $2::integer)`,
      [owner.id, size],
    );
    await app.query(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT $1, $2, $2, t, t + interval '10 minutes', 'manual', 'UTC'
       FROM generate_series(1, $3::integer) AS n, LATERAL (SELECT timestamptz '2024-01-01Z' + n * interval '1 hour' AS t) AS times`,
      [project, owner.id, size],
    );
    return owner;
  }

  let head: TestUser;
  beforeAll(async () => {
    head = await app.createUser({ role: 'admin' });
  });
  const ways: Record<string, (owner: SignedIn) => PromiseLike<unknown>> = {
    'its deactivation': ({ id }) => app.as(head).put(`/api/admin/users/${id}`, { status: 'inactive' }).expect(200),
    'the loss of its role': ({ id }) => app.as(head).put(`/api/admin/users/${id}`, { role: 'user' }).expect(200),
    'a new password': ({ id }) => app.as(head).post(`/api/admin/users/${id}/reset-password`).expect(200),
    'the end of all sign-ins': (owner) => app.as(owner).delete('/api/auth/sign-ins?current=true').expect(200),
  };
  test.each(Object.entries(ways))('%s', async (_, shutOut) => {
    const written: number[] = [];
    for (const size of [10, 3000]) {
      const owner = await createOwner(size);
      const [{ since }] = (await app.query('SELECT pg_current_xact_id()::text AS since')) as [{ since: string }];
      const before = await rowsOf(owner.id, since);
      await shutOut(owner);
      const after = await rowsOf(owner.id, since);
      written.push(after.written + Math.abs(before.owned - after.owned));
      await app
        .as(owner)
        .get('/api/admin/users')
        .expect(({ status }) => expect([401, 403]).toContain(status));
    }
    expect(written[1]).toBe(written[0]);
  });
});
