import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecondFactorService } from '../../../../src/features/accounts/second-factor/second-factor-service.ts';
import { createEncryption } from '../../../../src/lib/secrets/encryption.ts';
import { asSignedIn, createAccount, signIn } from '../../../support/accounts.ts';
import { raceAgainstLock } from '../../../support/locks.ts';
import { codeAt, createAccountWithTotp, enableTotp, type WithSecondFactor } from '../../../support/second-factor.ts';
import { createTestClock, startTestApp, type TestApp, testSecret } from '../../../support/test-app.ts';

const second = 1000;
const step = 30 * second;
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
/** Each from a new address, to avoid the limits. */
function login(account: { username: string; password: string }, otp?: string, at = app) {
  addresses += 1;
  const { username, password } = account;
  return at.anonymous
    .post('/api/auth/login', { username, password, ...(otp !== undefined && { otp }) })
    .set('X-Forwarded-For', `198.51.100.${addresses % 250}`);
}

/** An unused code: advances the clock to the next time step. */
function nextCode({ secret }: WithSecondFactor): string {
  clock.advance(step);
  return codeAt(secret, clock());
}

const wrongCode = (account: WithSecondFactor) => {
  const right = [-1, 0, 1].map((steps) => codeAt(account.secret, new Date(clock().getTime() + steps * step)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
};

const failures = async ({ id }: { id: number }) =>
  (await app.query('SELECT FROM sign_in_failures WHERE account = $1', [`user ${id}`])).length;

/** As applications show a code, and as keyboards write it. */
const formsOf = (code: string) => [
  `${code.slice(0, 3)} ${code.slice(3)}`,
  `${code.slice(0, 3)}-${code.slice(3)}`,
  `\u00a0${code.slice(0, 3)}\u2009${code.slice(3)} `,
  code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
];

describe('codes', () => {
  test('are accepted with spaces, hyphens and full-width digits wherever one is entered', async () => {
    for (const form of [0, 1, 2, 3]) {
      const account = await createAccount(app);
      const { password } = account;
      const user = await signIn(app, account);
      const { secret } = (await app.as(user).post('/api/auth/totp', { current_password: password }).expect(200)).body
        .data;
      const next = () => formsOf(codeAt(secret, clock.advance(step) ?? clock()))[form] ?? '';
      const confirmed = await app.as(user).post('/api/auth/totp/confirm', { otp: next() }).expect(200);
      await login(account, next()).expect(200);
      const recovery = formsOf(confirmed.body.data.recovery_codes[0].toUpperCase())[3];
      await login(account, recovery?.replaceAll('-', ' – ')).expect(200);
      await app.as(user).delete('/api/auth/totp').send({ current_password: password, otp: next() }).expect(200);
    }
  });

  test.each(['é23456', '12345é', '１２３４５', '😀23456', '-- --', '٠١٢٣٤٥'])('%s is a wrong code', async (otp) => {
    const other = await createAccount(app);
    const { password } = other;
    const user = await signIn(app, other);
    await app.as(user).post('/api/auth/totp', { current_password: password }).expect(200);
    const refused = await app.as(user).post('/api/auth/totp/confirm', { otp }).expect(400);
    expect(refused.body.error.details).toMatchObject([{ field: 'otp' }]);
    const account = await createAccountWithTotp(app, clock());
    await login(account, otp).expect(401);
  });
});

describe('enabling', () => {
  test('requires the password and a code, and returns secret and recovery codes once, with no-store', async () => {
    const account = await createAccount(app);
    const user = await signIn(app, account);
    const elsewhere = await signIn(app, account);
    await app.as(user).post('/api/auth/totp', { current_password: 'a wrong one' }).expect(400);
    expect(await failures(account)).toBe(1);

    const setup = await app.as(user).post('/api/auth/totp', { current_password: account.password }).expect(200);
    expect(setup.headers['cache-control']).toBe('no-store');
    const { secret, otpauth_url, qr_svg, expires_in } = setup.body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauth_url).toContain(`otpauth://totp/Studytrack:${account.username}?`);
    expect(otpauth_url).toContain(secret);
    expect(qr_svg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    expect(expires_in).toBe(600);
    expect((await app.as(user).get('/api/auth/me').expect(200)).body.data.totp_enabled).toBe(false);
    await login(account).expect(200);

    await app.as(user).post('/api/auth/totp/confirm', { otp: '12345' }).expect(400);
    const confirmed = await app
      .as(user)
      .post('/api/auth/totp/confirm', { otp: codeAt(secret, clock()) })
      .expect(200);
    expect(confirmed.headers['cache-control']).toBe('no-store');
    const codes: string[] = confirmed.body.data.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
    expect((await app.as(user).get('/api/auth/me').expect(200)).body.data.totp_enabled).toBe(true);
    await app.as(elsewhere).get('/api/auth/me').expect(200);

    const [stored] = await app.query<{ text: string }>(`
      SELECT concat((SELECT string_agg(u::text, '') FROM users u), (SELECT string_agg(r::text, '') FROM recovery_codes r),
        (SELECT string_agg(s::text, '') FROM totp_setups s)) AS text`);
    expect(stored?.text).not.toContain(secret);
    for (const code of codes) {
      expect(stored?.text).not.toContain(code);
      expect(stored?.text).not.toContain(Buffer.from(code.replaceAll('-', '')).toString('hex'));
    }
  });

  test('a secret must be confirmed within ten minutes, and only the last one is valid', async () => {
    const account = await createAccount(app);
    let user = await signIn(app, account);
    const begin = async () =>
      (await app.as(user).post('/api/auth/totp', { current_password: account.password }).expect(200)).body.data.secret;
    const confirm = (secret: string) => app.as(user).post('/api/auth/totp/confirm', { otp: codeAt(secret, clock()) });
    await app.as(user).post('/api/auth/totp/confirm', { otp: '123456' }).expect(409);
    const first = await begin();
    const next = await begin();
    await confirm(first).expect(400);
    clock.advance(600 * second);
    await confirm(next).expect(409);
    await app.container.jobs.find((job) => job.name === 'delete expired second factor setups')?.run();
    expect(await app.query('SELECT FROM totp_setups WHERE user_id = $1', [account.id])).toHaveLength(0);
    user = await signIn(app, account); // access tokens last 15 minutes
    const last = await begin();
    clock.advance(600 * second - 1);
    await confirm(last).expect(200);
    await app.as(user).post('/api/auth/totp', { current_password: account.password }).expect(409);
    await confirm(last).expect(409);
  });

  test('of ten concurrent confirmations one succeeds, and its recovery codes are valid', async () => {
    const account = await createAccount(app);
    const user = await signIn(app, account);
    const setup = await app.as(user).post('/api/auth/totp', { current_password: account.password }).expect(200);
    const otp = codeAt(setup.body.data.secret, clock());
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : other).as(user).post('/api/auth/totp/confirm', { otp }),
      ),
    );
    const confirmed = responses.filter((response) => response.status === 200);
    expect(confirmed).toHaveLength(1);
    expect(responses.filter((response) => response.status === 409)).toHaveLength(9);
    await login(account, confirmed[0]?.body.data.recovery_codes[0]).expect(200);
  });
});

