import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { raceAgainstLock, untilWaiting } from '../../../support/locks.ts';
import { codeAt, createAccountWithTotp } from '../../../support/second-factor.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const hour = 3_600_000;
const password = 'an own good password';
const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, PUBLIC_URL: 'https://study.example.org/' };
  app = await startTestApp({ settings, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(async () => {
  admin = await app.createUser({ role: 'admin' });
  await runJob(app, 'send mails to account holders');
  smtp.mails.length = 0;
});

async function mails() {
  await runJob(app, 'send mails to account holders');
  return smtp.mails;
}

/** The token of the latest mail with a link; notices may follow it. */
async function mailedToken(purpose: string): Promise<string> {
  const mail = (await mails()).findLast(({ text }) => text?.includes('/accept#'));
  const link = /https:\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const [, token = ''] = /^https:\/\/study\.example\.org\/accept#token=([\w-]{43})&for=(.+)$/.exec(link) ?? [];
  expect(link).toBe(`https://study.example.org/accept#token=${token}&for=${purpose}`);
  return token;
}

let names = 0;
async function createInvited(fields: object = {}): Promise<Account> {
  names += 1;
  const username = `invited${names}`;
  const account = { username, email: `${username}@example.org`, invite: true, ...fields };
  const { body } = await app.as(admin).post('/api/admin/users', account).expect(201);
  return { ...body.data, password };
}

const sendLink = (purpose: 'invite' | 'reset-link', id: number, at = app) =>
  at.as(admin).post(`/api/admin/users/${id}/${purpose}`);
const accept = (token: string, chosen = password) =>
  app.anonymous.post('/api/auth/accept', { token, password: chosen });
const login = ({ username }: Account, chosen = password) =>
  app.anonymous.post('/api/auth/login', { username, password: chosen });

async function expectInvalid(token: string): Promise<void> {
  const rejected = await accept(token).expect(400);
  expect(rejected.body.error.details).toEqual([
    {
      field: 'token',
      message:
        'is no longer valid: it was used or replaced, has expired, or the account has changed; request a new link',
    },
  ]);
}

describe('an invitation', () => {
  test('lets the new user choose a password, with which they sign in', async () => {
    const account = await createInvited();
    expect(account).toMatchObject({ link_mailed: true, has_password: false, must_change_password: false });
    expect(account).not.toHaveProperty('link');
    expect(account).not.toHaveProperty('one_time_password');
    await login(account).expect(401);

    const token = await mailedToken('invitation');
    expect(smtp.mails.map(({ recipients, subject }) => ({ recipients, subject }))).toEqual([
      { recipients: [account.email], subject: 'Your Studytrack account' },
    ]);
    expect(smtp.mails[0]?.text).toContain(account.username);
    const accepted = await accept(token).expect(200);
    expect(accepted.body.data).toEqual({ username: account.username });
    const signedIn = await login(account).expect(200);
    expect(signedIn.body.data.user).toMatchObject({ id: account.id, must_change_password: false });
    const seen = await app.as(admin).get(`/api/admin/users/${account.id}`).expect(200);
    expect(seen.body.data.has_password).toBe(true);
    await expectInvalid(token);
  });

  test('is in the language of the recipient', async () => {
    const account = await createAccount(app);
    await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [account.id]);
    await sendLink('invite', account.id).expect(200);
    await mailedToken('invitation');
    expect(smtp.mails[0]).toMatchObject({ subject: '您的 Studytrack 账号' });
    expect(smtp.mails[0]?.text).toContain('72 小时内');
  });

  test('can be sent again, which invalidates the previous link, and expires after 72 hours', async () => {
    const account = await createInvited();
    const first = await mailedToken('invitation');
    await sendLink('invite', account.id).expect(200);
    const second = await mailedToken('invitation');
    await expectInvalid(first);
    clock.advance(72 * hour - 1);
    await accept(second, 'short').expect(400); // does not consume the link
    await accept(second, `I am ${account.username}!`).expect(400);
    clock.advance(1);
    await expectInvalid(second);
    await runJob(app, 'purge expired account links');
    expect(await app.query('SELECT FROM account_links WHERE user_id = $1', [account.id])).toEqual([]);
  });

  test('is independent of a reset link, and replaces a one-time password', async () => {
    const { body } = await app
      .as(admin)
      .post('/api/admin/users', { username: 'both.ways', email: 'both.ways@example.org' })
      .expect(201);
    await sendLink('invite', body.data.id).expect(200);
    const token = await mailedToken('invitation');
    await sendLink('reset-link', body.data.id).expect(200);
    const reset = await mailedToken('password_reset');
    await accept(token).expect(200);
    await expectInvalid(reset);
    const signedIn = await login({ ...body.data, password }).expect(200);
    expect(signedIn.body.data.user.must_change_password).toBe(false);
  });

  test('requires an active account without a sign-in, and is limited to ten per day', async () => {
    const account = await createAccount(app);
    const idle = await createAccount(app, { status: 'inactive' });
    await sendLink('invite', idle.id).expect(409);
    await sendLink('reset-link', idle.id).expect(409);
    for (let sent = 0; sent < 10; sent += 1) await sendLink('invite', account.id).expect(200);
    const rejected = await sendLink('reset-link', account.id).expect(429);
    expect(rejected.headers['ratelimit-policy']).toBe('"account-links"; q=10; w=86400');
    const known = await createAccount(app);
    await signIn(app, known);
    await sendLink('invite', known.id).expect(409);
    await sendLink('invite', 999_999).expect(404);
    const body = { username: 'with.both', email: 'with.both@example.org', password, invite: true };
    const both = await app.as(admin).post('/api/admin/users', body).expect(400);
    expect(both.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['invite']);
  });
});

describe('a link that resets the password', () => {
  let account: Account;
  let user: SignedIn;
  beforeEach(async () => {
    account = await createAccount(app);
    user = await signIn(app, account);
  });

  async function reset(): Promise<string> {
    await sendLink('reset-link', account.id).expect(200);
    return mailedToken('password_reset');
  }

  test('says that an administrator sent it', async () => {
    await reset();
    expect(smtp.mails[0]?.text).toContain('An administrator sent you this link');
    expect(smtp.mails[0]?.text).toContain(`account ${account.username}.`);
    await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [account.id]);
    await reset();
    const text = smtp.mails.at(-1)?.text;
    for (const part of ['管理员向您发送了此链接', account.username, '1 小时内']) expect(text).toContain(part);
    expect(text).not.toContain('可能是您本人');
  });

  test('changes nothing until it is used; then all sign-ins end and the owner is notified', async () => {
    const token = await reset();
    await app.as(user).get('/api/auth/me').expect(200);
    await accept(token).expect(200);
    await app.as(user).get('/api/auth/me').expect(401);
    await login(account, account.password).expect(401);
    await login(account).expect(200);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      'Reset your Studytrack password',
      'Your Studytrack password was changed',
    ]);
  });

  test('is valid for an hour', async () => {
    const token = await reset();
    clock.advance(hour);
    await expectInvalid(token);
  });

  test.each<[string, () => PromiseLike<unknown>]>([
    [
      'a new password',
      () =>
        app
          .as(user)
          .put('/api/auth/password', { current_password: account.password, new_password: 'another good one' })
          .expect(200),
    ],
    [
      'a new password from an administrator',
      () => app.as(admin).post(`/api/admin/users/${account.id}/reset-password`).expect(200),
    ],
    [
      'a new address',
      () =>
        app
          .as(admin)
          .put(`/api/admin/users/${account.id}`, { email: `moved.${account.email}` })
          .expect(200),
    ],
    ['deactivation', () => app.as(admin).put(`/api/admin/users/${account.id}`, { status: 'inactive' }).expect(200)],
    [
      'deactivation and reactivation',
      async () => {
        for (const status of ['inactive', 'active'])
          await app.as(admin).put(`/api/admin/users/${account.id}`, { status }).expect(200);
      },
    ],
    ['deletion', () => app.as(admin).delete(`/api/admin/users/${account.id}`).expect(200)],
  ])('is cancelled by %s', async (_what, secure) => {
    const token = await reset();
    await secure();
    await expectInvalid(token);
    const left = await app.query('SELECT FROM account_links WHERE user_id = $1 AND token_hash IS NOT NULL', [
      account.id,
    ]);
    expect(left).toEqual([]);
  });

  test('sets one password when two requests use the same token', async () => {
    const token = await reset();
    const chosen = ['the first password', 'the second password'];
    const lock = `SELECT FROM users WHERE id = ${account.id} FOR UPDATE`;
    const responses = await raceAgainstLock(app, lock, 2, () =>
      Promise.all(chosen.map((given) => accept(token, given))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = responses.findIndex(({ status }) => status === 200);
    await login(account, chosen[winner]).expect(200);
    await login(account, chosen[1 - winner]).expect(401);
  });

  test('does not set the password of an account that is deactivated while the password is hashed', async () => {
    const token = await reset();
    let accepting: PromiseLike<{ status: number }> | undefined;
    await app.transaction(async (query) => {
      await query("UPDATE users SET status = 'inactive' WHERE id = $1", [account.id]);
      accepting = accept(token).then();
      await untilWaiting(app, 1);
    });
    expect((await accepting)?.status).toBe(400);
    await app.query("UPDATE users SET status = 'active' WHERE id = $1", [account.id]);
    await login(account, account.password).expect(200);
  });

  test('waits for running transactions of the account, and blocks new ones', async () => {
    const token = await reset();
    let accepting: PromiseLike<{ status: number }> | undefined;
    await app.transaction(async (query) => {
      const [signed] = await query<{ id: string }>(
        'SELECT id FROM sign_ins WHERE user_id = $1 AND revoked_at IS NULL',
        [account.id],
      );
      await query("SELECT verify_actor($1, $2, 'user', '{}')", [account.id, signed?.id]);
      accepting = accept(token).then();
      await untilWaiting(app, 1);
      const [row] = await query<{ is_old: boolean }>(
        'SELECT token_hash IS NOT NULL AS is_old FROM account_links WHERE user_id = $1',
        [account.id],
      );
      expect(row?.is_old).toBe(true);
    });
    expect((await accepting)?.status).toBe(200);
  });

  test('does not change the second factor', async () => {
    const withTotp = await createAccountWithTotp(app, clock());
    await sendLink('reset-link', withTotp.id).expect(200);
    await accept(await mailedToken('password_reset')).expect(200);
    const response = await login(withTotp).expect(401);
    expect(response.body.error.code).toBe('OTP_REQUIRED');
    clock.advance(60_000);
    const otp = codeAt(withTotp.secret, clock());
    await app.anonymous.post('/api/auth/login', { username: withTotp.username, password, otp }).expect(200);
  });

  test('is stored as a hash, and is logged in the audit log without its token', async () => {
    const token = await reset();
    const [row] = await app.query<{ text: string }>(
      'SELECT (SELECT string_agg(l::text, chr(10)) FROM account_links l) || (SELECT string_agg(a::text, chr(10)) FROM audit_log a) AS text',
    );
    expect(row?.text).not.toContain(token);
    const log = await app.as(admin).get(`/api/admin/audit?target_type=user&target_id=${account.id}`).expect(200);
    expect(log.body.data.entries[0]).toMatchObject({
      action: 'sendResetLink',
      actor: { id: admin.id },
      before: null,
      after: { link: 'password_reset' },
    });
  });
});

