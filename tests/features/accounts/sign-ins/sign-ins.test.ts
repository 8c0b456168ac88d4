import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSignedIn, createAccount, signIn } from '../../../support/accounts.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const refresh = (refresh_token: string) => app.anonymous.post('/api/auth/refresh', { refresh_token });

describe('the list', () => {
  test('shows the user’s active sign-ins with device, address, times and which one is current', async () => {
    const account = await createAccount(app);
    const { username, password } = account;
    const [first, ended] = [await signIn(app, account), await signIn(app, account)];
    await signIn(app, await createAccount(app));
    await app.as(ended).post('/api/auth/logout').expect(200);
    clock.advance(1000);
    const createdAt = clock().toISOString();
    const device = `Browser <b>7</b> ${'x'.repeat(300)}`;
    const response = await app.anonymous
      .post('/api/auth/login', { username, password })
      .set('User-Agent', device)
      .set('X-Forwarded-For', '192.0.2.99')
      .expect(200);
    const current = asSignedIn(response);
    const list = (await app.as(current).get('/api/auth/sign-ins').expect(200)).body.data;
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({
      device: device.slice(0, 200),
      address: '192.0.2.99',
      created_at: createdAt,
      last_used_at: createdAt,
      expires_at: new Date(clock().getTime() + 30 * day).toISOString(),
      current: true,
    });
    expect(list[1]).toMatchObject({ address: '192.0.2.1', current: false });

    clock.advance(60_000);
    const refreshed = await refresh(first.refresh_token)
      .set('User-Agent', 'Another device')
      .set('X-Forwarded-For', '192.0.2.50')
      .expect(200);
    const [latest] = (await app.as(asSignedIn(refreshed)).get('/api/auth/sign-ins').expect(200)).body.data;
    expect(latest).toMatchObject({
      id: list[1].id,
      device: 'Another device',
      address: '192.0.2.50',
      created_at: list[1].created_at,
      last_used_at: clock().toISOString(),
      current: true,
    });
  });

  test('does not contain expired ones', async () => {
    const account = await createAccount(app);
    await signIn(app, account);
    clock.advance(30 * day);
    const current = await signIn(app, account);
    expect((await app.as(current).get('/api/auth/sign-ins').expect(200)).body.data).toHaveLength(1);
  });
});

describe('ending', () => {
  test('one’s own sign-in invalidates its tokens only', async () => {
    const account = await createAccount(app);
    const [lost, current] = [await signIn(app, account), await signIn(app, account)];
    const list: { id: string; current: boolean }[] = (await app.as(current).get('/api/auth/sign-ins')).body.data;
    const url = `/api/auth/sign-ins/${list.find((entry) => !entry.current)?.id}`;
    await app.as(current).delete(url).expect(200);
    await app.as(lost).get('/api/auth/me').expect(401);
    await refresh(lost.refresh_token).expect(401);
    await app.as(current).delete(url).expect(404);

    const own = `/api/auth/sign-ins/${list.find((entry) => entry.current)?.id}`;
    await app.as(current).delete(own).expect(200);
    await app.as(current).get('/api/auth/me').expect(401);
  });

  test('another user’s or an unknown sign-in is rejected', async () => {
    const [victim, attacker] = [await createAccount(app), await createAccount(app)];
    const signedIn = await signIn(app, victim);
    const [{ id }] = (await app.as(signedIn).get('/api/auth/sign-ins')).body.data;
    const other = app.as(await signIn(app, attacker));
    const admin = await app.createUser({ role: 'admin' });
    await other.delete(`/api/auth/sign-ins/${id}`).expect(404);
    await app.as(admin).delete(`/api/auth/sign-ins/${id}`).expect(404);
    await other.delete('/api/auth/sign-ins/00000000-0000-4000-8000-000000000000').expect(404);
    for (const none of ['1', 'x', `${id}0`, `${id.slice(1)}`, `%00${id}`])
      await other.delete(`/api/auth/sign-ins/${none}`).expect(400);
    await app.as(signedIn).get('/api/auth/me').expect(200);
  });
});

describe('the maximum duration of a sign-in', () => {
  test('is 90 days, regardless of refreshes', async () => {
    let user = await signIn(app, await createAccount(app));
    const startedAt = clock().getTime();
    for (let days = 20; days <= 80; days += 20) {
      clock.advance(20 * day);
      user = asSignedIn(await refresh(user.refresh_token).expect(200));
    }
    const [row] = await app.query<{ expires_at: string }>('SELECT expires_at FROM sign_ins WHERE user_id = $1', [
      user.id,
    ]);
    expect(Date.parse(row?.expires_at ?? '')).toBe(startedAt + 90 * day);
    clock.advance(10 * day - 60_000);
    const last = await refresh(user.refresh_token).expect(200);
    expect(last.body.data.expires_in).toBe(60);
    clock.advance(59_000);
    await app.as(asSignedIn(last)).get('/api/auth/me').expect(200);
    clock.advance(1_000);
    await app.as(asSignedIn(last)).get('/api/auth/me').expect(401);
    await refresh(user.refresh_token).expect(401); // reused within 30 seconds, but the sign-in has expired
    await refresh(last.body.data.refresh_token).expect(401);
  });

  test('also applies to tokens of an earlier version with a later expiry', async () => {
    const user = await signIn(app, await createAccount(app));
    await app.query(
      `UPDATE refresh_tokens SET expires_at = $2 WHERE sign_in_id = (SELECT id FROM sign_ins WHERE user_id = $1)`,
      [user.id, new Date(clock().getTime() + 200 * day).toISOString()],
    );
    clock.advance(90 * day);
    await refresh(user.refresh_token).expect(401);
  });
});
