import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokens } from '../../../../src/features/accounts/sign-ins/tokens.ts';
import { createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser, testSecret } from '../../../support/test-app.ts';

type Claims = Record<string, unknown>;

const clock = createTestClock();
let app: TestApp;
let user: SignedIn;
/** The claims of a valid token. */
let validClaims: Claims;
beforeAll(async () => {
  app = await startTestApp({ clock });
  user = await signIn(app, await createAccount(app));
  validClaims = claimsOf(user.token);
});
afterAll(() => app.stop());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const now = () => Math.floor(clock().getTime() / 1000);

/** Builds a token; with `testSecret` its signature is valid. */
function forge(claims: Claims, header: object = { alg: 'HS256', typ: 'JWT' }, secret = testSecret, digest = 'sha256') {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac(digest, secret).update(content).digest('base64url')}`;
}

const tryToken = (token: string) => app.as({ ...user, token }).get('/api/auth/me');

test('a token contains the user, the sign-in, the expiry and no other data', async () => {
  expect(Object.keys(validClaims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub']);
  expect(Number(validClaims['exp']) - Number(validClaims['iat'])).toBe(900);
  await tryToken(user.token).expect(200);
  await tryToken(forge(validClaims)).expect(200); // the baseline for the following changes
});

describe('rejected', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const rs256 = (claims: Claims) => {
    const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
    return `${content}.${createSign('sha256').update(content).sign(privateKey, 'base64url')}`;
  };
  const without = (name: string) => Object.fromEntries(Object.entries(validClaims).filter(([key]) => key !== name));
  const attacks: readonly [string, () => string][] = [
    ['alg none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(validClaims)}.`],
    ['alg NONE with a signature', () => forge(validClaims, { alg: 'NONE', typ: 'JWT' })],
    ['HS512 with our secret', () => forge(validClaims, { alg: 'HS512', typ: 'JWT' }, testSecret, 'sha512')],
    ['RS256 signed with an attacker’s key', () => rs256(validClaims)],
    ['HS256 signed with a public key', () => forge(validClaims, undefined, publicPem)],
    ['a key embedded in the header', () => forge(validClaims, { alg: 'HS256', jwk: { kty: 'oct', k: 'YQ' } }, 'a')],
    ['a key file named in the header', () => forge(validClaims, { alg: 'HS256', kid: '/dev/null' }, '')],
    ['another secret', () => forge(validClaims, undefined, 'another secret, also long enough to be one')],
    ['no secret', () => forge(validClaims, undefined, '')],
    ['expired', () => forge({ ...validClaims, iat: now() - 1000, exp: now() })],
    ['no expiry', () => forge(without('exp'))],
    ['an expiry that is a string', () => forge({ ...validClaims, exp: 'tomorrow' })],
    ['not valid yet', () => forge({ ...validClaims, nbf: now() + 60 })],
    ['another audience', () => forge({ ...validClaims, aud: 'another-api' })],
    ['no audience', () => forge(without('aud'))],
    ['another issuer', () => forge({ ...validClaims, iss: 'somebody' })],
    ['no issuer', () => forge(without('iss'))],
    ['no subject', () => forge(without('sub'))],
    ['a subject that is not an id', () => forge({ ...validClaims, sub: '1 OR 1=1' })],
    ['a subject that is an object', () => forge({ ...validClaims, sub: { $gt: 0 } })],
    ['an unknown subject', () => forge({ ...validClaims, sub: '999999999999' })],
    ['another user’s subject', () => forge({ ...validClaims, sub: String(user.id - 1) })],
    ['no sign-in', () => forge(without('jti'))],
    ['an unknown sign-in', () => forge({ ...validClaims, jti: `${randomUUID()}.${randomUUID()}` })],
    ['a truncated signature', () => user.token.slice(0, -4)],
    ['no signature', () => user.token.replace(/[^.]+$/, '')],
    ['two parts', () => user.token.split('.').slice(0, 2).join('.')],
    ['a changed payload', () => swap(user.token, 1, encode({ ...validClaims, sub: String(user.id + 1) }))],
    ['a payload that is not JSON', () => swap(user.token, 1, 'bm90IGpzb24')],
    ['a payload that is text', () => jwt.sign('text', testSecret, { algorithm: 'HS256' })],
    ['a very long token', () => forge({ ...validClaims, extra: 'x'.repeat(8000) })],
    ['nonsense', () => '0.1.2'],
  ];
  const swap = (token: string, part: number, by: string) =>
    token
      .split('.')
      .map((text, index) => (index === part ? by : text))
      .join('.');

  test.each(attacks)('%s', async (_what, make) => {
    const response = await tryToken(make()).expect(401);
    expect(response.body.error.code).toBe('UNAUTHORIZED');
    expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test.each([
    ['no header', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['the token without its scheme', 'TOKEN'],
    ['the scheme without a token', 'Bearer'],
    ['two tokens', 'Bearer TOKEN TOKEN'],
  ])('%s', async (_what, header) => {
    const asking = app.anonymous.get('/api/projects');
    if (header !== undefined) asking.set('Authorization', header.replaceAll('TOKEN', user.token));
    const response = await asking.expect(401);
    expect(response.body).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED' } });
  });

  test('a token in the query string, a cookie or the body', async () => {
    for (const name of ['token', 'access_token', 'authorization'])
      await app.anonymous.get(`/api/auth/me?${name}=${user.token}`).expect(401);
    await app.anonymous.get('/api/auth/me').set('Cookie', `token=${user.token}`).expect(401);
    await app.anonymous.put('/api/auth/me', { token: user.token }).expect(401);
  });

  test('an expired token that was verified before', async () => {
    const short = await signIn(app, await createAccount(app));
    await app.as(short).get('/api/auth/me').expect(200);
    clock.advance(900_000 - 1000);
    await app.as(short).get('/api/auth/me').expect(200);
    clock.advance(1000);
    await app.as(short).get('/api/auth/me').expect(401);
  });
});

test('the scheme is case-insensitive', async () => {
  const fresh = await signIn(app, await createAccount(app));
  await app.anonymous.get('/api/auth/me').set('Authorization', `bearer ${fresh.token}`).expect(200);
});

test('secrets can be rotated: the first one signs, all of them verify', () => {
  const [oldSecret, newSecret] = ['the old secret, long enough to be one', 'the new secret, long enough to be one'];
  const subject = { user_id: 7, sign_in_id: randomUUID() };
  const make = (...secrets: string[]) => createTokens({ secrets, accessSeconds: 900, clock });
  const token = make(oldSecret).sign(subject);
  expect(make(newSecret, oldSecret).check(token)).toMatchObject(subject);
  expect(make(newSecret).check(token)).toBe('malformed');
  expect(make(newSecret).check(make(newSecret, oldSecret).sign(subject))).toMatchObject(subject);
  expect(make(oldSecret).check(make(newSecret, oldSecret).sign(subject))).toBe('malformed');
});

describe('changes of the account apply to existing tokens in every process, from the next request on', () => {
  let other: TestApp;
  let admin: TestUser;
  beforeAll(async () => {
    other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
    admin = await app.createUser({ role: 'admin' });
  });
  afterAll(() => other.stop());

  test.each([
    ['deactivation', (id: number) => app.as(admin).put(`/api/admin/users/${id}`, { status: 'inactive' })],
    ['deletion', (id: number) => app.as(admin).delete(`/api/admin/users/${id}`)],
    ['a password reset', (id: number) => app.as(admin).post(`/api/admin/users/${id}/reset-password`)],
  ])('%s', async (_what, change) => {
    const account = await createAccount(app);
    const affected = await signIn(app, account);
    await other.as(affected).get('/api/auth/me').expect(200);
    await change(account.id).expect(200);
    await other.as(affected).get('/api/auth/me').expect(401);
    await app.as(affected).get('/api/projects').expect(401);
    await other.anonymous.post('/api/auth/refresh', { refresh_token: affected.refresh_token }).expect(401);
    await app.query("UPDATE users SET status = 'active' WHERE id = $1 AND deleted_at IS NULL", [account.id]);
    await other.as(affected).get('/api/auth/me').expect(401); // reactivation does not restore ended sign-ins
  });

  test('demotion and promotion', async () => {
    const account = await signIn(app, await createAccount(app, { role: 'admin' }));
    await other.as(account).get('/api/admin/users').expect(200);
    await app.as(admin).put(`/api/admin/users/${account.id}`, { role: 'user' }).expect(200);
    await other.as(account).get('/api/admin/users').expect(403);
    await app.as(admin).put(`/api/admin/users/${account.id}`, { role: 'admin' }).expect(200);
    await other.as(account).get('/api/admin/users').expect(200);
  });
});