describe('without a mail server', () => {
  test('the link is returned to the administrator, once', async () => {
    const withoutMail = await startTestApp({
      databaseUrl: app.databaseUrl,
      clock,
      settings: { PUBLIC_URL: 'https://study.example.org' },
    });
    const body = { username: 'by.hand', email: 'by.hand@example.org', invite: true };
    const create = () =>
      withoutMail.as(admin).post('/api/admin/users', body).set('Idempotency-Key', 'by-hand').expect(201);
    const created = await create();
    expect(created.body.data).toMatchObject({ link_mailed: false });
    expect(created.headers['cache-control']).toBe('no-store');
    const again = await create();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.data).not.toHaveProperty('link');
    expect(again.body.data.id).toBe(created.body.data.id);

    const sent = await sendLink('invite', created.body.data.id, withoutMail).expect(200);
    expect(sent.headers['cache-control']).toBe('no-store');
    expect(sent.body.message).toBe('The link was created. Pass it on to the user; it is not shown again.');
    const tokenOf = (link: string) => /#token=([^&]+)&for=invitation$/.exec(link)?.[1] ?? '';
    await expectInvalid(tokenOf(created.body.data.link));
    await accept(tokenOf(sent.body.data.link)).expect(200);
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Your Studytrack password was changed']); // sent by `app`
    await withoutMail.stop();
  });
});
