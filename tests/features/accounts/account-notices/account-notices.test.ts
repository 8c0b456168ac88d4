import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { createToken } from '../../../support/personal-tokens.ts';
import { codeAt, createAccountWithTotp } from '../../../support/second-factor.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, TRUST_PROXY: '1' };
  app = await startTestApp({ settings, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
afterEach(() => {
  smtp.mails.length = 0;
});

/** The subjects of the mails sent to the account's owner. */
async function subjectsTo({ email }: Account): Promise<(string | undefined)[]> {
  await runJob(app, 'send mails to account holders');
  return smtp.mails.filter((mail) => mail.recipients.includes(email)).map((mail) => mail.subject);
}

test('a new password is notified, regardless of who set it', async () => {
  const account = await createAccount(app);
  const user = await signIn(app, account);
  const change = (current_password: string) =>
    app.as(user).put('/api/auth/password', { current_password, new_password: 'quite another one' });
  await change('a wrong one').expect(400);
  expect(await subjectsTo(account)).toEqual([]);
  await change(account.password).expect(200);
  const admin = await app.createUser({ role: 'admin' });
  await app.as(admin).post(`/api/admin/users/${account.id}/reset-password`).expect(200);
  const subject = 'Your Studytrack password was changed';
  expect(await subjectsTo(account)).toEqual([subject, subject]);
  const [mail] = smtp.mails;
  expect(mail?.text).toContain(account.username);
  expect(mail?.text).toContain(clock().toISOString().slice(0, 10));
  expect(mail?.text).not.toContain('another one');
});

test('a new personal access token is notified', async () => {
  const account = await createAccount(app);
  const program = await createToken(app, await signIn(app, account), ['read']);
  expect(await subjectsTo(account)).toEqual(['A personal access token was created for your Studytrack account']);
  expect(smtp.mails[0]?.text).not.toContain(program.token);
});

test('a second factor that is enabled, disabled or reset is notified', async () => {
  const account = await createAccountWithTotp(app, clock());
  clock.advance(minute);
  const body = { current_password: account.password, otp: codeAt(account.secret, clock()) };
  await app.as(account.signedIn).delete('/api/auth/totp').send(body).expect(200);
  expect(await subjectsTo(account)).toEqual([
    'A second factor was enabled for your Studytrack account',
    'The second factor of your Studytrack account was removed',
  ]);
  const other = await createAccountWithTotp(app, clock());
  const admin = await app.createUser({ role: 'admin' });
  await app.as(admin).delete(`/api/admin/users/${other.id}/totp`).expect(200);
  expect(await subjectsTo(other)).toContain('The second factor of your Studytrack account was removed');
});

test('a lock after failed sign-ins is notified once per day', async () => {
  const account = await createAccount(app);
  const lock = async () => {
    for (let time = 0; time < 12; time += 1) {
      await app.anonymous
        .post('/api/auth/login', { username: account.username, password: 'a wrong one' })
        .set('X-Forwarded-For', `203.0.113.${time}`)
        .expect(time < 10 ? 401 : 429);
    }
    clock.advance(15 * minute);
  };
  await lock();
  const subject = 'Failed sign-ins to your Studytrack account';
  expect(await subjectsTo(account)).toEqual([subject]);
  await lock();
  expect(await subjectsTo(account)).toEqual([subject]);
  clock.advance(24 * 60 * minute);
  await lock();
  expect(await subjectsTo(account)).toEqual([subject, subject]);
  // By a clock that was years ahead.
  await app.query("UPDATE account_notices SET since = since + interval '4 years' WHERE user_id = $1", [account.id]);
  await lock();
  expect(await subjectsTo(account)).toEqual([subject, subject, subject]);
});

test('a new calendar address is notified; a new password ends it, as the notice says', async () => {
  const account = await createAccount(app);
  const user = await signIn(app, account);
  const { body } = await app.as(user).post('/api/me/calendar').expect(200);
  await subjectsTo(account);
  expect(smtp.mails[0]?.text).toContain('also ends all personal access tokens and the calendar address');
  const { pathname, search } = new URL(body.data.secret_url);
  await app.anonymous.get(pathname + search).expect(200);
  const passwords = { current_password: account.password, new_password: 'quite another one' };
  await app.as(user).put('/api/auth/password', passwords).expect(200);
  await app.anonymous.get(pathname + search).expect(404);
  expect(await subjectsTo(account)).toHaveLength(2);
});

test('notices of a kind are limited within a day, and the last one says so', async () => {
  const account = await createAccount(app);
  const user = await signIn(app, account);
  for (let count = 0; count < 8; count += 1) await app.as(user).post('/api/me/calendar').expect(200);
  expect(await subjectsTo(account)).toHaveLength(5);
  const isLast = smtp.mails.map(({ text }) => text?.includes('No further messages of this kind'));
  expect(isLast).toEqual([false, false, false, false, true]);
  const passwords = { current_password: account.password, new_password: 'quite another one' };
  await app.as(user).put('/api/auth/password', passwords).expect(200);
  expect(await subjectsTo(account)).toHaveLength(6);
  await app.query("UPDATE account_notices SET since = since - interval '1 day'");
  await app.as(user).post('/api/me/calendar').expect(200);
  expect(await subjectsTo(account)).toHaveLength(7);
});
