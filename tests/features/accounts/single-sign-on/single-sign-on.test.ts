import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../../support/accounts.ts';
import { cookieOf, setCookie } from '../../../support/browser.ts';
import { codeAt, createAccountWithTotp } from '../../../support/second-factor.ts';
import { startIdentityProvider, type TestProvider } from '../../../support/servers/identity-provider.ts';
import { finish, signInThrough, visitProvider } from '../../../support/single-sign-on.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock();
let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startTestApp({
    clock,
    settings: { ...provider.settings, OIDC_GROUPS_CLAIM: 'groups', OIDC_CREATE_ACCOUNTS: 'on' },
  });
  await app.createUser({ role: 'admin' });
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

let people = 0;
let person: { subject: string; claims: { email: string; email_verified: boolean; name: string } };
beforeEach(() => {
  people += 1;
  person = {
    subject: `subject-${people}`,
    claims: { email: `person${people}@school.test`, email_verified: true, name: `Person ${people}` },
  };
  provider.be(person.subject, person.claims);
});

const count = async (table: string) =>
  (await app.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count;

describe('a sign-in', () => {
  test('links the account with the verified address, and sets the cookie of a browser', async () => {
    const account = await createAccount(app, { email: person.claims.email.toUpperCase() });
    const response = await signInThrough(provider, app).then((given) => given);
    expect(response.status).toBe(200);
    expect(response.body.data.user).toMatchObject({ id: account.id, email: person.claims.email.toUpperCase() });
    expect(setCookie(response)).toMatch(/^studytrack=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict,studytrack-sso=;/);
    const again = await signInThrough(provider, app, { keep_signed_in: true });
    expect(again.body.data.user.id).toBe(account.id);
    expect(setCookie(again)).toMatch(/Max-Age=2592000/);
  });

  test('creates an account without a password, with name and address of the provider', async () => {
    provider.be(person.subject, { ...person.claims, preferred_username: `ming.li${people}@school.test` });
    const { body } = await signInThrough(provider, app);
    expect(body.data.user).toMatchObject({
      ...{ username: `ming.li${people}`, email: person.claims.email, display_name: `Person ${people}`, role: 'user' },
      ...{ timezone_chosen: false, must_change_password: false },
    });
    expect(await count(`audit_log WHERE action = 'finishSingleSignOn' AND target_ids = '{${body.data.user.id}}'`)).toBe(
      1,
    );
    const wrong = { username: body.data.user.username, password: 'anything at all' };
    await app.anonymous.post('/api/auth/login', wrong).expect(401);
  });

  test.each([
    ['x@y', 'a', /^user-a/],
    ['deleted-7', 'deleted', /^user-deleted-7/],
    ['王芳', 'wang.fang', /^wang\.fang/],
    ['Zoë Müller', 'zmueller', /^zmueller/],
    ['a name that is much longer than usernames may be', 'long', /^anamethatismuch.*/],
  ])('chooses a valid username for %j', async (preferred_username, local, expected) => {
    const email = `${local}@names${people}.test`;
    provider.be(person.subject, { ...person.claims, email, preferred_username });
    const response = await signInThrough(provider, app);
    expect(response.body.data?.user.username).toMatch(expected);
    provider.be(`${person.subject} twin`, {
      ...person.claims,
      email: `${local}@twins${people}.test`,
      preferred_username,
    });
    expect((await signInThrough(provider, app)).body.data.user.username).toMatch(/-2$/);
  });

  test('ends a one-time password, which others know', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const fields = { username: `pupil${people}`, email: person.claims.email };
    const created = await app.as(admin).post('/api/admin/users', fields).expect(201);
    const { body } = await signInThrough(provider, app);
    expect(body.data.user).toMatchObject({ id: created.body.data.id, must_change_password: false });
    const old = { username: fields.username, password: created.body.data.one_time_password };
    await app.anonymous.post('/api/auth/login', old).expect(401);
  });

  test('keeps a password that the owner has chosen', async () => {
    const account = await createAccount(app, { email: person.claims.email });
    await signInThrough(provider, app);
    await app.anonymous.post('/api/auth/login', account).expect(200);
  });

  test('with a changed address reaches the same account, and not the one that has it', async () => {
    const { body } = await signInThrough(provider, app);
    const other = await createAccount(app, { email: `moved${people}@school.test` });
    provider.be(person.subject, { ...person.claims, email: other.email });
    const next = await signInThrough(provider, app);
    expect(next.body.data.user).toMatchObject({ id: body.data.user.id, email: person.claims.email });
  });

  test('a new identity of the same person is linked after an administrator has unlinked the former one', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const { id } = (await signInThrough(provider, app)).body.data.user;
    provider.be(`${person.subject} renewed`, person.claims);
    expect((await signInThrough(provider, app)).body.message).toMatch(/another/);
    const unlink = () => app.as(admin).delete(`/api/admin/users/${id}/identity`);
    const isLinked = async () => (await app.as(admin).get(`/api/admin/users/${id}`)).body.data.identity_linked;
    expect(await isLinked()).toBe(true);
    await unlink().expect(200);
    await unlink().expect(200);
    expect(await isLinked()).toBe(false);
    const { entries } = (await app.as(admin).get(`/api/admin/audit?action=unlinkIdentity&target_id=${id}`)).body.data;
    expect(entries).toMatchObject([{ before: null, after: { identity_unlinked: true } }]);
    expect((await signInThrough(provider, app)).body.data.user.id).toBe(id);
    provider.be(person.subject, person.claims);
    expect((await signInThrough(provider, app)).status).toBe(403);
    await app.as(admin).delete('/api/admin/users/999999/identity').expect(404);
  });

  test('needs the second factor; its answer of the provider is not asked for again', async () => {
    const { id, secret } = await createAccountWithTotp(app, clock(), { email: person.claims.email });
    const attempt = await visitProvider(app, provider);
    expect((await finish(app, attempt)).body.error.code).toBe('OTP_REQUIRED');
    expect(await count(`sso_identities WHERE user_id = ${id}`)).toBe(0);
    expect((await finish(app, attempt, { otp: '000000' })).body.error.details[0].field).toBe('otp');
    expect(await count(`sso_identities WHERE user_id = ${id}`)).toBe(0);
    clock.advance(30_000);
    const otp = codeAt(secret, clock());
    expect((await finish(app, attempt, { otp })).body.data.user.id).toBe(id);
    expect((await finish(app, attempt, { otp })).status).toBe(401);
  });

  test('wrong codes are counted like those after a password', async () => {
    await createAccountWithTotp(app, clock(), { email: person.claims.email });
    const attempt = await visitProvider(app, provider);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) statuses.push((await finish(app, attempt, { otp: '000000' })).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });
});

