import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as unusedAccounts from '../../../../src/features/accounts/retention/unused-account-repository.ts';
import * as endedSignIns from '../../../../src/features/accounts/sign-ins/ended-sign-in-repository.ts';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { studytrack } from '../../../support/service-process.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock(new Date('2026-01-01T12:00:00.000Z'));
let smtp: TestSmtpServer;
let app: TestApp;
const settings = () => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, ACCOUNT_RETENTION_DAYS: '180' });
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ clock, settings: settings() });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(async () => {
  await app.query("UPDATE users SET status = 'inactive'");
  await app.query('UPDATE users SET created_at = $1', [clock()]);
  smtp.mails.length = 0;
});

async function run(on: TestApp = app): Promise<void> {
  await runJob(on, 'deactivate unused accounts');
  await runJob(on, 'send mails to account holders');
}
const statusOf = async (id: number) =>
  (await app.query<{ status: string }>('SELECT status FROM users WHERE id = $1', [id]))[0]?.status;
/** An account that was created now; the database has its own clock. */
async function accountNow(fields: object = {}) {
  const account = await createAccount(app, fields);
  await app.query('UPDATE users SET created_at = $1 WHERE id = $2', [clock(), account.id]);
  return account;
}

test('a mail announces it in the language of the user, and the account is deactivated 30 days later', async () => {
  const { id, email, username } = await accountNow();
  await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [id]);
  clock.advance(150 * day - 1);
  await run();
  expect(smtp.mails).toEqual([]);
  clock.advance(1);
  const date = new Date(clock().getTime() + 30 * day).toISOString().slice(0, 10);
  await Promise.all([run(), run()]);
  await run();
  expect(smtp.mails).toMatchObject([{ recipients: [email], subject: '您的 Studytrack 账号即将停用' }]);
  expect(smtp.mails[0]?.text).toContain(`账号 ${username} 已长期未使用，将在 30 天后（${date}）停用`);
  clock.advance(30 * day - 1);
  await run();
  expect(await statusOf(id)).toBe('active');
  clock.advance(1);
  await run();
  expect(await statusOf(id)).toBe('inactive');
  expect(smtp.mails).toHaveLength(1);
});

test.each([
  ['signs in', async (account: Awaited<ReturnType<typeof createAccount>>) => void (await signIn(app, account))],
  [
    'used a personal token',
    async ({ id }: { id: number }) =>
      void (await app.query(
        `INSERT INTO sign_ins (user_id, created_at, expires_at, last_used_at) VALUES ($1, $2::timestamptz - interval '1 year', $2::timestamptz + interval '1 year', $2)`,
        [id, clock()],
      )),
  ],
])('an announced account whose owner %s stays, and is announced again after the next 150 days', async (_, use) => {
  const account = await accountNow();
  clock.advance(150 * day);
  await run();
  expect(smtp.mails).toHaveLength(1);
  await use(account);
  clock.advance(149 * day);
  await run();
  expect(await statusOf(account.id)).toBe('active');
  expect(smtp.mails).toHaveLength(1);
  clock.advance(day);
  await run();
  expect(smtp.mails).toHaveLength(2);
  clock.advance(30 * day);
  await run();
  expect(await statusOf(account.id)).toBe('inactive');
});

test('with accounts that are unused for years when it is switched on, a mail precedes it, too', async () => {
  const { id } = await accountNow();
  clock.advance(1000 * day);
  await run();
  expect([await statusOf(id), smtp.mails.length]).toEqual(['active', 1]);
  clock.advance(30 * day);
  await run();
  expect(await statusOf(id)).toBe('inactive');
});

/** Runs the job with another list of accounts, once. */
async function runWith(change: (ids: number[]) => Promise<number[]>): Promise<void> {
  const { list } = unusedAccounts;
  vi.spyOn(unusedAccounts, 'list').mockImplementationOnce(async (...page) => change(await list(...page)));
  await run();
}

/** Switched off and on by an administrator. */
async function reactivate(id: number): Promise<void> {
  const admin = await app.createUser({ role: 'admin' });
  for (const status of ['inactive', 'active'])
    await app.as(admin).put(`/api/admin/users/${id}`, { status }).expect(200);
}

test.each([10, 40])('an account that is activated again %i days after the mail counts as used', async (days) => {
  const { id } = await accountNow();
  clock.advance(150 * day);
  await run();
  clock.advance(days * day);
  if (days > 30) await run(); // has deactivated it
  await reactivate(id);
  clock.advance(149 * day);
  await run();
  expect([await statusOf(id), smtp.mails.length]).toEqual(['active', 1]);
  clock.advance(day);
  await run();
  expect([await statusOf(id), smtp.mails.length]).toEqual(['active', 2]);
});

