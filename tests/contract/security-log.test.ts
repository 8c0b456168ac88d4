import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/lib/log/logger.ts';
import { asSignedIn, createAccount, createAccountByAdmin, signIn } from '../support/accounts.ts';
import { contactSettings } from '../support/contact.ts';
import { createProject } from '../support/records.ts';
import { codeAt, createAccountWithTotp } from '../support/second-factor.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

type Line = { event: string; level: number; user?: number; request?: string; address?: string; target_user?: number };

let written = '';
const logger = createLogger('info', {
  destination: {
    write: (line) => {
      written += line;
    },
  },
});
const clock = createTestClock();
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, logger, clock });
});
afterAll(() => app.stop());
beforeEach(async () => {
  admin = await app.createUser({ role: 'admin' });
});

/** The events that the work causes. */
async function events(work: () => Promise<unknown>): Promise<Line[]> {
  written = '';
  await work();
  const lines: Line[] = written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return lines.filter((line) => line.event !== undefined);
}

const names = async (work: () => Promise<unknown>) => (await events(work)).map(({ event }) => event);

describe('is logged with user, request and address', () => {
  test('signing in, failing to sign in, and signing out', async () => {
    const account = await createAccount(app);
    const { username, password } = account;
    const post = (body: object, id: string) =>
      app.anonymous.post('/api/auth/login', body).set('X-Request-Id', id).set('X-Forwarded-For', '192.0.2.7');
    const lines = await events(async () => {
      await post({ username, password: 'a wrong one' }, 'request-one').expect(401);
      await post({ username: 'nobody at all', password }, 'request-two').expect(401);
      const signedIn = asSignedIn(await post({ username, password }, 'request-three').expect(200));
      await app.as(signedIn).post('/api/auth/logout').set('X-Request-Id', 'request-four').expect(200);
    });
    const address = '192.0.2.7';
    expect(lines).toMatchObject([
      { level: 40, event: 'sign_in_failed', target_user: account.id, request: 'request-one', address },
      { level: 40, event: 'sign_in_failed', request: 'request-two', address },
      { level: 30, event: 'sign_in', user: account.id, request: 'request-three', address },
      { level: 30, event: 'sign_in_ended', user: account.id, request: 'request-four' },
    ]);
    expect(lines[1]).not.toHaveProperty('target_user');
  });

  test('a rate limit that was reached', async () => {
    const account = await createAccount(app);
    const wrong = () => app.anonymous.post('/api/auth/login', { username: account.username, password: 'a wrong one' });
    for (let time = 0; time < 10; time += 1) await wrong().set('X-Forwarded-For', `203.0.113.${time}`).expect(401);
    const lines = await events(() => wrong().set('X-Forwarded-For', '203.0.113.99').expect(429));
    expect(lines).toMatchObject([{ event: 'rate_limited', reason: 'too_many_sign_ins', address: '203.0.113.99' }]);
  });

  test('a denial, with and without the contact envelope', async () => {
    const [user, owner] = [await app.createUser(), await app.createUser()];
    const project = await createProject(app, owner);
    const lines = await events(async () => {
      await app.as(user).get(`/api/projects/${project}`).set('X-Request-Id', 'request-denied').expect(403);
      await app.as(user).get('/api/admin/contact-requests').expect(403);
    });
    expect(lines).toMatchObject([
      { event: 'access_denied', user: user.id, request: 'request-denied', reason: 'project_not_visible' },
      { event: 'access_denied', user: user.id, reason: 'admin_only' },
    ]);
  });

  test('passwords: changed, wrong, reset', async () => {
    const account = await createAccount(app);
    const user = await signIn(app, account);
    const change = (current_password: string) =>
      app.as(user).put('/api/auth/password', { current_password, new_password: 'quite another one' });
    const lines = await events(async () => {
      await change('a wrong one').expect(400);
      await change(account.password).expect(200);
      await app.as(admin).post(`/api/admin/users/${account.id}/reset-password`).expect(200);
    });
    expect(lines).toMatchObject([
      { event: 'password_check_failed', user: account.id },
      { event: 'password_changed', user: account.id },
      { event: 'password_reset', user: admin.id, target_user: account.id },
    ]);
  });

  test('accounts: created, role and status changed, deleted', async () => {
    let id = 0;
    const lines = await events(async () => {
      id = (await createAccountByAdmin(app)).id;
      const url = `/api/admin/users/${id}`;
      await app.as(admin).put(url, { role: 'admin', display_name: 'Other' }).expect(200);
      await app.as(admin).put(url, { status: 'inactive' }).expect(200);
      await app.as(admin).put(url, { display_name: 'Another' }).expect(200);
      await app.as(admin).delete(url).expect(200);
    });
    expect(lines).toMatchObject([
      { event: 'user_created', target_user: id, role: 'user' },
      { event: 'role_changed', user: admin.id, target_user: id, role: 'admin' },
      { event: 'status_changed', target_user: id, status: 'inactive' },
      { event: 'user_deleted', target_user: id },
    ]);
  });

  test('the second factor', async () => {
    let account = { id: 0 };
    const lines = await events(async () => {
      const created = await createAccountWithTotp(app, clock());
      account = created;
      const { username, password, recoveryCodes, signedIn } = created;
      const login = (otp?: string) =>
        app.anonymous.post('/api/auth/login', { username, password, ...(otp !== undefined && { otp }) });
      await login().expect(401);
      await login('123 456').expect(401);
      await login(recoveryCodes[0]).expect(200);
      clock.advance(30_000);
      const otp = codeAt(created.secret, clock());
      await app.as(signedIn).delete('/api/auth/totp').send({ current_password: password, otp }).expect(200);
      const again = await createAccountWithTotp(app, clock());
      await app.as(admin).delete(`/api/admin/users/${again.id}/totp`).expect(200);
      await app.as(admin).delete(`/api/admin/users/${again.id}/totp`).expect(200);
    });
    const logged = lines.map(({ event }) => event);
    expect(logged.filter((event) => !/^(user_created|sign_in)$/.test(event))).toEqual([
      'second_factor_enabled',
      'sign_in_failed',
      'recovery_code_used',
      'second_factor_disabled',
      'second_factor_enabled',
      'second_factor_reset',
    ]);
    expect(lines.find(({ event }) => event === 'recovery_code_used')?.target_user).toBe(account.id);
  });

  test('sign-ins that are ended, and a refresh token that is reused', async () => {
    const account = await createAccount(app);
    const [one, two] = [await signIn(app, account), await signIn(app, account)];
    const refresh = () => app.anonymous.post('/api/auth/refresh', { refresh_token: two.refresh_token });
    const lines = await events(async () => {
      const [{ id }] = (await app.as(one).get('/api/auth/sign-ins').expect(200)).body.data.filter(
        (entry: { current: boolean }) => entry.current,
      );
      await app.as(one).delete(`/api/auth/sign-ins/${id}`).expect(200);
      await refresh().expect(200);
      clock.advance(31_000);
      await refresh().expect(401);
    });
    expect(lines).toMatchObject([
      { event: 'sign_in_ended', user: account.id },
      { event: 'refresh_token_reused', target_user: account.id },
    ]);
  });

  test('exports, and what administrators do to the records of others', async () => {
    const author = await app.createUser();
    const project = await createProject(app, author);
    const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 600 };
    const created = await app.as(author).post(`/api/projects/${project}/sessions`, record).expect(201);
    const url = `/api/sessions/${created.body.data.id}`;
    const lines = await events(async () => {
      await app.as(author).get('/api/sessions/export').expect(200);
      await app.as(admin).get('/api/admin/contact-requests/export').expect(200);
      await app.as(author).put(url, { note: 'Mine' }).expect(200);
      await app.as(admin).put(url, { note: 'Not mine' }).expect(200);
      await app.as(admin).delete(url).expect(200);
    });
    expect(lines).toMatchObject([
      { event: 'records_exported', user: author.id },
      { event: 'contact_requests_exported', user: admin.id },
      { event: 'record_changed_by_administrator', user: admin.id, target_user: author.id },
      { event: 'record_deleted_by_administrator', user: admin.id, target_user: author.id },
    ]);
  });
});

test('events of a rolled-back transaction are not logged', async () => {
  const body = { username: 'rolled-back', email: 'rolled-back@example.org', contact_request_id: 999_999 };
  expect(await names(() => app.as(admin).post('/api/admin/users', body).expect(404))).toEqual([]);
  const account = await createAccount(app);
  const reset = `/api/admin/users/${account.id}/reset-password`;
  expect(await names(() => app.as(admin).post(reset, { contact_request_id: 999_999 }).expect(404))).toEqual([]);
  await app.query('ALTER TABLE recovery_codes RENAME TO recovery_codes_gone');
  try {
    const user = await signIn(app, account);
    const started = await app.as(user).post('/api/auth/totp', { current_password: account.password }).expect(200);
    const otp = codeAt(started.body.data.secret, clock());
    expect(await names(() => app.as(user).post('/api/auth/totp/confirm', { otp }).expect(500))).toEqual([]);
  } finally {
    await app.query('ALTER TABLE recovery_codes_gone RENAME TO recovery_codes');
  }
});