test('an account without a password confirms with a recent sign-in', async () => {
  const { body } = await signInThrough(provider, app);
  expect(body.data.user.has_password).toBe(false);
  const own = { id: 0, username: '', email: '', role: 'user', token: body.data.token } as const;
  clock.advance(599_000);
  await app.as(own).post('/api/auth/totp', {}).expect(200);
  clock.advance(1000);
  expect((await app.as(own).delete('/api/me').send({}).expect(409)).body.message).toMatch(/sign in again/);
  const again = await signInThrough(provider, app);
  const anew = { ...own, token: again.body.data.token };
  await app.as(anew).delete('/api/me').send({}).expect(200);
  const withPassword = await createAccount(app);
  const signedIn = await app.anonymous.post('/api/auth/login', withPassword).expect(200);
  await app
    .as({ ...own, token: signedIn.body.data.token })
    .delete('/api/me')
    .send({})
    .expect(400);
});

describe('groups', () => {
  async function groupsOf(id: number): Promise<string[]> {
    const rows = await app.query<{ name: string }>(
      'SELECT g.name FROM groups g JOIN group_members m ON m.group_id = g.id WHERE m.user_id = $1 ORDER BY 1',
      [id],
    );
    return rows.map((row) => row.name);
  }

  test('follow the claim; memberships that were given here stay', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const account = await createAccount(app, { email: person.claims.email });
    const [a, b, own] = [`A${people}`, `B${people}`, `Own${people}`];
    for (const name of [a, b]) await app.as(admin).post('/api/admin/groups', { name }).expect(201);
    await app
      .as(admin)
      .post('/api/admin/groups', { name: own, user_ids: [account.id] })
      .expect(201);
    provider.be(person.subject, { ...person.claims, groups: [a.toLowerCase(), 'not here', 7] });
    await signInThrough(provider, app);
    expect(await groupsOf(account.id)).toEqual([a, own]);
    provider.be(person.subject, { ...person.claims, groups: b });
    await signInThrough(provider, app);
    expect(await groupsOf(account.id)).toEqual([b, own]);
    for (const claims of [{}, { _claim_names: { groups: 'src1' } }, { groups: null }, { groups: {} }]) {
      provider.be(person.subject, { ...person.claims, ...claims });
      await signInThrough(provider, app);
      expect(await groupsOf(account.id)).toEqual([b, own]);
    }
    provider.be(person.subject, { ...person.claims, groups: [] });
    await signInThrough(provider, app);
    expect(await groupsOf(account.id)).toEqual([own]);
  });

  test('that stay the same are not waited for', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const name = `Same${people}`;
    const created = await app.as(admin).post('/api/admin/groups', { name }).expect(201);
    provider.be(person.subject, { ...person.claims, groups: [name] });
    await signInThrough(provider, app);
    await app.transaction(async (query) => {
      await query(`SELECT FROM groups WHERE id = ${created.body.data.id} FOR UPDATE`);
      expect((await signInThrough(provider, app)).status).toBe(200);
    });
  });
});