describe('signing in', () => {
  test('requires the code, which is only revealed with the right password', async () => {
    const account = await createAccountWithTotp(app, clock());
    const challenge = await login(account).expect(401);
    expect(challenge.body.error.code).toBe('OTP_REQUIRED');
    expect(await failures(account)).toBe(0);

    const wrong = await login({ ...account, password: 'a wrong one' }).expect(401);
    const wrongPassword = await login({ ...account, password: 'a wrong one' }, nextCode(account)).expect(401);
    const wrongOtp = await login(account, wrongCode(account)).expect(401);
    for (const response of [wrongPassword, wrongOtp]) expect(response.body).toEqual(wrong.body);
    expect(wrong.body.error.code).toBe('UNAUTHORIZED');
    expect(await failures(account)).toBe(3);

    const signedIn = await login(account, codeAt(account.secret, clock())).expect(200);
    expect(signedIn.body.data.user.totp_enabled).toBe(true);
    await app.as(asSignedIn(signedIn)).get('/api/auth/me').expect(200);
    await app.anonymous.post('/api/auth/refresh', { refresh_token: signedIn.body.data.refresh_token }).expect(200);
  });

  test('does not reveal it for an inactive account', async () => {
    const account = await createAccountWithTotp(app, clock());
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [account.id]);
    const responses = [await login(account), await login(account, nextCode(account))];
    for (const { body } of responses) expect(body.error.code).toBe('UNAUTHORIZED');
  });

  test('a code is also valid one 30-second step before and after its own', async () => {
    const account = await createAccountWithTotp(app, clock());
    const at = (steps: number) => codeAt(account.secret, new Date(clock().getTime() + steps * step));
    clock.advance(10 * step);
    for (const steps of [-2, 2]) await login(account, at(steps)).expect(401);
    for (const steps of [-1, 0, 1]) await login(account, at(steps)).expect(200);
  });

  test('a code is accepted once, and no older one afterwards', async () => {
    const account = await createAccountWithTotp(app, clock());
    await login(account, codeAt(account.secret, clock())).expect(401); // was used to enable it
    const earlier = nextCode(account);
    const later = nextCode(account);
    await login(account, later).expect(200);
    await login(account, later, other).expect(401);
    await login(account, earlier).expect(401);
  });

  test('of concurrent sign-ins with the same code in two processes one succeeds', async () => {
    const account = await createAccountWithTotp(app, clock());
    const otp = nextCode(account);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => login(account, otp, index % 2 === 0 ? app : other)),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(7).fill(401)]);
    expect(await app.query('SELECT FROM sign_ins WHERE user_id = $1', [account.id])).toHaveLength(2);
  });

  test('of several uses of a code that wait for the same row lock one succeeds', async () => {
    const account = await createAccountWithTotp(app, clock());
    const { secondFactor } = app.container.services;
    for (const otp of [nextCode(account), account.recoveryCodes[0] ?? '']) {
      const uses = await raceAgainstLock(app, `SELECT FROM users WHERE id = ${account.id} FOR UPDATE`, 4, () =>
        Promise.all(
          Array.from({ length: 4 }, () =>
            app.container.store.asService((tx) => secondFactor.check(tx, account.id, otp, {})),
          ),
        ),
      );
      expect(uses.filter(Boolean)).toHaveLength(1);
    }
  });

  test('wrong codes count like wrong passwords', async () => {
    const account = await createAccountWithTotp(app, clock());
    for (let time = 0; time < 10; time += 1) await login(account, wrongCode(account)).expect(401);
    await login(account, nextCode(account)).expect(429);
    await login(account).expect(429);
  });

  test('after a hundred consecutive wrong codes only a recovery code is accepted', async () => {
    const account = await createAccountWithTotp(app, clock());
    await app.query('UPDATE users SET totp_wrong_codes = 99 WHERE id = $1', [account.id]);
    await login(account, nextCode(account)).expect(200);
    await app.query('UPDATE users SET totp_wrong_codes = 99 WHERE id = $1', [account.id]);
    await login(account, wrongCode(account)).expect(401);
    await login(account, nextCode(account)).expect(401);
    await login(account, account.recoveryCodes[0]).expect(200);
    await login(account, nextCode(account)).expect(200);
  });

  test('works after secret rotation, if the former secret is configured for one more use', async () => {
    const account = await createAccountWithTotp(app, clock());
    const newSecret = 'another secret of the tests, long enough to be one';
    const checkWith = (secrets: string[]) => {
      const { store, securityLog } = app.container;
      const encryption = createEncryption(secrets, 'second factor');
      const secondFactor = createSecondFactorService({ store, encryption, securityLog, clock });
      const otp = nextCode(account);
      return store.asService((tx) => secondFactor.check(tx, account.id, otp, {}));
    };
    expect(await checkWith([newSecret])).toBe(false);
    expect(await checkWith([newSecret, testSecret])).toBe(true);
    expect(await checkWith([newSecret])).toBe(true);
  });
});

