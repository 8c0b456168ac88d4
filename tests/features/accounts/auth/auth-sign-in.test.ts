import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, createAuthService } from '../../../../src/features/accounts/auth/auth-service.ts';
import { createPasswordHasher } from '../../../../src/features/accounts/passwords/password-hasher.ts';
import {
  createRefreshTokens,
  createSignInService,
} from '../../../../src/features/accounts/sign-ins/sign-in-service.ts';
import { createSignInThrottle } from '../../../../src/features/accounts/sign-ins/throttle/sign-in-throttle.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { createAccount, createAccountByAdmin, signIn } from '../../../support/accounts.ts';
import { processTime, slowness } from '../../../support/processor-time.ts';
import { startTestApp, type TestApp, type TestUser, testSecret } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { TRUST_PROXY: '1' } });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const login = (body: object, address = '192.0.2.1') =>
  app.anonymous.post('/api/auth/login', body).set('X-Forwarded-For', address);

const loginFrom = (auth: AuthService, name: string, password: string) =>
  auth.login({ name, password }, { address: '192.0.2.77', device: '' }, { request_id: '', address: '192.0.2.77' });

describe('signing in', () => {
  test('returns tokens and the account, and the token is accepted', async () => {
    const before = Date.now();
    const account = await createAccount(app, { display_name: 'Lin Wei', timezone: 'Asia/Shanghai' });
    const response = await login({ username: account.username, password: account.password }).expect(200);
    expect(response.body.data).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    expect(response.body.data.refresh_token).toMatch(/^[\w-]{43}$/);
    const user = response.body.data.user;
    expect(user).toMatchObject({ id: account.id, role: 'user', display_name: 'Lin Wei', timezone: 'Asia/Shanghai' });
    expect(Date.parse(user.last_login_at)).toBeGreaterThanOrEqual(before);
    expect(response.text).not.toContain('argon2');

    const me = await app
      .as({ ...account, role: 'user', token: response.body.data.token })
      .get('/api/auth/me')
      .expect(200);
    expect(me.body.data).toEqual(user);
  });

  test('accepts username or e-mail address, case-insensitively', async () => {
    const { username, email, password } = await createAccount(app);
    await login({ username: username.toUpperCase(), password }).expect(200);
    await login({ email: email.toUpperCase(), password }).expect(200);
    await login({ username: email, password }).expect(200);
  });

  test('a password is neither trimmed nor dependent on the Unicode normal form', async () => {
    const password = '  pâsswörd 密码 🔑  ';
    const { username } = await createAccount(app, { password });
    await login({ username, password: password.normalize('NFD') }).expect(200);
    await login({ username, password: password.trim() }).expect(401);
  });

  test('wrong password, unknown name and inactive account return the same response', async () => {
    const account = await createAccount(app);
    const inactive = await createAccount(app, { status: 'inactive' });
    const passwordless = await app.createUser();
    const responses = [
      await login({ username: account.username, password: 'a wrong password' }),
      await login({ username: 'nobody', password: 'a wrong password' }),
      await login({ email: 'nobody@example.org', password: 'a wrong password' }),
      await login({ username: inactive.username, password: inactive.password }),
      await login({ username: passwordless.username, password: 'a wrong password' }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.body).toEqual(responses[0]?.body);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('all of them verify one hash', async () => {
    const account = await createAccount(app);
    const inactive = await createAccount(app, { status: 'inactive' });
    const seen: { hash: string | null | undefined }[] = [];
    const hasher = createPasswordHasher();
    const counting = {
      ...hasher,
      verify: (hash: string | null | undefined, password: string) => {
        seen.push({ hash });
        return hasher.verify(hash, password);
      },
    };
    const { store, tokens, securityLog } = app.container;
    const clock = systemClock;
    const refreshTokens = createRefreshTokens([testSecret]);
    const auth = createAuthService({
      store,
      hasher: counting,
      signIns: createSignInService({ store, tokens, refreshTokens, securityLog, clock }),
      throttle: createSignInThrottle({ store, clock, hasher }),
      secondFactor: app.container.services.secondFactor,
      securityLog,
    });
    for (const name of [account.username, 'nobody at all', inactive.username]) {
      seen.length = 0;
      await expect(loginFrom(auth, name, 'a wrong password')).rejects.toThrow('wrong_credentials');
      expect(seen).toHaveLength(1);
    }
    // A missing hash is replaced by a dummy one, so that a real Argon2 verification runs.
    const cpuTimeOf = async (hash: string | undefined) => {
      const before = processTime();
      expect(await hasher.verify(hash, 'a wrong password')).toBe(false);
      return processTime() - before;
    };
    const real = await hasher.hash('another password');
    await cpuTimeOf(undefined);
    expect(await cpuTimeOf(undefined)).toBeGreaterThan((await cpuTimeOf(real)) / 10);
  });

  test.each([
    ['nothing', {}],
    ['no password', { username: 'lin' }],
    ['no name', { password: 'a good password' }],
    ['objects', { username: { $ne: null }, password: { $ne: null } }],
    ['arrays', { username: ['lin'], password: ['a good password'] }],
    ['NUL', { username: 'l\u0000n', password: 'p\u0000ssword' }],
    ['a lone surrogate', { username: 'lin', password: '\ud800'.repeat(8) }],
    ['90 kB', { username: 'lin', password: 'x'.repeat(90_000) }],
    ['a list', []],
  ])('%s is rejected without hashing', async (_what, body) => {
    const before = processTime();
    const response = await login(body).expect(400);
    expect(response.body.error.code).toBe('VALIDATION_ERROR');
    expect(processTime() - before).toBeLessThan(1000 * slowness());
  });

  test('passwords are stored as Argon2id hashes with the recommended cost', async () => {
    const { id } = await createAccountByAdmin(app);
    const [row] = await app.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [id]);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('a password that changes during a sign-in is rejected', async () => {
    const account = await createAccount(app);
    const { store, tokens, securityLog } = app.container;
    const hasher = createPasswordHasher();
    const auth = createAuthService({
      store,
      hasher: {
        ...hasher,
        verify: async (hash: string | null | undefined, password: string) => {
          const right = await hasher.verify(hash, password);
          await app.as(admin).post(`/api/admin/users/${account.id}/reset-password`).expect(200);
          return right;
        },
      },
      signIns: createSignInService({
        store,
        tokens,
        refreshTokens: createRefreshTokens([testSecret]),
        securityLog,
        clock: systemClock,
      }),
      throttle: createSignInThrottle({ store, clock: systemClock, hasher }),
      secondFactor: app.container.services.secondFactor,
      securityLog,
    });
    await expect(loginFrom(auth, account.username, account.password)).rejects.toThrow('wrong_credentials');
    expect(await app.query('SELECT FROM sign_ins WHERE user_id = $1', [account.id])).toHaveLength(0);
  });
});

describe('the signed-in user’s account', () => {
  test('can be updated partially, but only in its editable fields', async () => {
    const account = await createAccount(app);
    const me = app.as(await signIn(app, account));
    const before = (await me.get('/api/auth/me').expect(200)).body.data;
    const same = await me.put('/api/auth/me', {}).expect(200);
    expect(same.body.data).toEqual(before);

    const response = await me
      .put('/api/auth/me', {
        display_name: ' 林薇 ',
        timezone: 'Asia/Shanghai',
        role: 'admin',
        id: 1,
        username: 'root',
      })
      .expect(200);
    expect(response.body.data).toEqual({
      ...before,
      display_name: '林薇',
      timezone: 'Asia/Shanghai',
      time_zone: 'Asia/Shanghai',
      timezone_chosen: true,
      updated_at: response.body.data.updated_at,
    });
    await me.get('/api/admin/users').expect(403);
  });

  test('all invalid fields are reported at once', async () => {
    const me = app.as(await signIn(app, await createAccount(app)));
    const response = await me
      .put('/api/auth/me', { display_name: '', email: 'nowhere', timezone: 'Mars/Base' })
      .expect(400);
    const fields = response.body.error.details.map((detail: { field: string }) => detail.field);
    expect(fields).toEqual(['display_name', 'email', 'timezone']);
    await me.put('/api/auth/me', { email: null }).expect(400);
  });

  test('a new password ends all other sign-ins', async () => {
    const account = await createAccount(app);
    const [current, otherSignIn] = [await signIn(app, account), await signIn(app, account)];
    await app
      .as(current)
      .put('/api/auth/password', { current_password: account.password, new_password: 'a new password' })
      .expect(200);
    await app.as(current).get('/api/auth/me').expect(200);
    await app.as(otherSignIn).get('/api/auth/me').expect(401);
    await app.anonymous.post('/api/auth/refresh', { refresh_token: otherSignIn.refresh_token }).expect(401);
    await app.anonymous.post('/api/auth/refresh', { refresh_token: current.refresh_token }).expect(200);
    await login({ username: account.username, password: account.password }).expect(401);
    await login({ username: account.username, password: 'a new password' }).expect(200);
  });

  test('a new password requires the current one, and wrong ones count as failures', async () => {
    const account = await createAccount(app);
    const me = app.as(await signIn(app, account));
    const change = (current_password: string, new_password = 'a new password') =>
      me.put('/api/auth/password', { current_password, new_password }).set('X-Forwarded-For', '198.51.100.9');
    await change(account.password, 'short').expect(400);
    for (let guess = 0; guess < 10; guess += 1) {
      const response = await change(`guess ${guess}`).expect(400);
      expect(response.body.error.details).toEqual([
        { field: 'current_password', message: 'is not the current password' },
      ]);
    }
    await change(account.password).expect(429);
  });

  test('signing out ends this sign-in only', async () => {
    const account = await createAccount(app);
    const [current, otherSignIn] = [await signIn(app, account), await signIn(app, account)];
    await app.as(current).post('/api/auth/logout').expect(200);
    await app.as(current).get('/api/auth/me').expect(401);
    await app.as(current).post('/api/auth/logout').expect(401);
    await app.anonymous.post('/api/auth/refresh', { refresh_token: current.refresh_token }).expect(401);
    await app.as(otherSignIn).get('/api/auth/me').expect(200);
  });
});
