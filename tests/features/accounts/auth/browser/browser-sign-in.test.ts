import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, asSignedIn, createAccount, signIn } from '../../../../support/accounts.ts';
import { cookieOf, fromPage, ownPage, setCookie, signInOnPage } from '../../../../support/browser.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock();
let app: TestApp;
let account: Account;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { CORS_ORIGINS: 'https://listed.example.org' } });
  account = await createAccount(app);
});
afterAll(() => app.stop());

const isActive = async (token: string) =>
  (await app.as({ ...account, role: 'user', token }).get('/api/auth/me')).status;

describe('the cookie', () => {
  test('contains the refresh token, is HttpOnly, and is a session cookie', async () => {
    const response = await signInOnPage(app, account).expect(200);
    expect(setCookie(response)).toMatch(/^studytrack=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(response.body.data).toMatchObject({ token_type: 'Bearer', expires_in: 900, user: { id: account.id } });
    expect(response.text).not.toContain('refresh_token');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await isActive(response.body.data.token)).toBe(200);
  });

  test('lasts 30 days with keep_signed_in, also after a refresh, but not longer than the sign-in', async () => {
    let response = await signInOnPage(app, account, { keep_signed_in: true }).expect(200);
    expect(setCookie(response)).toContain('; Max-Age=2592000;');
    for (let days = 29; days < 87; days += 29) {
      clock.advance(29 * day);
      response = await fromPage(app, 'refresh', cookieOf(response)).expect(200);
    }
    clock.advance(29 * day);
    response = await fromPage(app, 'refresh', cookieOf(response)).expect(200);
    expect(setCookie(response)).toContain(`; Max-Age=${3 * 86_400};`);
  });

  test('has the prefix __Host- and is Secure for a page over https', async () => {
    const https = { ...ownPage, Origin: 'https://study.example.org' };
    const { username, password } = account;
    const response = await fromPage(app, 'sign-in', '', https).send({ username, password }).expect(200);
    expect(setCookie(response)).toMatch(/^__Host-studytrack=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const plain = cookieOf(response).replace('__Host-', '');
    await fromPage(app, 'refresh', plain, https).expect(401);
    await fromPage(app, 'refresh', cookieOf(response)).expect(401);
    const next = await fromPage(app, 'refresh', cookieOf(response), https).expect(200);
    const out = await fromPage(app, 'sign-out', cookieOf(next), https).expect(200);
    expect(setCookie(out)).toBe('__Host-studytrack=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict');
  });

  test('is not set for a wrong password', async () => {
    const response = await signInOnPage(app, { ...account, password: 'a wrong password' }).expect(401);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('is not accepted in a body, nor a token from a body in a cookie', async () => {
    const page = await signInOnPage(app, account).expect(200);
    const client = await signIn(app, account);
    const refresh_token = cookieOf(page).split('=')[1];
    await app.anonymous.post('/api/auth/refresh', { refresh_token }).expect(401);
    await fromPage(app, 'refresh', `studytrack=${client.refresh_token}`).expect(401);
    await fromPage(app, 'sign-out', `studytrack=${client.refresh_token}`).expect(200);
    await fromPage(app, 'refresh', cookieOf(page)).expect(200);
    asSignedIn(await app.anonymous.post('/api/auth/refresh', { refresh_token: client.refresh_token }).expect(200));
  });

  test.each([
    ['missing', ''],
    ['empty', 'studytrack='],
    ['unknown', `studytrack=${'x'.repeat(43)}`],
    ['undecodable', 'studytrack=%zz%00'],
    ['long', `studytrack=${'x'.repeat(8000)}`],
    ['named differently', 'Studytrack=x; captcha_id=x'],
  ])('that is %s is rejected', async (_, cookie) => {
    await fromPage(app, 'refresh', cookie).expect(401);
    await fromPage(app, 'sign-out', cookie).expect(200);
  });
});

describe('the origin', () => {
  const json = { 'Content-Type': 'application/json' };
  const host = 'study.example.org:8443';
  test.each<[string, Record<string, string>]>([
    ['same-origin', { ...json, 'Sec-Fetch-Site': 'same-origin' }],
    ['its own Origin over http', { ...json, Host: host, Origin: `http://${host}` }],
    ['its own Origin over https', { ...json, Host: host, Origin: `https://${host}` }],
    ['its own Origin in capitals', { ...json, Host: host.toUpperCase(), Origin: `https://${host}` }],
    ['JSON with a charset', { 'Content-Type': 'application/json; charset=utf-8', 'Sec-Fetch-Site': 'same-origin' }],
  ])('is accepted: %s', async (_, headers) => {
    await fromPage(app, 'refresh', '', headers).expect(401);
    await fromPage(app, 'sign-out', '', headers).expect(200);
  });

  test.each<[string, Record<string, string>]>([
    ['no Origin or Sec-Fetch-Site header', json],
    ['another site', { ...json, 'Sec-Fetch-Site': 'cross-site' }],
    [
      'another site with our Origin',
      { ...json, 'Sec-Fetch-Site': 'cross-site', Host: host, Origin: `https://${host}` },
    ],
    ['a sibling site', { ...json, 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', { ...json, 'Sec-Fetch-Site': 'none' }],
    ['nonsense', { ...json, 'Sec-Fetch-Site': 'same-origin, cross-site' }],
    ['another Origin', { ...json, Host: host, Origin: 'https://evil.example.org' }],
    ['another port', { ...json, Host: host, Origin: 'https://study.example.org' }],
    ['an origin listed for CORS', { ...json, Host: host, Origin: 'https://listed.example.org' }],
    ['our host as a prefix', { ...json, Host: host, Origin: `https://${host}.evil.example.org` }],
    ['our host as a user name', { ...json, Host: host, Origin: `https://${host}@evil.example.org` }],
    ['an opaque origin', { ...json, Host: host, Origin: 'null' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }],
    ['text', { 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-origin' }],
    ['no content type', { 'Sec-Fetch-Site': 'same-origin' }],
    ['a similar content type', { 'Content-Type': 'application/jsonp', 'Sec-Fetch-Site': 'same-origin' }],
  ])('is rejected: %s', async (_, headers) => {
    const cookie = cookieOf(await signInOnPage(app, account).expect(200));
    const { username, password } = account;
    const body = JSON.stringify({ username, password });
    const before = await app.query('SELECT id, revoked_at FROM sign_ins ORDER BY id');
    for (const response of [
      await fromPage(app, 'sign-in', '', headers).send(body),
      await fromPage(app, 'refresh', cookie, headers).send('{}'),
      await fromPage(app, 'sign-out', cookie, headers).send('{}'),
    ]) {
      expect([response.status, response.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect(await app.query('SELECT id, revoked_at FROM sign_ins ORDER BY id')).toEqual(before);
    await fromPage(app, 'refresh', cookie).expect(200);
  });

  test('is compared with PUBLIC_URL if a proxy changes the Host', async () => {
    const settings = { PUBLIC_URL: 'https://study.example.org/' };
    const behindProxy = await startTestApp({ databaseUrl: app.databaseUrl, settings });
    const from = (Origin: string) => ({ ...json, Host: 'inside:3000', Origin });
    await fromPage(behindProxy, 'refresh', '', from('https://study.example.org')).expect(401);
    await fromPage(behindProxy, 'refresh', '', from('https://evil.example.org')).expect(403);
    await behindProxy.stop();
  });
});

describe('signing out', () => {
  test('ends the sign-in and removes the cookie, even with a used cookie', async () => {
    const response = await signInOnPage(app, account).expect(200);
    const next = await fromPage(app, 'refresh', cookieOf(response)).expect(200);
    const out = await fromPage(app, 'sign-out', cookieOf(response)).expect(200);
    expect(setCookie(out)).toBe('studytrack=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect(await isActive(next.body.data.token)).toBe(401);
    await fromPage(app, 'refresh', cookieOf(next)).expect(401);
    await fromPage(app, 'sign-out', cookieOf(next)).expect(200);
  });

  test('a new sign-in ends the one whose cookie it replaces, a failed sign-in does not', async () => {
    const first = await signInOnPage(app, account).expect(200);
    const elsewhere = await signInOnPage(app, account).expect(200);
    await signInOnPage(app, { ...account, password: 'a wrong password' }, {}, cookieOf(first)).expect(401);
    expect(await isActive(first.body.data.token)).toBe(200);
    const second = await signInOnPage(app, account, {}, cookieOf(first)).expect(200);
    expect(await isActive(first.body.data.token)).toBe(401);
    expect(await isActive(second.body.data.token)).toBe(200);
    expect(await isActive(elsewhere.body.data.token)).toBe(200);
  });
});