describe('a recovery code', () => {
  test('replaces a code once, regardless of case and separators', async () => {
    const account = await createAccountWithTotp(app, clock());
    const [first = '', next = ''] = account.recoveryCodes;
    await login(account, first).expect(200);
    await login(account, first).expect(401);
    await login(account, ` ${next.toUpperCase().replaceAll('-', ' ')} `).expect(200);
    const otherAccount = await createAccountWithTotp(app, clock());
    await login(otherAccount, account.recoveryCodes[2]).expect(401);
    expect(await app.query('SELECT FROM recovery_codes WHERE user_id = $1', [account.id])).toHaveLength(8);
  });

  test('is not used up by an attempt that is refused for another reason', async () => {
    const account = await createAccountWithTotp(app, clock());
    const expires = (time: string) =>
      app.query(`UPDATE users SET password_expires_at = ${time} WHERE id = $1`, [account.id]);
    await expires("'2020-01-01Z'");
    await login(account, account.recoveryCodes[0]).expect(401);
    expect(await app.query('SELECT FROM recovery_codes WHERE user_id = $1', [account.id])).toHaveLength(10);
    expect(await app.query('SELECT FROM sign_in_failures WHERE account = $1', [`user ${account.id}`])).toHaveLength(1);
    await expires('NULL');
    await login(account, account.recoveryCodes[0]).expect(200);
  });

  test('is accepted once for eight concurrent sign-ins', async () => {
    const account = await createAccountWithTotp(app, clock());
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => login(account, account.recoveryCodes[0], index % 2 === 0 ? app : other)),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  });
});