describe('in a race', () => {
  test('ten first sign-ins of one person create one account and one link', async () => {
    const before = (await count('users')) ?? 0;
    const attempts = await Promise.all(Array.from({ length: 10 }, () => visitProvider(app, provider)));
    const responses = await Promise.all(attempts.map((attempt) => finish(app, attempt)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map(({ body }) => body.data.user.id)).size).toBe(1);
    expect(await count('users')).toBe(before + 1);
  });

  test('two identities with one address: one gets the account', async () => {
    const account = await createAccount(app, { email: person.claims.email });
    const first = await visitProvider(app, provider);
    provider.be(`${person.subject} other`, person.claims);
    const second = await visitProvider(app, provider);
    const responses = await Promise.all([finish(app, first), finish(app, second)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await count(`sso_identities WHERE user_id = ${account.id}`)).toBe(1);
  });

  test('an answer is accepted once', async () => {
    const attempt = await visitProvider(app, provider);
    const responses = await Promise.all(Array.from({ length: 6 }, () => finish(app, attempt)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });
});

test('deactivating ends the sign-ins and refuses the next one; deleting removes the link', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const { body } = await signInThrough(provider, app);
  const { id } = body.data.user;
  const own = { id, username: '', email: '', role: 'user', token: body.data.token } as const;
  await app.as(own).get('/api/auth/me').expect(200);
  await app.as(admin).put(`/api/admin/users/${id}`, { status: 'inactive' }).expect(200);
  await app.as(own).get('/api/auth/me').expect(401);
  expect((await signInThrough(provider, app)).body.message).toMatch(/not active/);
  await app.as(admin).delete(`/api/admin/users/${id}`).expect(200);
  expect(await count(`sso_identities WHERE user_id = ${id}`)).toBe(0);
});

test('replaces the sign-in of the browser', async () => {
  const first = await signInThrough(provider, app);
  const attempt = await visitProvider(app, provider);
  await finish(app, { ...attempt, cookie: `${attempt.cookie}; ${cookieOf(first)}` }).expect(200);
  const own = { id: 0, username: '', email: '', role: 'user', token: first.body.data.token } as const;
  await app.as(own).get('/api/auth/me').expect(401);
});
