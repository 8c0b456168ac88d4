import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../support/accounts.ts';
import { ownPage } from '../../../support/browser.ts';
import { startIdentityProvider, type TestProvider } from '../../../support/servers/identity-provider.ts';
import { finish, signInThrough, visitProvider } from '../../../support/single-sign-on.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startTestApp({
    clock,
    settings: { ...provider.settings, PASSWORD_SIGN_IN: 'off', OIDC_ADMIN_CLAIM: 'groups=teachers' },
  });
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

let people = 0;
const newClaims = () => {
  people += 1;
  return { email: `person${people}@school.test`, email_verified: true };
};

/** Nothing was opened: no sign-in, no link, no account. */
async function expectNothing(work: () => PromiseLike<unknown>) {
  const count =
    'SELECT (SELECT count(*) FROM sign_ins) + (SELECT count(*) FROM sso_identities) + (SELECT count(*) FROM users) AS n';
  const before = await app.query(count);
  await work();
  expect(await app.query(count)).toEqual(before);
}

const now = () => Math.floor(Date.now() / 1000);
const invalid = /not valid/;
test.each<[string, Parameters<TestProvider['be']>[2], number, RegExp]>([
  ['of another issuer', { change: (claims) => ({ ...claims, iss: 'https://login.evil.test' }) }, 401, invalid],
  ['for another audience', { change: (claims) => ({ ...claims, aud: 'another service' }) }, 401, invalid],
  ['with another nonce', { change: (claims) => ({ ...claims, nonce: 'another' }) }, 401, invalid],
  ['that has expired', { change: (claims) => ({ ...claims, exp: now() - 600, iat: now() - 900 }) }, 401, invalid],
  ['without a subject', { change: ({ sub: _, ...claims }) => claims }, 401, invalid],
  ['signed with an unknown key', { hasForeignKey: true }, 401, invalid],
])('a token %s opens nothing', async (_, behaviour, status, message) => {
  const claims = newClaims();
  await createAccount(app, { email: claims.email });
  provider.be(`subject-${people}`, claims, behaviour);
  await expectNothing(async () => {
    const response = await signInThrough(provider, app);
    expect(response.body.message).toMatch(message);
    expect(response.status).toBe(status);
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

test.each([
  ['unconfirmed', (email: string) => ({ email, email_verified: false }), /does not confirm/],
  ['confirmed with another text', (email: string) => ({ email, email_verified: 'false' }), /does not confirm/],
  ['missing', () => ({ email_verified: true }), /does not confirm/],
  // The Kelvin sign becomes the letter k in lower case.
  [
    'only similar',
    (email: string) => ({ email: email.replace('k', '\u212a'), email_verified: true }),
    /does not confirm/,
  ],
  ['unknown here', (email: string) => ({ email: `x${email}`, email_verified: true }), /no account/],
])('an address that is %s links nothing', async (_, claims, message) => {
  const email = `kim${people}.${newClaims().email}`;
  await createAccount(app, { email });
  provider.be(`subject-${people}`, claims(email));
  await expectNothing(async () => {
    const response = await signInThrough(provider, app);
    expect(response.status).toBe(403);
    expect(response.body.message).toMatch(message);
  });
});

test('an account that is linked already is not linked to a second identity', async () => {
  const claims = newClaims();
  await createAccount(app, { email: claims.email });
  provider.be(`subject-${people}`, claims);
  expect((await signInThrough(provider, app)).status).toBe(200);
  provider.be(`another-${people}`, claims);
  await expectNothing(async () => {
    expect((await signInThrough(provider, app)).body.message).toMatch(/another sign-in/);
  });
});

test('a state is bound to the browser, used once, and expires after ten minutes', async () => {
  const claims = newClaims();
  await createAccount(app, { email: claims.email });
  provider.be(`subject-${people}`, claims);
  const [mine, attacker] = [await visitProvider(app, provider), await visitProvider(app, provider)];
  await expectNothing(async () => {
    await finish(app, { ...mine, cookie: attacker.cookie }).expect(401);
    await finish(app, { ...mine, cookie: '' }).expect(401);
    await finish(app, { ...mine, query: '' }).expect(400);
    await finish(app, { ...mine, query: 'code=x' }).expect(401);
    await finish(app, mine).set('Sec-Fetch-Site', 'cross-site').expect(403);
  });
  await finish(app, mine).expect(200);
  await expectNothing(() => finish(app, mine).expect(401));
  clock.advance(600_000);
  await expectNothing(() => finish(app, attacker).expect(401));
});

test('a code with the state of another sign-in is refused by the provider', async () => {
  const claims = newClaims();
  await createAccount(app, { email: claims.email });
  provider.be(`subject-${people}`, claims);
  const [first, second] = [await visitProvider(app, provider), await visitProvider(app, provider)];
  const stolen = new URLSearchParams(first.query).get('code') ?? '';
  const query = new URLSearchParams(second.query);
  query.set('code', stolen);
  await expectNothing(() => finish(app, { ...second, query: query.toString() }).expect(401));
});

test('a code is bound to a secret of this service (PKCE)', async () => {
  const claims = newClaims();
  await createAccount(app, { email: claims.email });
  provider.be(`subject-${people}`, claims);
  const begun = await app.anonymous.post('/api/auth/browser/single-sign-on', {}).set(ownPage).expect(200);
  const { searchParams } = new URL(begun.body.data.url);
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(searchParams.get('response_type')).toBe('code');
  const attempt = await visitProvider(app, provider);
  await app.query('UPDATE sso_attempts SET code_verifier = $1', ['x'.repeat(43)]);
  await expectNothing(() => finish(app, attempt).expect(401));
});

test('a refusal of the provider is one', async () => {
  provider.be('somebody', newClaims(), { denies: true });
  const response = await signInThrough(provider, app);
  expect(response.status).toBe(403);
  expect(response.body.message).toMatch(/has not let you in/);
});

test('a user who leaves the group is no longer an administrator; the last one cannot sign in', async () => {
  const [head, teacher] = [newClaims(), newClaims()];
  for (const { email } of [head, teacher]) await createAccount(app, { email });
  const enter = async (claims: object, subject: string, groups: string[]) => {
    provider.be(subject, { ...claims, groups });
    return signInThrough(provider, app);
  };
  expect((await enter(head, 'head', ['teachers'])).body.data.user.role).toBe('admin');
  const first = await enter(teacher, 'teacher', ['staff', 'teachers']);
  expect(first.body.data.user.role).toBe('admin');
  const admin = { id: 0, username: '', email: '', role: 'admin', token: first.body.data.token } as const;
  await app.as(admin).get('/api/admin/users').expect(200);
  expect((await enter(teacher, 'teacher', ['staff'])).body.data.user.role).toBe('user');
  await app.as(admin).get('/api/admin/users').expect(403);
  const { id } = first.body.data.user;
  const logged = `SELECT actor_id, target_ids, before ->> 'role' AS before, after ->> 'role' AS after
    FROM audit_log WHERE action = 'finishSingleSignOn' AND actor_id = $1 ORDER BY id`;
  expect(await app.query(logged, [id])).toEqual([
    { actor_id: id, target_ids: [id], before: 'user', after: 'admin' },
    { actor_id: id, target_ids: [id], before: 'admin', after: 'user' },
  ]);
  await app.query("UPDATE users SET status = 'inactive' WHERE role = 'admin' AND lower(email) <> $1", [head.email]);
  await expectNothing(async () => {
    expect((await enter(head, 'head', [])).body.error.code).toBe('LAST_ADMIN');
  });
});

test('passwords are switched off', async () => {
  const account = await createAccount(app, newClaims());
  const { body } = await app.anonymous.post('/api/auth/login', account).expect(403);
  expect(body.message).toMatch(/switched off/);
});

test('a provider that is down or describes another issuer: nobody signs in', async () => {
  const other = await startIdentityProvider();
  const settings = { ...other.settings, OIDC_ISSUER: `${other.issuer.replace('127.0.0.1', 'localhost')}` };
  const misnamed = await startTestApp({ settings, databaseUrl: app.databaseUrl });
  const begin = (at: TestApp) => at.anonymous.post('/api/auth/browser/single-sign-on', {}).set(ownPage);
  expect((await begin(misnamed).expect(503)).body.message).toMatch(/cannot be reached/);
  await misnamed.stop();

  const twin = await startTestApp({ settings: other.settings, databaseUrl: app.databaseUrl });
  other.be('late', newClaims());
  const attempt = await visitProvider(twin, other);
  await other.stop();
  await expectNothing(() => finish(twin, attempt).expect(503));
  await twin.stop();
  const down = await startTestApp({ settings: other.settings, databaseUrl: app.databaseUrl });
  await begin(down).expect(503);
  await down.stop();
});

test('without a provider there is no single sign-on', async () => {
  const plain = await startTestApp({ databaseUrl: app.databaseUrl });
  await plain.anonymous.post('/api/auth/browser/single-sign-on', {}).set(ownPage).expect(404);
  await finish(plain, { cookie: '', query: 'state=x' }).expect(404);
  await plain.stop();
});

test('a forgotten password is refused for every address alike, and sends nothing', async () => {
  const { email } = await app.createUser();
  const ask = async (given: string) => {
    const { status, body } = await app.anonymous.post('/api/auth/forgot-password', { email: given });
    return [status, body];
  };
  const known = await ask(email);
  expect(known).toEqual([
    403,
    expect.objectContaining({ error: expect.objectContaining({ code: 'PERMISSION_DENIED' }) }),
  ]);
  expect(await ask('nobody@school.test')).toEqual(known);
  expect(await app.query('SELECT 1 FROM password_reset_requests')).toEqual([]);
});
