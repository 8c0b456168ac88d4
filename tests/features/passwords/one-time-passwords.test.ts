import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSignedIn, createAccount, type SignedIn, signIn } from '../../support/accounts.ts';
import { createTestClock, startTestApp, type TestApp } from '../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());

type Begun = { username: string; password: string; user: SignedIn };
let names = 0;

const login = (username: string, password: string) => app.anonymous.post('/api/auth/login', { username, password });

/** An account whose password was made by the service, signed in with it. */
async function begin(fields: object = {}): Promise<Begun> {
  names += 1;
  const username = `begun-${names}`;
  const by = await app.createUser({ role: 'admin' });
  const account = { username, email: `${username}@example.org`, ...fields };
  const made = await app.as(by).post('/api/admin/users', account).expect(201);
  expect(made.body.data.must_change_password).toBe(true);
  const password = made.body.data.one_time_password;
  const answer = await login(username, password).expect(200);
  expect(answer.body.data.user.must_change_password).toBe(true);
  return { username, password, user: asSignedIn(answer) };
}

describe('a password chosen by the service', () => {
  test('allows nothing but the account, its password and the sign-out, for every role', async () => {
    for (const role of ['user', 'admin']) {
      const { user } = await begin({ role });
      const me = app.as(user);
      for (const operation of app.container.operations) {
        if (operation.access === 'public' || operation.allowedBeforePasswordChange === true) continue;
        const url = operation.path.replace(/:\w+/, '1');
        const answer = await me[operation.method](url).expect(403);
        expect(answer.body.error?.code ?? answer.body.code, operation.id).toBe('PASSWORD_CHANGE_REQUIRED');
      }
      await me.get('/api/auth/me').expect(200);
      await me.put('/api/auth/me', { display_name: 'New' }).expect(200);
      await me.post('/api/auth/logout').expect(200);
    }
    const open = app.container.operations.filter((operation) => operation.allowedBeforePasswordChange === true);
    expect(open.map(({ id }) => id).sort()).toEqual(['changePassword', 'getMe', 'logout', 'updateMe']);
  });

  test('is changed once, to another, and then everything is open at once', async () => {
    const { username, password, user } = await begin();
    const me = app.as(user);
    const change = (new_password: string) => me.put('/api/auth/password', { current_password: password, new_password });
    expect((await change(password).expect(400)).body.error.details).toMatchObject([{ field: 'new_password' }]);
    await change('a password of my own').expect(200);
    await me.get('/api/projects').expect(200);
    expect((await me.get('/api/auth/me').expect(200)).body.data.must_change_password).toBe(false);
    await login(username, password).expect(401);
    clock.advance(8 * day);
    await login(username, 'a password of my own').expect(200);
  });

  test('signs in for seven days, then fails like a wrong one', async () => {
    const { username, password, user } = await begin();
    clock.advance(7 * day - 1);
    await login(username, password).expect(200);
    clock.advance(1);
    const expired = await login(username, password).expect(401);
    expect(expired.body).toEqual((await login(username, 'a wrong password').expect(401)).body);
    const fresh = asSignedIn(
      await app.anonymous.post('/api/auth/refresh', { refresh_token: user.refresh_token }).expect(200),
    );
    await app
      .as(fresh)
      .put('/api/auth/password', { current_password: password, new_password: 'a password of my own' })
      .expect(400);
    await app.as(fresh).get('/api/projects').expect(403);
  });

  test('comes from a reset, too; one that an administrator chose is as good as any', async () => {
    const account = await createAccount(app);
    const by = app.as(await app.createUser({ role: 'admin' }));
    const reset = (body?: object) => by.post(`/api/admin/users/${account.id}/reset-password`, body).expect(200);
    const { one_time_password, must_change_password } = (await reset()).body.data;
    expect(must_change_password).toBe(true);
    const user = asSignedIn(await login(account.username, one_time_password).expect(200));
    await app.as(user).get('/api/projects').expect(403);
    expect((await reset({ password: 'chosen by someone' })).body.data.must_change_password).toBe(false);
    await app
      .as(await signIn(app, { ...account, password: 'chosen by someone' }))
      .get('/api/projects')
      .expect(200);
  });
});

describe('a new password', () => {
  const bad = [
    ['common', () => 'PassWord123'],
    ['with the user name in it', (name: string) => `xx ${name.toUpperCase()} xx`],
    ['that is the name of the e-mail address', () => 'somebody.else'],
  ] as const;

  test.each(bad)('%s is refused on creating, resetting and changing', async (_what, of) => {
    names += 1;
    const username = `chooser-${names}`;
    const email = `somebody.else@example${names}.org`;
    const by = app.as(await app.createUser({ role: 'admin' }));
    const refused = await by.post('/api/admin/users', { username, email, password: of(username) }).expect(400);
    expect(refused.body.error.details).toMatchObject([{ field: 'password' }]);

    const account = await createAccount(app, { email });
    const password = of(account.username);
    await by.post(`/api/admin/users/${account.id}/reset-password`, { password }).expect(400);
    const me = app.as(await signIn(app, account));
    const change = await me
      .put('/api/auth/password', { current_password: account.password, new_password: password })
      .expect(400);
    expect(change.body.error.details).toMatchObject([{ field: 'new_password' }]);
  });

  test('common or with the name in it is not one of the first administrator either', async () => {
    const { createAdmin } = await import('../../../src/features/users/first-admin.ts');
    for (const password of ['qwertyuiop', 'the headmaster'])
      await expect(
        createAdmin(app.container.store, { username: 'headmaster', email: 'head@example.org', password }),
      ).rejects.toMatchObject({ details: [{ field: 'password' }] });
  });
});

test('answers with secrets are not stored on their way', async () => {
  const { user, username, password } = await begin();
  const id = user.id;
  for (const answer of [
    await login(username, password),
    await app.anonymous.post('/api/auth/refresh', { refresh_token: user.refresh_token }),
    await app.as(await app.createUser({ role: 'admin' })).post(`/api/admin/users/${id}/reset-password`),
    await app
      .as(await app.createUser({ role: 'admin' }))
      .post('/api/admin/users', { username: 'no-store', email: 'no@example.org' }),
  ])
    expect([answer.status < 300, answer.headers['cache-control']]).toEqual([true, 'no-store']);
});
