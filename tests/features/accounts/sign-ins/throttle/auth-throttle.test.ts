import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createAccount, createAccountByAdmin, signIn } from '../../../../support/accounts.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../../support/test-app.ts';

const minute = 60_000;
const clock = createTestClock();
const settings = { TRUST_PROXY: '1' };
let app: TestApp;
let other: TestApp; // a second process on the same database
beforeAll(async () => {
  app = await startTestApp({ settings, clock });
  other = await startTestApp({ settings, clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

let addresses = 0;
/** An address without failures. */
function newAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`;
}

function guess(name: string, address: string, { password = 'a wrong password', at = app } = {}) {
  return at.anonymous.post('/api/auth/login', { username: name, password }).set('X-Forwarded-For', address);
}

/** The number of responses by status. */
function tally(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function fail(account: Account, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await guess(account.username, newAddress()).expect(401);
}

describe('failed sign-ins to one account', () => {
  test('lock it after ten, from any address, for 15 minutes', async () => {
    const account = await createAccount(app);
    await fail(account, 4);
    clock.advance(minute);
    for (let time = 0; time < 6; time += 1) await guess(account.email.toUpperCase(), newAddress()).expect(401);

    const { username, password } = account;
    const rejected = await guess(username, newAddress(), { password }).expect(429);
    expect(rejected.body.error.code).toBe('RATE_LIMITED');
    expect(rejected.headers['retry-after']).toBe(String(14 * 60));
    expect(rejected.headers['ratelimit-policy']).toBe('"sign-in-by-account"; q=10; w=900');
    expect(rejected.headers['ratelimit']).toBe('"sign-in-by-account"; r=0; t=840');
    await guess(username, newAddress(), { password, at: other }).expect(429);

    clock.advance(14 * minute - 1);
    await guess(username, newAddress(), { password }).expect(429);
    clock.advance(1);
    await guess(username, newAddress(), { password }).expect(200);
  });

  test('are counted for unknown names as well, with the same responses', async () => {
    for (let time = 0; time < 10; time += 1) await guess('Nobody', newAddress()).expect(401);
    await guess('nobody', newAddress()).expect(429);
    const rows = await app.query<{ account: string }>(
      "SELECT account FROM sign_in_failures WHERE account LIKE 'name%'",
    );
    expect(rows.some((row) => /nobody/i.test(row.account))).toBe(false);
  });

  test('do not affect other accounts and signed-in users', async () => {
    const account = await createAccount(app);
    const before = await signIn(app, account, newAddress());
    await fail(account, 10);
    await guess(account.username, newAddress()).expect(429);
    await app.as(before).get('/api/auth/me').expect(200);
    await signIn(app, await createAccount(app), newAddress());
  });

  test('are not reset by a successful sign-in in between', async () => {
    const account = await createAccount(app);
    await fail(account, 9);
    for (let time = 0; time < 3; time += 1) await signIn(app, account, newAddress());
    await fail(account, 1);
    await guess(account.username, newAddress(), { password: account.password }).expect(429);
  });

  test('are reset when an administrator resets the password', async () => {
    const account = await createAccount(app);
    await fail(account, 10);
    const admin = await app.createUser({ role: 'admin' });
    const reset = await app.as(admin).post(`/api/admin/users/${account.id}/reset-password`).expect(200);
    await guess(account.username, newAddress(), { password: reset.body.data.one_time_password }).expect(200);
  });

  test('of forty concurrent ones in two processes ten are verified', async () => {
    const account = await createAccountByAdmin(app);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        guess(account.username, newAddress(), { at: index % 2 === 0 ? app : other }),
      ),
    );
    expect(tally(responses)).toEqual({ 401: 10, 429: 30 });
  });

  test('concurrent with right ones: none is accepted after the tenth failure', async () => {
    const account = await createAccountByAdmin(app);
    await fail(account, 9);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        guess(account.username, newAddress(), {
          at: index % 2 === 0 ? app : other,
          ...(index >= 30 && { password: account.password }),
        }),
      ),
    );
    const counts = tally(responses);
    expect(counts[401]).toBe(1);
    expect((counts[200] ?? 0) + (counts[429] ?? 0)).toBe(39);
  });

  test('concurrent right passwords are never rejected', async () => {
    const account = await createAccountByAdmin(app);
    await fail(account, 9);
    const address = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        guess(account.username, address, { password: account.password, at: index % 2 === 0 ? app : other }),
      ),
    );
    expect(tally(responses)).toEqual({ 200: 24 });
  });
});

describe('failed sign-ins from one address', () => {
  test('lock it after thirty, for any account, without affecting other addresses', async () => {
    const address = newAddress();
    const account = await createAccount(app);
    for (let time = 0; time < 29; time += 1) await guess(`unknown ${time}`, address).expect(401);
    await guess(account.username, address).expect(401);
    const rejected = await guess(account.username, address, { password: account.password }).expect(429);
    expect(rejected.headers['ratelimit-policy']).toBe('"sign-in-by-address"; q=30; w=900');
    await guess(account.username, newAddress(), { password: account.password }).expect(200);
    clock.advance(15 * minute);
    await guess(account.username, address, { password: account.password }).expect(200);
  });

  test('of sixty concurrent ones in two processes thirty are verified', async () => {
    const address = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => guess(`crowd ${index}`, address, { at: index % 2 === 0 ? app : other })),
    );
    expect(tally(responses)).toEqual({ 401: 30, 429: 30 });
  });

  test('an IPv6 /64 counts as one address, a mapped IPv4 address as the IPv4 address', async () => {
    for (let time = 0; time < 30; time += 1) await guess(`six ${time}`, `2001:db8:7:7::${time + 1}`).expect(401);
    await guess('six', '2001:db8:7:7:ffff::1').expect(429);
    await guess('six', '2001:db8:7:8::1').expect(401);

    const plain = newAddress();
    for (let time = 0; time < 30; time += 1) await guess(`four ${time}`, `::ffff:${plain}`).expect(401);
    await guess('four', plain).expect(429);
  });

  test('are counted for the socket address without a trusted proxy', async () => {
    const alone = await startTestApp({ clock });
    try {
      for (let time = 0; time < 30; time += 1) await guess(`x ${time}`, newAddress(), { at: alone }).expect(401);
      await guess('x', newAddress(), { at: alone }).expect(429);
    } finally {
      await alone.stop();
    }
  });
});

test('expired failures are deleted', async () => {
  await guess('somebody', newAddress()).expect(401);
  clock.advance(15 * minute);
  await app.container.jobs.find((job) => job.name === 'purge sign-in failures')?.run();
  expect(await app.query('SELECT FROM sign_in_failures')).toHaveLength(0);
});