describe('disabling', () => {
  const disable = (account: WithSecondFactor, body: object) =>
    app.as(account.signedIn).delete('/api/auth/totp').send(body);

  test('requires password and code; afterwards the password is sufficient', async () => {
    const account = await createAccountWithTotp(app, clock());
    const current_password = account.password;
    await disable(account, {}).expect(400);
    const wrong = await disable(account, { current_password: 'a wrong one', otp: nextCode(account) }).expect(400);
    expect(wrong.body.error.details[0].field).toBe('current_password');
    const rejected = await disable(account, { current_password, otp: wrongCode(account) }).expect(400);
    expect(rejected.body.error.details[0].field).toBe('otp');
    expect(await failures(account)).toBe(2);
    await login(account).expect(401);

    await disable(account, { current_password, otp: nextCode(account) }).expect(200);
    await login(account).expect(200);
    expect(await app.query('SELECT FROM recovery_codes WHERE user_id = $1', [account.id])).toHaveLength(0);
    await disable(account, { current_password, otp: '123456' }).expect(409);
    const again = await enableTotp(app, account.signedIn, account.password, clock());
    expect(again.secret).not.toBe(account.secret);
  });

  test('also accepts a recovery code', async () => {
    const account = await createAccountWithTotp(app, clock());
    await disable(account, { current_password: account.password, otp: account.recoveryCodes[9] }).expect(200);
  });
});

describe('administrators', () => {
  test('can remove another user’s second factor, which is audited', async () => {
    const account = await createAccountWithTotp(app, clock());
    const admin = await app.createUser({ role: 'admin' });
    const url = `/api/admin/users/${account.id}`;
    expect((await app.as(admin).get(url).expect(200)).body.data.totp_enabled).toBe(true);
    await app.as(admin).delete(`${url}/totp`).expect(200);
    await login(account).expect(200);
    await app.as(admin).delete(`${url}/totp`).expect(200);
    const { entries } = (await app.as(admin).get(`/api/admin/audit?action=resetTotp&target_id=${account.id}`)).body
      .data;
    expect(entries).toMatchObject([
      { target_type: 'user', before: { totp_enabled: true }, after: { totp_enabled: false } },
    ]);
    await app.as(admin).delete(`/api/admin/users/${admin.id}/totp`).expect(403);
    await app.as(admin).delete('/api/admin/users/999999/totp').expect(404);
  });

  test('a deleted account has no second factor data', async () => {
    const account = await createAccountWithTotp(app, clock());
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).delete(`/api/admin/users/${account.id}`).expect(200);
    expect(
      await app.query(
        `SELECT FROM users u WHERE u.id = $1 AND (u.totp_enabled OR EXISTS (SELECT FROM recovery_codes r WHERE r.user_id = u.id))`,
        [account.id],
      ),
    ).toEqual([]);
  });
});
