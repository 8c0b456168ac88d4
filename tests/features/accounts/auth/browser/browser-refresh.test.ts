import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createAccount } from '../../../../support/accounts.ts';
import { cookieOf, fromPage, signInOnPage } from '../../../../support/browser.ts';
import { raceAgainstLock } from '../../../../support/locks.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../../support/test-app.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const clock = createTestClock();
let app: TestApp;
let other: TestApp; // a second process on the same database
let account: Account;
let first: Response;
beforeAll(async () => {
  app = await startTestApp({ clock });
  other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
});
beforeEach(async () => {
  account = await createAccount(app);
  first = await signInOnPage(app, account).expect(200);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const refresh = (of: Response, at = app) => fromPage(at, 'refresh', cookieOf(of));
const tokenStatus = async (of: Response) =>
  (await app.as({ ...account, role: 'user', token: of.body.data.token }).get('/api/auth/me')).status;

test('replaces the cookie, which can be refreshed again', async () => {
  const next = await refresh(first).expect(200);
  expect(cookieOf(next)).not.toBe(cookieOf(first));
  expect(next.body.data.user.id).toBe(account.id);
  expect(await tokenStatus(next)).toBe(200);
  await refresh(next, other).expect(200);
});

test.each([10 * minute, 24 * hour])('a lost response is repeated %i ms later', async (later) => {
  const lost = await refresh(first).expect(200);
  clock.advance(later);
  const again = await refresh(first, other).expect(200);
  expect(cookieOf(again)).toBe(cookieOf(lost));
  expect(await tokenStatus(again)).toBe(200);
  await refresh(again).expect(200);
});

test('after 24 hours a used cookie ends the sign-in', async () => {
  const lost = await refresh(first).expect(200);
  clock.advance(24 * hour + 1);
  await refresh(first).expect(401);
  await refresh(lost).expect(401);
  expect(await tokenStatus(lost)).toBe(401);
});

test('a used cookie whose successor was used is rejected for 30 seconds, and later ends the sign-in', async () => {
  const next = await refresh(first).expect(200);
  const last = await refresh(next).expect(200);
  clock.advance(30 * second);
  const rejected = await refresh(first).expect(401);
  expect(rejected.headers['set-cookie']).toBeUndefined(); // the browser may already have a newer one
  expect(await tokenStatus(last)).toBe(200);
  clock.advance(1);
  await refresh(first, other).expect(401);
  await refresh(last).expect(401);
});

test('ten concurrent tabs in two processes get the same cookie', async () => {
  const lock = `SELECT FROM sign_ins WHERE user_id = ${account.id} FOR UPDATE`;
  // Of the ten, each process serves two at a time.
  const tabs = await raceAgainstLock(app, lock, 4, () =>
    Promise.all(Array.from({ length: 10 }, (_, index) => refresh(first, index % 2 === 0 ? app : other))),
  );
  expect(tabs.map((tab) => tab.status)).toEqual(Array(10).fill(200));
  expect(new Set(tabs.map(cookieOf)).size).toBe(1);
  for (const tab of tabs) expect(await tokenStatus(tab)).toBe(200);
});

test('a refresh concurrent with a sign-out leaves no valid cookie', async () => {
  for (let round = 0; round < 10; round += 1) {
    first = await signInOnPage(app, account).expect(200);
    const [tab] = await Promise.all([refresh(first, other), fromPage(app, 'sign-out', cookieOf(first)).expect(200)]);
    if (tab.status === 200) {
      await refresh(tab).expect(401);
      expect(await tokenStatus(tab)).toBe(401);
    } else expect(tab.status).toBe(401);
  }
});

test('two concurrent sign-outs both succeed', async () => {
  const lock = `SELECT FROM sign_ins WHERE user_id = ${account.id} FOR UPDATE`;
  const responses = await raceAgainstLock(app, lock, 2, () =>
    Promise.all([app, other].map((at) => fromPage(at, 'sign-out', cookieOf(first)))),
  );
  expect(responses.map((out) => out.status)).toEqual([200, 200]);
  expect(await tokenStatus(first)).toBe(401);
});
