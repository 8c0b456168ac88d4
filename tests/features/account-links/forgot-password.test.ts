import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Account, createAccount } from '../../support/accounts.ts';
import { contactSettings, newAddress, runJob, submit } from '../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../support/test-app.ts';

const hour = 3_600_000;
const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
let silent: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { ...contactSettings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, clock });
  silent = await startTestApp({ databaseUrl: app.databaseUrl, settings: contactSettings, clock });
});
afterAll(async () => {
  await silent.stop();
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

test('the owner of the address gets a link with which they choose a new password', async () => {
  const account = await createAccount(app);
  await forgot(account.email.toUpperCase()).set('Accept-Language', 'zh').expect(200);
  const [mail] = await mailsTo(account);
  expect(mail?.subject).toBe('重置您的 Studytrack 密码'); // no language was chosen: that of the request
  const [, token = ''] = /#token=([\w-]{43})&for=password_reset/.exec(mail?.text ?? '') ?? [];
  const password = 'a newly chosen one';
  await app.anonymous.post('/api/auth/accept', { token, password }).expect(200);
  await app.anonymous.post('/api/auth/login', { email: account.email, password }).expect(200);
});

test('an invitation that has expired is no reason to write to the administrators', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const account = { username: 'late.comer', email: 'late.comer@example.org', invite: true };
  await app.as(admin).post('/api/admin/users', account).expect(201);
  await forgot(account.email).expect(200);
  expect((await mailsTo(account)).map(({ subject }) => subject)).toContain('Reset your Studytrack password');
});

test('neither the response nor the work for it reveals which accounts exist, nor whether there is a mail server', async () => {
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
  const told = new Set<string>();
  const works = new Set<string>();
  for (const at of [app, silent])
    for (const email of Object.values(emails)) {
      const statements: string[] = [];
      const query = pg.Client.prototype.query;
      vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
        const [first] = args;
        const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '');
        const [, name] = /^\/\* (\w+) \*\//.exec(text) ?? []; // without what a new connection begins with
        if (name !== undefined) statements.push(name);
        return Reflect.apply(query, this, args);
      });
      const answer = await forgot(email, newAddress(), at);
      vi.restoreAllMocks();
      told.add(JSON.stringify([answer.status, answer.body, Object.keys(answer.headers).sort()]));
      works.add(statements.join(' '));
    }
  expect([...told]).toHaveLength(1);
  const work = ['lock_contact_email', 'lock_contact_address', 'find_contact_blocks', 'insert_contact_attempt'];
  expect([...works]).toEqual([[...work, 'insert_password_reset_request'].join(' ')]);
  await runJob(silent, 'mail links to reset passwords');
  expect(await app.query('SELECT FROM password_reset_requests')).toEqual([]);
});

test('five requests an hour for an address and from an address; exact when they come at once, known or not', async () => {
  const { email } = await createAccount(app);
  for (const asked of [email, 'unknown.one@example.org']) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => forgot(asked, undefined, index % 2 === 0 ? app : silent)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBe(3600);
  }
  const address = newAddress();
  for (let sent = 0; sent < 5; sent += 1) await forgot(`many${sent}@example.org`, address).expect(200);
  await forgot('many5@example.org', address).expect(429);
  clock.advance(hour);
  await forgot('many5@example.org', address).expect(200);
});

test('counts apart from the contact form', async () => {
  const { email } = await createAccount(app);
  const address = newAddress();
  for (let sent = 0; sent < 5; sent += 1) await forgot(email, address).expect(200);
  expect((await submit(app, { email }, address)).status).toBe(201);
});

test('an account gets at most three mails a day, however many ask, and administrators may still send one', async () => {
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

test('a request that was not answered within an hour, such as during a stop, is dropped', async () => {
  const account = await createAccount(app);
  await forgot(account.email).expect(200);
  clock.advance(hour);
  expect(await mailsTo(account)).toEqual([]);
  expect(await app.query('SELECT FROM password_reset_requests')).toEqual([]);
});

test('several processes answer a request once', async () => {
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

test('nobody but active accounts gets a mail', async () => {
  const idle = await createAccount(app, { status: 'inactive' });
  await forgot(idle.email).expect(200);
  await forgot('somebody.else@example.org').expect(200);
  await mailsTo(idle);
  expect(smtp.mails).toEqual([]);
});
