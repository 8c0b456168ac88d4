import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createAccount, signIn } from '../../../../support/accounts.ts';
import { newAddress } from '../../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock();
let app: TestApp;
let other: TestApp; // a second process on the same database
beforeAll(async () => {
  const settings = { TRUST_PROXY: '1' };
  app = await startTestApp({ settings, clock });
  other = await startTestApp({ settings, clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const guess = (username: string, address: string, password = 'a wrong password', at = app) =>
  at.anonymous.post('/api/auth/login', { username, password }).set('X-Forwarded-For', address);

/** An account locked by failures from unknown addresses, and the address that its owner signed in from. */
async function lockedAccount(): Promise<{ account: Account; home: string }> {
  const account = await createAccount(app);
  const home = newAddress();
  await signIn(app, account, home);
  for (let time = 0; time < 10; time += 1) await guess(account.username, newAddress()).expect(401);
  await guess(account.username, newAddress(), account.password).expect(429);
  return { account, home };
}

test('a locked account can still sign in from a known address', async () => {
  const { account, home } = await lockedAccount();
  await guess(account.username, home, account.password).expect(200);
  await guess(account.email, home, account.password, other).expect(200);
});

test('a known IPv6 address covers its /64', async () => {
  const account = await createAccount(app);
  await signIn(app, account, '2001:db8:1:2::3');
  for (let time = 0; time < 10; time += 1) await guess(account.username, newAddress()).expect(401);
  await guess(account.username, '2001:db8:1:2:ffff::9', account.password).expect(200);
  await guess(account.username, '2001:db8:1:3::3', account.password).expect(429);
});

test('a known address has its own limit of ten failures', async () => {
  const { account, home } = await lockedAccount();
  for (let time = 0; time < 9; time += 1) await guess(account.username, home).expect(429);
  await guess(account.username, home, account.password).expect(200);
  await guess(account.username, home).expect(429);
  await guess(account.username, home, account.password).expect(429);
  clock.advance(15 * 60_000);
  await guess(account.username, home, account.password).expect(200);
});

test('of forty concurrent guesses from a known address in two processes ten are verified', async () => {
  const { account, home } = await lockedAccount();
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => guess(account.username, home, undefined, index % 2 === 0 ? app : other)),
  );
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([429]));
  const [counted] = await app.query<{ count: number }>(
    'SELECT count(*) AS count FROM sign_in_failures WHERE account = $1 AND blocked',
    [`user ${account.id}`],
  );
  expect(counted?.count).toBe(11); // ten of these, and one from an unknown address
});

test('an address is known for 30 days, and only for the account that signed in from it', async () => {
  const { account, home } = await lockedAccount();
  const neighbour = await createAccount(app);
  for (let time = 0; time < 10; time += 1) await guess(neighbour.username, newAddress()).expect(401);
  await guess(neighbour.username, home, neighbour.password).expect(429);

  clock.advance(30 * day);
  await app.container.jobs.find((job) => job.name === 'purge sign-in failures')?.run();
  expect(await app.query('SELECT FROM sign_in_addresses')).toEqual([]);
  for (let time = 0; time < 10; time += 1) await guess(account.username, newAddress()).expect(401);
  await guess(account.username, home, account.password).expect(429);
});

test('responses to wrong guesses are the same for an unknown name, even from the owner’s address', async () => {
  const account = await createAccount(app);
  const home = newAddress();
  await signIn(app, account, home);
  const responses: Record<string, unknown[]> = { known: [], unknown: [] };
  for (let time = 0; time < 24; time += 1) {
    const address = time % 3 === 0 ? home : newAddress();
    for (const [kind, name] of [
      ['known', account.username],
      ['unknown', 'nobody.here'],
    ] as const) {
      const { status, body, headers } = await guess(name, address);
      responses[kind]?.push([status, body, headers['retry-after'], headers['ratelimit-policy']]);
    }
  }
  expect(responses['known']).toEqual(responses['unknown']);
});

test('names are compared consistently: letters that only some systems lower-case to ASCII are distinct', async () => {
  const account = await createAccount(app, { username: 'irina' });
  await guess('\u0130rina', newAddress(), account.password).expect(401);
  for (const [name, twin] of [
    ['\u0130rina', 'irina'],
    ['\u0130nobody', 'inobody'],
  ] as const) {
    for (let time = name === '\u0130rina' ? 1 : 0; time < 10; time += 1) await guess(name, newAddress()).expect(401);
    await guess(name, newAddress()).expect(429);
    await guess(twin, newAddress()).expect(401);
  }
});
