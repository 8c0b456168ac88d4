import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSignedIn, createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { raceAgainstLock } from '../../../support/locks.ts';
import { createTestClock, startTestApp, type TestApp, testSecret } from '../../../support/test-app.ts';

const second = 1000;
const day = 86_400 * second;
const clock = createTestClock();
let app: TestApp;
let other: TestApp; // a second process on the same database
beforeAll(async () => {
  app = await startTestApp({ clock });
  other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const refresh = (refresh_token: string, at = app) => at.anonymous.post('/api/auth/refresh', { refresh_token });
const newSignIn = async (): Promise<SignedIn> => signIn(app, await createAccount(app));

test('returns a new pair of tokens, which can be refreshed again', async () => {
  const first = await newSignIn();
  const response = await refresh(first.refresh_token).expect(200);
  expect(response.body.data).toMatchObject({ token_type: 'Bearer', expires_in: 900, user: { id: first.id } });
  const second = asSignedIn(response);
  expect(second.refresh_token).toMatch(/^[\w-]{43}$/);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  clock.advance(900 * 1000);
  await app.as(first).get('/api/auth/me').expect(401);
  await app
    .as(asSignedIn(await refresh(second.refresh_token).expect(200)))
    .get('/api/auth/me')
    .expect(200);
});

test('reusing a token within 30 seconds returns the same successor', async () => {
  const first = await newSignIn();
  const second = asSignedIn(await refresh(first.refresh_token).expect(200));
  clock.advance(30 * 1000);
  const again = asSignedIn(await refresh(first.refresh_token, other).expect(200));
  expect(again.refresh_token).toBe(second.refresh_token);
  await app.as(again).get('/api/auth/me').expect(200);
});

test('reusing a token returns the same successor after JWT_SECRET was rotated', async () => {
  const rotated = await startTestApp({
    clock,
    databaseUrl: app.databaseUrl,
    secrets: ['another secret of the tests, long enough', testSecret],
  });
  const first = await newSignIn();
  const second = asSignedIn(await refresh(first.refresh_token).expect(200));
  const again = asSignedIn(await refresh(first.refresh_token, rotated).expect(200));
  expect(again.refresh_token).toBe(second.refresh_token);
  await refresh(again.refresh_token, rotated).expect(200);
  await rotated.stop();
});

test('reusing a token whose successor was used is rejected for 30 seconds, and later ends the sign-in', async () => {
  const first = await newSignIn();
  const second = asSignedIn(await refresh(first.refresh_token).expect(200));
  clock.advance(5 * 1000);
  const third = asSignedIn(await refresh(second.refresh_token, other).expect(200));
  clock.advance(5 * 1000);
  const rejected = await refresh(first.refresh_token).expect(401);
  expect(rejected.text).not.toContain('"token"');
  expect(asSignedIn(await refresh(second.refresh_token).expect(200)).refresh_token).toBe(third.refresh_token);
  await app.as(third).get('/api/auth/me').expect(200);
  clock.advance(21 * 1000);
  await refresh(first.refresh_token).expect(401);
  await refresh(third.refresh_token).expect(401);
});

test('reusing a token after 30 seconds ends its sign-in, but no other', async () => {
  const account = await createAccount(app);
  const [stolen, elsewhere] = [await signIn(app, account), await signIn(app, account)];
  const next = asSignedIn(await refresh(stolen.refresh_token).expect(200));
  clock.advance(30 * 1000 + 1);
  await refresh(stolen.refresh_token, other).expect(401);
  await refresh(next.refresh_token).expect(401);
  await app.as(next).get('/api/auth/me').expect(401);
  await app.as(elsewhere).get('/api/auth/me').expect(200);
  await refresh(elsewhere.refresh_token).expect(200);
});

test('twenty concurrent refreshes in two processes return the same successor', async () => {
  const { id, refresh_token } = await newSignIn();
  // Each process serves two of them at a time.
  const responses = await raceAgainstLock(app, `SELECT FROM sign_ins WHERE user_id = ${id} FOR UPDATE`, 4, () =>
    Promise.all(Array.from({ length: 20 }, (_, index) => refresh(refresh_token, index % 2 === 0 ? app : other))),
  );
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  expect(new Set(responses.map((response) => response.body.data.refresh_token)).size).toBe(1);
  const rows = await app.query(
    'SELECT FROM refresh_tokens r JOIN sign_ins s ON s.id = r.sign_in_id WHERE s.user_id = $1',
    [id],
  );
  expect(rows).toHaveLength(2);
});

test('a refresh concurrent with a sign-out leaves no valid sign-in', async () => {
  for (let round = 0; round < 10; round += 1) {
    const user = await newSignIn();
    const [response] = await Promise.all([
      refresh(user.refresh_token, other),
      app.as(user).post('/api/auth/logout').expect(200),
    ]);
    if (response.status === 200) {
      await refresh(response.body.data.refresh_token).expect(401);
      await app.as(asSignedIn(response)).get('/api/auth/me').expect(401);
    } else expect(response.status).toBe(401);
  }
});

test('a refresh token is valid for 30 days after the last refresh', async () => {
  let user = await newSignIn();
  clock.advance(29 * day);
  user = asSignedIn(await refresh(user.refresh_token).expect(200));
  clock.advance(30 * day - 1);
  user = asSignedIn(await refresh(user.refresh_token).expect(200));
  clock.advance(30 * day);
  await refresh(user.refresh_token).expect(401);
});

test('refreshing requires an active account', async () => {
  const user = await newSignIn();
  await app.query("UPDATE users SET status = 'inactive' WHERE id = $1", [user.id]);
  await refresh(user.refresh_token).expect(401);
  await app.query("UPDATE users SET status = 'active' WHERE id = $1", [user.id]);
  const next = asSignedIn(await refresh(user.refresh_token).expect(200));
  await app.query("UPDATE users SET status = 'inactive' WHERE id = $1", [user.id]);
  await refresh(user.refresh_token).expect(401);
  await refresh(next.refresh_token).expect(401);
});

test.each([
  ['nonsense', 'nonsense', 401],
  ['an access token', '', 401],
  ['nothing', undefined, 400],
  ['an empty one', '', 400],
  ['an object', { $ne: '' }, 400],
  ['NUL', '\u0000', 401],
  ['a long one', 'x'.repeat(90_000), 400],
])('%s is rejected', async (what, given, status) => {
  const refresh_token = what === 'an access token' ? (await newSignIn()).token.slice(0, 256) : given;
  await app.anonymous.post('/api/auth/refresh', { refresh_token }).expect(status);
});

test('a refresh token is not an access token, and is stored only as a hash', async () => {
  const user = await newSignIn();
  await app
    .as({ ...user, token: user.refresh_token })
    .get('/api/auth/me')
    .expect(401);
  const [dump] = await app.query<{ text: string }>(
    "SELECT string_agg(encode(token_hash, 'escape') || encode(token_hash, 'hex') || encode(token_hash, 'base64'), '') AS text FROM refresh_tokens",
  );
  const secret = Buffer.from(user.refresh_token, 'base64url');
  for (const form of [user.refresh_token, secret.toString('hex'), secret.toString('base64')])
    expect(dump?.text).not.toContain(form);
});

test('expired sign-ins are removed', async () => {
  const user = await newSignIn();
  await refresh(user.refresh_token).expect(200);
  clock.advance(30 * day);
  const fresh = await newSignIn();
  await app.container.jobs.find((job) => job.name === 'purge expired sign-ins')?.run();
  const left = await app.query<{ user_id: number }>('SELECT user_id FROM sign_ins WHERE user_id IN ($1, $2)', [
    user.id,
    fresh.id,
  ]);
  expect(left).toEqual([{ user_id: fresh.id }]);
  expect(await app.query('SELECT FROM refresh_tokens')).toHaveLength(1);
});
