import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Account, createAccount } from '../../../support/accounts.ts';
import { contactSettings, newAddress, runJob, submit } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const hour = 3_600_000;
const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
let withoutMail: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { ...contactSettings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, clock });
  withoutMail = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
});
afterAll(async () => {
  await withoutMail.stop();
  await app.stop();
  await smtp.stop();
});
beforeEach(() => {
  clock.advance(2 * hour);
  smtp.mails.length = 0;
});
afterEach(() => vi.restoreAllMocks());

const forgot = (email: string, address = newAddress(), at = app) =>
  at.anonymous.post('/api/auth/forgot-password', { email }).set('X-Forwarded-For', address);

async function mailsTo({ email }: Pick<Account, 'email'>) {
  await runJob(app, 'mail links to reset passwords');
  await runJob(app, 'send mails to account holders');
  return smtp.mails.filter(({ recipients }) => recipients.includes(email));
}

test('the owner of the address receives a link to set a new password', async () => {
  const account = await createAccount(app);
  await forgot(account.email.toUpperCase()).set('Accept-Language', 'zh').expect(200);
  const [mail] = await mailsTo(account);
  expect(mail?.subject).toBe('重置您的 Studytrack 密码'); // the user has no language preference: that of the request is used
  const [, token = ''] = /#token=([\w-]{43})&for=password_reset/.exec(mail?.text ?? '') ?? [];
  const password = 'a newly chosen one';
  await app.anonymous.post('/api/auth/accept', { token, password }).expect(200);
  await app.anonymous.post('/api/auth/login', { email: account.email, password }).expect(200);
});

test('a user with an expired invitation can request a reset link', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const account = { username: 'late.comer', email: 'late.comer@example.org', invite: true };
  await app.as(admin).post('/api/admin/users', account).expect(201);
  await forgot(account.email).expect(200);
  expect((await mailsTo(account)).map(({ subject }) => subject)).toContain('Reset your Studytrack password');
});

test('neither the response nor the executed statements reveal which accounts exist, or whether there is a mail server', async () => {
  const known = await createAccount(app);
  const frequent = await createAccount(app);
  for (let sent = 0; sent < 3; sent += 1) await forgot(frequent.email).expect(200);
  await mailsTo(frequent);
  const emails = {
    known: known.email,
    unknown: 'nobody.at.all@example.org',
    inactive: (await createAccount(app, { status: 'inactive' })).email,
    frequent: frequent.email,
  };
  const responses = new Set<string>();
  const executed = new Set<string>();
  for (const at of [app, withoutMail])
    for (const email of Object.values(emails)) {
      const statements: string[] = [];
      const query = pg.Client.prototype.query;
      vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
        const [first] = args;
        const { name } = first as { name?: string }; // undefined for the setup of a new connection
        if (name !== undefined) statements.push(name);
        return Reflect.apply(query, this, args);
      });
      const response = await forgot(email, newAddress(), at);
      vi.restoreAllMocks();
      responses.add(JSON.stringify([response.status, response.body, Object.keys(response.headers).sort()]));
      executed.add(statements.join(' '));
    }
  expect([...responses]).toHaveLength(1);
  const work = ['lock_contact_email', 'lock_contact_address', 'find_contact_blocks', 'insert_contact_attempt'];
  expect([...executed]).toEqual([[...work, 'insert_password_reset_request'].join(' ')]);
  await runJob(withoutMail, 'mail links to reset passwords');
  expect(await app.query('SELECT FROM password_reset_requests')).toEqual([]);
});

test('the limit of five requests per hour per e-mail address and per IP address is exact for concurrent requests', async () => {
  const { email } = await createAccount(app);
  for (const recipient of [email, 'unknown.one@example.org']) {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => forgot(recipient, undefined, index % 2 === 0 ? app : withoutMail)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const rejected = responses.find(({ status }) => status === 429);
    expect(Number(rejected?.headers['retry-after'])).toBe(3600);
  }
  const address = newAddress();
  for (let sent = 0; sent < 5; sent += 1) await forgot(`many${sent}@example.org`, address).expect(200);
  await forgot('many5@example.org', address).expect(429);
  clock.advance(hour);
  await forgot('many5@example.org', address).expect(200);
});

test('has a separate limit from the contact form', async () => {
  const { email } = await createAccount(app);
  const address = newAddress();
  for (let sent = 0; sent < 5; sent += 1) await forgot(email, address).expect(200);
  expect((await submit(app, { email }, address)).status).toBe(201);
});

test('an account gets at most three mails per day on request, and administrators can still send one', async () => {
  const account = await createAccount(app);
  const other = await createAccount(app);
  for (let sent = 0; sent < 5; sent += 1) await forgot(account.email).expect(200);
  expect(await mailsTo(account)).toHaveLength(3);
  await forgot(other.email).expect(200);
  expect(await mailsTo(other)).toHaveLength(1);
  const admin = await app.createUser({ role: 'admin' });
  await app.as(admin).post(`/api/admin/users/${account.id}/reset-link`).expect(200);
  expect(await mailsTo(account)).toHaveLength(4);
  clock.advance(24 * hour);
  await forgot(account.email).expect(200);
  expect(await mailsTo(account)).toHaveLength(5);
});

test('a request that was not processed within an hour, such as during downtime, is dropped', async () => {
  const account = await createAccount(app);
  await forgot(account.email).expect(200);
  clock.advance(hour);
  expect(await mailsTo(account)).toEqual([]);
  expect(await app.query('SELECT FROM password_reset_requests')).toEqual([]);
});

test('several processes send one mail per request', async () => {
  const account = await createAccount(app);
  await forgot(account.email).expect(200);
  const second = await startTestApp({
    databaseUrl: app.databaseUrl,
    settings: { ...contactSettings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
    clock,
  });
  await Promise.all([app, second, app, second].map((at) => runJob(at, 'mail links to reset passwords')));
  await second.stop();
  expect(await mailsTo(account)).toHaveLength(1);
});

test('only active accounts get a mail', async () => {
  const idle = await createAccount(app, { status: 'inactive' });
  await forgot(idle.email).expect(200);
  await forgot('somebody.else@example.org').expect(200);
  await mailsTo(idle);
  expect(smtp.mails).toEqual([]);
});
