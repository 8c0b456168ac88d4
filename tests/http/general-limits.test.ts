import { afterEach, describe, expect, test } from 'vitest';
import { createAccount } from '../support/accounts.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
afterEach(() => app.stop());

const start = async (perMinute: number) => {
  app = await startTestApp({ settings: { RATE_LIMIT_PER_MINUTE: String(perMinute), TRUST_PROXY: '1' } });
};
const from = (address: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.origin}${path}`, { headers: { 'X-Forwarded-For': address, ...headers } });
const as = (user: TestUser, path: string, address = '192.0.2.1') =>
  from(address, path, { Authorization: `Bearer ${user.token}` });

async function statuses(count: number, send: () => Promise<Response>): Promise<number[]> {
  const received: number[] = [];
  for (let sent = 0; sent < count; sent += 1) received.push((await send()).status);
  return received;
}

describe('unauthenticated requests count against their address', () => {
  test.each([
    ['without a token', '/api/projects', {}, 401],
    ['with an invalid token', '/api/projects', { Authorization: 'Bearer invalid' }, 401],
    ['for an unknown path', '/api/nothing', {}, 404],
    ['with an unknown method', '/api/timer/start', {}, 405],
    ['for a public operation', '/api/contact/captcha', {}, 200],
  ])('%s', async (_what, path, headers, status) => {
    await start(3);
    expect(await statuses(4, () => from('192.0.2.1', path, headers))).toEqual([status, status, status, 429]);
    const rejected = await from('192.0.2.1', path, headers);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('192.0.2.2', path, headers)).status).toBe(status);
  });

  test('images and the reference page have a separate, higher limit', async () => {
    await start(2);
    expect(await statuses(10, () => from('192.0.2.1', '/docs'))).toEqual(Array(10).fill(200));
    expect((await from('192.0.2.1', '/uploads/projects/none.png')).status).toBe(429);
    expect((await from('192.0.2.1', '/openapi.json')).status).toBe(429);
    expect((await from('192.0.2.1', '/api/contact/captcha')).status).toBe(200);
  });

  test('health checks and metrics are not limited', async () => {
    await start(1);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await statuses(5, () => from('192.0.2.1', path))).toEqual(Array(5).fill(200));
    expect((await from('192.0.2.1', '/api/contact/captcha')).status).toBe(200);
  });
});

describe('addresses that a proxy reports with a port or in brackets', () => {
  test.each([
    ['IPv4 and port', (port: number) => `198.51.100.7:${port}`, '198.51.100.7'],
    ['IPv6 in brackets and port', (port: number) => `[2001:db8::7]:${port}`, '2001:db8::7'],
    ['IPv6 in brackets', () => '[2001:db8::7]', '2001:db8::7'],
    ['a list, of which the proxy added the last', (port: number) => `192.0.2.9, 198.51.100.7:${port}`, '198.51.100.7'],
  ])('%s: one caller, whatever the port', async (_what, write, plain) => {
    await start(3);
    let port = 50_000;
    const send = () => {
      port += 1;
      return from(write(port), '/api/contact/captcha');
    };
    expect(await statuses(4, send)).toEqual([200, 200, 200, 429]);
    expect((await from(plain, '/api/contact/captcha')).status).toBe(429);
    expect((await from('198.51.100.8:50000', '/api/contact/captcha')).status).toBe(200);
  });

  test('the throttle of sign-ins and stored addresses use the address alone', async () => {
    await start(0);
    const account = await createAccount(app);
    const signIn = (address: string, password: string) =>
      app.anonymous.post('/api/auth/login', { username: account.username, password }).set('X-Forwarded-For', address);
    await signIn('198.51.100.7:50001', 'a wrong one').expect(401);
    await signIn('[2001:db8::7]:443', account.password).expect(200);
    expect(await app.query('SELECT address FROM sign_in_failures')).toEqual([{ address: '198.51.100.7' }]);
    expect(await app.query('SELECT address FROM sign_ins WHERE user_id = $1', [account.id])).toEqual([
      { address: '2001:db8::7' },
    ]);
  });
});

describe('signed-in users have their own limit', () => {
  test('requests from the same address and of other users behind it do not count', async () => {
    await start(3);
    const [one, other] = [await app.createUser(), await app.createUser()];
    expect(await statuses(4, () => from('192.0.2.1', '/api/projects'))).toEqual([401, 401, 401, 429]);
    expect(await statuses(4, () => as(one, '/api/timer'))).toEqual([200, 200, 200, 429]);
    expect(await statuses(3, () => as(other, '/api/timer'))).toEqual([200, 200, 200]);
    expect((await as(one, '/api/timer', '192.0.2.9')).status).toBe(429);
  });

  test('requests with an ended sign-in count against the address, not the user', async () => {
    await start(3);
    const user = await app.createUser();
    await app.query('UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1', [user.id]);
    expect(await statuses(5, () => as(user, '/api/timer'))).toEqual([401, 401, 401, 401, 429]);
    const account = await createAccount(app);
    const { data } = (
      await app.anonymous
        .post('/api/auth/login', { username: account.username, password: account.password })
        .set('X-Forwarded-For', '192.0.2.7')
        .expect(200)
    ).body;
    expect((await as({ ...user, token: data.token }, '/api/timer', '192.0.2.7')).status).toBe(200);
  });

  test('images and imports have separate, lower limits', async () => {
    await start(40);
    const user = await app.createUser();
    const send = (path: string) =>
      fetch(`${app.origin}${path}`, { method: 'POST', headers: { Authorization: `Bearer ${user.token}` } });
    expect(await statuses(2, () => send('/api/sessions/import'))).toEqual([400, 429]);
    expect(await statuses(3, () => send('/api/projects/1/image'))).toEqual([404, 404, 429]);
    expect((await as(user, '/api/timer')).status).toBe(200);
  });
});