test('a mail of long ago announces nothing: while the job did not run, accounts are announced again', async () => {
  const { id } = await accountNow();
  clock.advance(150 * day);
  await run();
  clock.advance(61 * day);
  await run();
  expect([await statusOf(id), smtp.mails.length]).toEqual(['active', 2]);
});

test('a mail that could not be sent for a day announces nothing, and another one follows', async () => {
  const { id } = await accountNow();
  clock.advance(150 * day);
  await runJob(app, 'deactivate unused accounts');
  clock.advance(day);
  await run(); // it is too old
  expect(smtp.mails).toEqual([]);
  clock.advance(29 * day);
  await run();
  expect([await statusOf(id), smtp.mails.length]).toEqual(['active', 1]);
});

test('the last use of a sign-in that has expired and was deleted counts', async () => {
  const { id } = await accountNow();
  await app.query(
    `INSERT INTO sign_ins (user_id, created_at, expires_at, last_used_at) VALUES ($1, $2, $2::timestamptz + interval '90 days', $2::timestamptz + interval '89 days')`,
    [id, clock()],
  );
  clock.advance(89 * day);
  const used = clock().getTime();
  clock.advance(2 * day);
  await endedSignIns.deleteExpired(app.container.store, clock());
  expect(await app.query('SELECT FROM sign_ins WHERE user_id = $1', [id])).toEqual([]);
  clock.advance(used + 150 * day - 1 - clock().getTime());
  await run();
  expect(smtp.mails).toEqual([]);
  clock.advance(1);
  await run();
  expect(smtp.mails).toHaveLength(1);
});

test('expired sign-ins of a user who is being changed are left for the next run, which neither waits nor deadlocks', async () => {
  const { id } = await accountNow();
  await app.query(`INSERT INTO sign_ins (user_id, created_at, expires_at) VALUES ($1, $2, $2)`, [id, clock()]);

  const remaining = () => app.query('SELECT FROM sign_ins WHERE user_id = $1', [id]);
  const holder = new pg.Client(app.databaseUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
  await endedSignIns.deleteExpired(app.container.store, clock());
  expect(await remaining()).toHaveLength(1);
  await holder.query('COMMIT');
  await endedSignIns.deleteExpired(app.container.store, clock());
  expect(await remaining()).toEqual([]);
});

test('a calendar that is still read does not count', async () => {
  const { id } = await accountNow();
  await app.query(
    `WITH read AS (INSERT INTO sign_ins (user_id, created_at, expires_at, last_used_at)
       VALUES ($1, $2, $2::timestamptz + interval '10 years', $2::timestamptz + interval '150 days') RETURNING id)
     INSERT INTO personal_tokens (sign_in_id, name, scopes, token_hash) SELECT id, 'calendar', '{calendar}', uuid_send(id) FROM read`,
    [id, clock()],
  );
  clock.advance(150 * day);
  await run();
  expect(smtp.mails).toHaveLength(1);
});

test('an account that is deleted meanwhile does not stop the others', async () => {
  const [first, second] = [await accountNow(), await accountNow()];
  clock.advance(150 * day);
  await run();
  clock.advance(30 * day);
  await runWith(async (ids) => [first.id + 1_000_000, ...ids]);
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['inactive', 'inactive']);
});

test('administrators are neither announced nor deactivated', async () => {
  const { id } = await accountNow({ role: 'admin' });
  for (const days of [150, 30, 30]) {
    clock.advance(days * day);
    await run();
  }
  expect([await statusOf(id), smtp.mails]).toEqual(['active', []]);
});

test('who signs in while the job runs keeps the account', async () => {
  const account = await accountNow();
  clock.advance(180 * day);
  await run();
  clock.advance(30 * day);
  await runWith(async (ids) => {
    await signIn(app, account);
    return ids;
  });
  expect(await statusOf(account.id)).toBe('active');
});

test('the dry run counts them, and without the setting there is no job', async () => {
  const [first, second] = [await accountNow(), await accountNow()];
  const past = `interval '200 days'`;
  await app.query(`UPDATE users SET created_at = now() - ${past} WHERE id = ANY($1)`, [[first.id, second.id]]);
  await app.query(
    `INSERT INTO account_notices (user_id, notice, since) VALUES ($1, 'account_unused', now() - interval '31 days')`,
    [first.id],
  );
  const { stdout } = await studytrack(['retention', '--dry-run'], { ...settings(), DATABASE_URL: app.databaseUrl });
  expect(stdout).toContain('would announce to 1 accounts that they are unused\nwould deactivate 1 unused accounts\n');
  const unlimited = await startTestApp({ databaseUrl: app.databaseUrl, clock });
  expect(unlimited.container.jobs.map(({ name }) => name)).not.toContain('deactivate unused accounts');
  await unlimited.stop();
});
