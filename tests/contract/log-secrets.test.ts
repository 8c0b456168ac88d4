import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../src/lib/log/logger.ts';
import { createAccount, signIn } from '../support/accounts.ts';
import { contactFields, contactSettings, getCaptcha, post, runJob } from '../support/contact.ts';
import { createAccountWithTotp } from '../support/second-factor.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let written = '';
const logger = createLogger('trace', {
  destination: {
    write: (line) => {
      written += line;
    },
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, logger });
});
afterAll(() => app.stop());
beforeEach(() => {
  written = '';
});

/** Every line is a JSON object. */
function lines(): Record<string, unknown>[] {
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Expects that requests were logged without any of these texts. */
function expectNotLogged(...secrets: string[]): void {
  expect(lines().length).toBeGreaterThan(0);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(3);
    expect(written).not.toContain(secret);
  }
}

test('signing in, refreshing and changing the password log no token and no password', async () => {
  const account = await createAccount(app, { password: 'pass-word-one' });
  const first = await signIn(app, { ...account, password: 'pass-word-one' });
  const wrong = { username: account.username, password: 'pass-word-wrong' };
  await app.anonymous.post('/api/auth/login', wrong).expect(401);
  await app.anonymous.post('/api/auth/login?password=pass-word-query', { ...wrong, username: 7 }).expect(400);
  const refreshed = await app.anonymous
    .post('/api/auth/refresh', { refresh_token: first.refresh_token })
    .set('Cookie', 'session=cookie-secret')
    .expect(200);
  await app.anonymous.post('/api/auth/refresh', { refresh_token: 'refresh-garbage' }).expect(401);
  const { token } = refreshed.body.data;
  const changed = { current_password: 'pass-word-one', new_password: 'pass-word-two' };
  await app
    .as({ ...first, token })
    .put('/api/auth/password', changed)
    .expect(200);
  await app.anonymous.get(`/api/auth/me?token=${token}`).set('Authorization', 'Basic basic-secret').expect(401);
  expectNotLogged(
    ...['pass-word-one', 'pass-word-two', 'pass-word-wrong', 'pass-word-query', 'refresh-garbage'],
    ...['cookie-secret', 'basic-secret', 'Bearer', 'argon2'],
    ...[first.token, first.refresh_token, token, refreshed.body.data.refresh_token],
  );
});

test('a second factor logs neither its secret nor any code', async () => {
  const account = await createAccountWithTotp(app, new Date());
  const { username, password, recoveryCodes, secret, signedIn } = account;
  const [used = '', wrong] = [recoveryCodes[0], 'otp-garbage'];
  for (const otp of [wrong, used]) await app.anonymous.post('/api/auth/login', { username, password, otp });
  await app.as(signedIn).delete('/api/auth/totp').send({ current_password: password, otp: wrong }).expect(400);
  expectNotLogged(secret, used, used.replaceAll('-', ''), wrong, password, account.email);
});

test('neither a contact request nor its captcha answer nor the notification mail is logged', async () => {
  const smtp = await startSmtpServer();
  const mailing = await startTestApp({
    databaseUrl: app.databaseUrl,
    settings: { ...contactSettings, SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, CONTACT_NOTIFY: 'head@example.org' },
    logger,
  });
  try {
    const captcha = await getCaptcha(mailing);
    const fields = contactFields({
      ...{ name: 'Quiet Person', email: 'quiet@example.org', phone: '13800138000', message: 'Only for your eyes' },
      ...{ captcha_id: captcha.captcha_id, captcha: captcha.answer },
    });
    await post(mailing, { ...fields, captcha: '----' }).expect(400);
    const again = await getCaptcha(mailing);
    const sent = { ...fields, captcha_id: again.captcha_id, captcha: again.answer };
    await post(mailing, sent).expect(201);
    await runJob(mailing, 'mail about new contact requests');
    expectNotLogged('Quiet Person', 'quiet@example.org', '13800138000', 'Only for your eyes', 'head@example.org');
    const values = lines().flatMap((line) => Object.values(line).map(String));
    for (const { answer } of [captcha, again]) expect(values).not.toContain(answer);
  } finally {
    await mailing.stop();
    await smtp.stop();
  }
});

test('an unexpected error is logged without the contents of the request', async () => {
  const account = await createAccount(app);
  await app.query('ALTER TABLE sign_in_failures RENAME TO sign_in_failures_gone');
  try {
    const wrong = { username: account.username, password: 'pass-word-crash' };
    await app.anonymous.post('/api/auth/login', wrong).expect(500);
    expect(lines().some((line) => line['err'] !== undefined)).toBe(true);
    expectNotLogged('pass-word-crash');
  } finally {
    await app.query('ALTER TABLE sign_in_failures_gone RENAME TO sign_in_failures');
  }
});

test('no header and no path injects a log line', async () => {
  const forged = '{"level":30,"msg":"forged"}';
  const requests = [
    `GET /api/projects/%0d%0a${encodeURIComponent(forged)} HTTP/1.1\r\nHost: x`,
    `GET /nowhere\u2028%0A%1B[31m HTTP/1.1\r\nHost: x`,
    `GET /api/projects?search=%0A${encodeURIComponent(forged)} HTTP/1.1\r\nHost: x`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: aaaaaaaa\n${forged}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${forged}\r\nX-Forwarded-For: 1.2.3.4%0a${forged}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nUser-Agent: a\r\n\t${forged}`,
  ];
  for (const head of requests) {
    const socket = connect({ port: Number(new URL(app.origin).port), host: '127.0.0.1' });
    socket.end(`${head}\r\nConnection: close\r\n\r\n`);
    await text(socket).catch(() => '');
  }
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  for (const line of lines()) {
    expect(line['msg']).not.toBe('forged');
    expect(Object.keys(line)).toEqual(expect.arrayContaining(['level', 'time', 'msg']));
  }
  expect(written).not.toContain('\u001b');
});
