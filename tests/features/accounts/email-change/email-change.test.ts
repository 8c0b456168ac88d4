import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const hour = 3_600_000;
const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
let account: Account;
let user: SignedIn;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    PUBLIC_URL: 'https://study.example.org/',
    TRUST_PROXY: '1',
  };
  app = await startTestApp({ settings, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(async () => {
  account = await createAccount(app);
  user = await signIn(app, account);
  await mails();
  smtp.mails.length = 0;
});

let addresses = 0;
function newEmail(): string {
  addresses += 1;
  return `new${addresses}@example.org`;
}

const change = (email: string, current_password: string | undefined = account.password, by = user) =>
  app.as(by).put('/api/auth/me', { email, current_password });
const confirm = (token: string) => app.anonymous.post('/api/auth/email/confirm', { token });
const emailOf = async (by = user): Promise<string> =>
  (await app.as(by).get('/api/auth/me').expect(200)).body.data.email;

async function mails(): Promise<ReceivedMail[]> {
  await runJob(app, 'send mails to account holders');
  return smtp.mails;
}

async function mailedToken(): Promise<string> {
  const link = /https:\S+/.exec((await mails()).at(-1)?.text ?? '')?.[0] ?? '';
  expect(link).toMatch(/^https:\/\/study\.example\.org\/confirm-email\?token=[\w-]{43}$/);
  return new URL(link).searchParams.get('token') ?? '';
}

describe('a new e-mail address', () => {
  test('is written about in the language that the owner of each account chose, not in that of the request', async () => {
    const other = await createAccount(app);
    await app.query("UPDATE users SET locale = 'zh' WHERE id = ANY ($1)", [[user.id, other.id]]);
    await change(other.email).expect(200);
    await change(newEmail()).expect(200);
    await confirm(await mailedToken()).expect(200);
    const subjects = ['有人尝试使用您的邮箱地址', '请确认您的邮箱地址', '您的邮箱地址已修改'];
    expect((await mails()).map(({ subject }) => subject)).toEqual(subjects);

    await app.query('UPDATE users SET locale = NULL WHERE id = $1', [user.id]);
    smtp.mails.length = 0;
    await change(other.email).expect(200);
    await change(newEmail()).expect(200);
    expect((await mails()).map(({ subject }) => subject)).toEqual([subjects[0], 'Confirm your e-mail address']);
  });

  test('takes effect when the mailed link is opened, and the old address is notified', async () => {
    const email = newEmail();
    const response = await change(email).expect(200);
    expect(response.body.data).toMatchObject({ email: account.email, pending_email: email });
    expect(await emailOf()).toBe(account.email);

    const token = await mailedToken();
    expect(smtp.mails.map((mail) => mail.recipients)).toEqual([[email]]);
    await confirm(token).expect(200);
    expect(await emailOf()).toBe(email);
    await app.anonymous.post('/api/auth/login', { email, password: account.password }).expect(200);
    expect((await mails()).at(-1)).toMatchObject({
      recipients: [account.email],
      subject: 'Your e-mail address was changed',
    });
    const again = await confirm(token).expect(400);
    expect(again.body.error.details).toMatchObject([{ field: 'token' }]);
  });

  test('in use by another account gets the same response, and only its owner is notified', async () => {
    const other = await createAccount(app);
    const free = await change(newEmail()).expect(200);
    const taken = await change(other.email.toUpperCase()).expect(200);
    expect(taken.body.data.pending_email).toBe(other.email.toUpperCase());
    expect({ ...taken.body.data, pending_email: '' }).toEqual({ ...free.body.data, pending_email: '' });
    expect(taken.body.message).toBe(free.body.message);
    const mail = (await mails()).at(-1);
    expect(mail?.recipients.map((address) => address.toLowerCase())).toEqual([other.email]);
    expect(mail?.text).not.toMatch(/token|https/);
    expect(mail?.text).not.toContain(account.username);
  });

  test('that another account has taken meanwhile is rejected', async () => {
    const email = newEmail();
    await change(email).expect(200);
    const token = await mailedToken();
    await createAccount(app, { email: email.toUpperCase() });
    await confirm(token).expect(409);
    expect(await emailOf()).toBe(account.email);
  });

  test('requested by two accounts is given to one of them', async () => {
    const email = newEmail();
    const otherUser = await signIn(app, await createAccount(app));
    await change(email).expect(200);
    const first = await mailedToken();
    await change(email, account.password, otherUser).expect(200);
    const second = await mailedToken();
    const responses = await Promise.all([confirm(first), confirm(second)]);
    expect(responses.map((response) => response.status).filter((status) => status === 200)).toHaveLength(1);
    expect([400, 409]).toContain(Math.max(...responses.map((response) => response.status)));
  });

  test('requires the password, and wrong ones count as failed sign-ins', async () => {
    const email = newEmail();
    const missing = await app.as(user).put('/api/auth/me', { email, display_name: 'Changed' }).expect(400);
    expect(missing.body.error.details).toEqual([{ field: 'current_password', message: 'is required' }]);
    for (let time = 0; time < 10; time += 1) {
      const wrong = await change(email, 'a wrong password').expect(400);
      expect(wrong.body.error.details).toEqual([{ field: 'current_password', message: 'is not the current password' }]);
    }
    await change(email).expect(429);
    await app.anonymous
      .post('/api/auth/login', { username: account.username, password: account.password })
      .set('X-Forwarded-For', '198.51.100.77')
      .expect(429);
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Failed sign-ins to your Studytrack account']);
    const me = await app.as(user).get('/api/auth/me').expect(200);
    expect(me.body.data.display_name).toBe(account.username);
  });

  test('is not requested if the rest of the account cannot be updated, and the other way round', async () => {
    await app.query(`ALTER TABLE users ADD CONSTRAINT users_test CHECK (display_name <> 'Refused')`);
    const email = newEmail();
    const both = { email, current_password: account.password, display_name: 'Refused' };
    await app.as(user).put('/api/auth/me', both).expect(500);
    expect(await app.query('SELECT FROM email_changes WHERE email = $1', [email])).toEqual([]);
    expect(await mails()).toEqual([]);

    for (let time = 0; time < 5; time += 1) await change(newEmail()).expect(200);
    await app
      .as(user)
      .put('/api/auth/me', { ...both, display_name: 'Renamed' })
      .expect(429);
    expect((await app.as(user).get('/api/auth/me').expect(200)).body.data.display_name).toBe(account.username);
    await app.query('ALTER TABLE users DROP CONSTRAINT users_test');
  });

  test('equal to the current one changes nothing, and needs no password', async () => {
    const response = await app.as(user).put('/api/auth/me', { email: account.email.toUpperCase() }).expect(200);
    expect(response.body.data).toMatchObject({ email: account.email });
    expect(response.body.data).not.toHaveProperty('pending_email');
    expect(await mails()).toEqual([]);
  });

  test('can be requested five times per hour; only the last link is valid', async () => {
    const first = newEmail();
    await change(first).expect(200);
    const replaced = await mailedToken();
    for (let time = 0; time < 4; time += 1) await change(newEmail()).expect(200);
    expect((await change(newEmail()).expect(429)).headers['ratelimit-policy']).toBe('"email-changes"; q=5; w=3600');
    await confirm(replaced).expect(400);
    await confirm(await mailedToken()).expect(200);
  });
});

describe('the link', () => {
  test('is valid for 24 hours, and expired ones are removed', async () => {
    await change(newEmail()).expect(200);
    const token = await mailedToken();
    clock.advance(24 * hour);
    await confirm(token).expect(400);
    await runJob(app, 'purge expired e-mail changes');
    expect(await app.query('SELECT FROM email_changes')).toEqual([]);
  });

  test.each([
    [
      'a new password',
      () =>
        app
          .as(user)
          .put('/api/auth/password', { current_password: account.password, new_password: 'another good one' }),
    ],
    [
      'a new password from an administrator',
      async () => app.as(await admin()).post(`/api/admin/users/${account.id}/reset-password`),
    ],
    [
      'a new address from an administrator',
      async () => app.as(await admin()).put(`/api/admin/users/${account.id}`, { email: newEmail() }),
    ],
    ['deactivation', async () => app.as(await admin()).put(`/api/admin/users/${account.id}`, { status: 'inactive' })],
    ['deletion', async () => app.as(await admin()).delete(`/api/admin/users/${account.id}`)],
  ])('is cancelled by %s', async (_what, secure) => {
    await change(newEmail()).expect(200);
    const token = await mailedToken();
    await (await secure()).ok;
    await confirm(token).expect(400);
    const left = await app.query('SELECT FROM email_changes WHERE user_id = $1 AND email IS NOT NULL', [account.id]);
    expect(left).toEqual([]);
  });

  test('is stored as a hash', async () => {
    await change(newEmail()).expect(200);
    const token = await mailedToken();
    const [row] = await app.query<{ text: string }>('SELECT string_agg(e::text, chr(10)) AS text FROM email_changes e');
    expect(row?.text).not.toContain(token);
  });
});

test('without a mail server only administrators can change e-mail addresses', async () => {
  const withoutMail = await startTestApp({ databaseUrl: app.databaseUrl, clock });
  const me = withoutMail.as(user);
  const rejected = await me.put('/api/auth/me', { email: newEmail(), current_password: account.password }).expect(403);
  expect(rejected.body.error.code).toBe('PERMISSION_DENIED');
  await me.put('/api/auth/me', { email: account.email, display_name: 'Same' }).expect(200);
  const email = newEmail();
  await withoutMail
    .as(await admin())
    .put(`/api/admin/users/${account.id}`, { email })
    .expect(200);
  expect(await emailOf()).toBe(email);
  await withoutMail.stop();
});

async function admin() {
  return app.createUser({ role: 'admin' });
}
