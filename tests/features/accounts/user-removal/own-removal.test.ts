import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { createToken } from '../../../support/personal-tokens.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { codeAt, createAccountWithTotp } from '../../../support/second-factor.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

const exists = async (id: number) =>
  (await app.query('SELECT FROM users WHERE id = $1 AND deleted_at IS NULL', [id])).length === 1;

test('with the password removes all personal data but not the records, and notifies the owner', async () => {
  const account = await createAccount(app, { display_name: 'Lin Wei' });
  const user = await signIn(app, account);
  const program = await createToken(app, user, ['read']);
  const project_id = await createProject(app, user, 'Algebra');
  const [started_at, ended_at] = ['2026-02-01T08:00:00Z', '2026-02-01T09:00:00Z'];
  const session = await addSession(app, { project_id, user_id: user.id, started_at, ended_at });
  await app.as(user).delete('/api/me').send({ current_password: 'a wrong one' }).expect(400);
  expect(await exists(account.id)).toBe(true);

  await app.as(user).delete('/api/me').send({ current_password: account.password }).expect(200);
  expect(await exists(account.id)).toBe(false);
  for (const client of [user, program]) await app.as(client).get('/api/projects').expect(401);
  const { username, password } = account;
  await app.anonymous.post('/api/auth/login', { username, password }).expect(401);
  const [row] = await app.query('SELECT username, email, display_name FROM users WHERE id = $1', [account.id]);
  expect(row).toEqual({ username: `deleted-${account.id}`, email: null, display_name: 'Deleted user' });
  const admin = await app.createUser({ role: 'admin' });
  const record = await app.as(admin).get(`/api/sessions/${session}`).expect(200);
  expect(record.body.data.username).toBe(`deleted-${account.id}`);

  await runJob(app, 'send mails to account holders');
  const mails = smtp.mails.filter(({ recipients }) => recipients.includes(account.email));
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A personal access token was created for your Studytrack account',
    'Your Studytrack account was deleted',
  ]);
});

test('requires the second factor if enabled', async () => {
  const account = await createAccountWithTotp(app, clock());
  const deleteAccount = (fields: object) =>
    app
      .as(account.signedIn)
      .delete('/api/me')
      .send({ current_password: account.password, ...fields });
  const without = await deleteAccount({}).expect(400);
  expect(without.body.error.details).toMatchObject([{ field: 'otp' }]);
  await deleteAccount({ otp: '000000' }).expect(400);
  expect(await exists(account.id)).toBe(true);
  clock.advance(60_000);
  await deleteAccount({ otp: codeAt(account.secret, clock()) }).expect(200);
  expect(await exists(account.id)).toBe(false);
});

test('when the last two administrators delete themselves concurrently, one remains', async () => {
  const alone = await startTestApp();
  try {
    const accounts = [await createAccount(alone, { role: 'admin' }), await createAccount(alone, { role: 'admin' })];
    const admins = await Promise.all(accounts.map((account) => signIn(alone, account)));
    await alone.query(`UPDATE users SET status = 'inactive' WHERE role = 'admin' AND id <> ALL ($1)`, [
      admins.map(({ id }) => id),
    ]);
    const deleteAccount = admins.map((admin) =>
      alone.as(admin).delete('/api/me').send({ current_password: 'a good password' }),
    );
    const statuses = (await Promise.all(deleteAccount)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  } finally {
    await alone.stop();
  }
});
