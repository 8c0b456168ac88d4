import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { studytrack } from '../../../support/service-process.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-31T12:00:00.000Z'));
const settings = { AUDIT_RETENTION_DAYS: '30', ADDRESS_RETENTION_DAYS: '10' };
let app: TestApp;
let unlimited: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, settings });
  unlimited = await startTestApp({ clock });
});
afterAll(async () => {
  await app.stop();
  await unlimited.stop();
});

const jobOf = ({ container }: TestApp) =>
  container.jobs.find(({ name }) => name === 'remove data after their retention');

/** Audit entries, sign-ins and contact requests, one a day for the last 60 days. */
async function fill(app: TestApp) {
  const { id } = await app.createUser({ role: 'admin' });
  await app.query('DELETE FROM audit_log');
  const values = [id, clock()];
  const days = `generate_series($2::timestamptz - interval '59 days', $2::timestamptz, '1 day') day`;
  await app.query(
    `INSERT INTO audit_log (at, actor_id, action, request_id, target_type, target_ids)
     SELECT day, $1, 'updateUser', '', 'user', '{1}' FROM ${days}`,
    values,
  );
  await app.query(
    `INSERT INTO sign_ins (user_id, created_at, expires_at, address, device)
     SELECT $1, day, day + interval '90 days', '192.0.2.1', 'Firefox' FROM ${days}`,
    values,
  );
  await app.query(
    `WITH given AS (SELECT $1::bigint)
     INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
     SELECT 'Lin', 'lin@example.org', 'other', 'Hello', '192.0.2.1', 'Firefox', day, day FROM ${days}, given`,
    values,
  );
}

async function left(app: TestApp) {
  const count = async (text: string) =>
    (await app.query<{ count: string }>(`SELECT count(*) AS count FROM ${text}`))[0];
  const [audit, signIns, requests, all] = await Promise.all([
    count('audit_log'),
    count("sign_ins WHERE address <> '' OR device <> ''"),
    count("contact_requests WHERE ip_address <> '' OR user_agent <> ''"),
    count('contact_requests'),
  ]);
  return [audit, signIns, requests, all].map((row) => Number(row?.count));
}

beforeEach(async () => {
  for (const each of [app, unlimited]) {
    await each.query('DELETE FROM sign_ins');
    await each.query('DELETE FROM contact_requests');
    await fill(each);
    await each.query("UPDATE sign_ins SET address = '', device = '' WHERE created_at > $1", [clock()]);
  }
});

test('entries of the audit log and network addresses are removed after their days, and nothing else', async () => {
  await jobOf(app)?.run();
  expect(await left(app)).toEqual([30, 10, 10, 60]);
  await jobOf(app)?.run();
  expect(await left(app)).toEqual([30, 10, 10, 60]);
});

test('a sign-in that is used keeps its address', async () => {
  await app.query('UPDATE sign_ins SET last_used_at = $1', [clock()]);
  await jobOf(app)?.run();
  expect((await left(app))[1]).toBe(60);
});

test('more than one statement removes are removed in one run', async () => {
  await app.query(
    `INSERT INTO audit_log (at, actor_id, action, request_id, target_type, target_ids)
     SELECT a.at, a.actor_id, a.action, '', 'user', '{1}' FROM audit_log a, generate_series(1, 50)`,
  );
  await jobOf(app)?.run();
  expect((await left(app))[0]).toBe(30 * 51);
});

test('without the settings all is kept, and there is no job', async () => {
  expect(jobOf(unlimited)).toBeUndefined();
  expect(await left(unlimited)).toEqual([60, 60, 60, 60]);
});

test('the command counts with --dry-run, and removes without', async () => {
  const before = await left(app);
  const run = (...args: string[]) => studytrack(['retention', ...args], { ...settings, DATABASE_URL: app.databaseUrl });
  const counted = await run('--dry-run');
  expect(counted.stdout).toMatch(/^would remove \d+ entries of the audit log older than 30 days\n/);
  expect(counted.stdout.match(/would remove/g)).toHaveLength(3);
  expect(await left(app)).toEqual(before);
  expect((await run()).stdout).toMatch(/^removed \d+ entries of the audit log older than 30 days\n/);
  expect((await left(app)).slice(0, 3)).not.toEqual(before.slice(0, 3));
});
