import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type SignedIn, signIn } from '../../../support/accounts.ts';
import { createToken, newToken } from '../../../support/personal-tokens.ts';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const day = 86_400_000;
const clock = createTestClock();
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock });
  user = await app.createUser();
});
afterAll(() => app.stop());

const create = (by: TestUser, fields: object = {}) => app.as(by).post('/api/me/tokens', newToken(fields));
const list = async (of: TestUser) => (await app.as(of).get('/api/me/tokens').expect(200)).body.data;

describe('a new token', () => {
  test('a new token is returned once, is valid, and is stored only as a hash', async () => {
    const expires_at = new Date(clock().getTime() + 30 * day).toISOString();
    const response = await create(user, { name: ' Backup ', scopes: ['sessions:write', 'read'], expires_at }).expect(
      201,
    );
    const { token, ...rest } = response.body.data;
    expect(rest).toEqual({
      id: expect.any(Number),
      name: 'Backup',
      scopes: ['read', 'sessions:write'],
      created_at: clock().toISOString(),
      expires_at,
      last_used_at: null,
    });
    expect(token).toMatch(/^studytrack_[\w-]{43}$/);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', location: `/api/me/tokens/${rest.id}` });
    expect(await list(user)).toEqual([rest]);

    const [row] = await app.query<{ token_hash: Buffer }>('SELECT token_hash FROM personal_tokens WHERE id = $1', [
      rest.id,
    ]);
    expect(row?.token_hash).toEqual(createHash('sha256').update(token).digest());
    const [me, other] = [app.as({ ...user, token }), app.as({ ...user, token: `${token.slice(0, -1)}~` })];
    expect((await me.get('/api/auth/me').expect(200)).body.data.id).toBe(user.id);
    await other.get('/api/auth/me').expect(401);
    expect(await list(user)).toEqual([{ ...rest, last_used_at: clock().toISOString() }]);
  });

  test('is not listed as a sign-in', async () => {
    const account = await signIn(app, await createAccount(app));
    await createToken(app, account, ['read']);
    const signIns = (await app.as(account).get('/api/auth/sign-ins').expect(200)).body.data;
    expect(signIns).toMatchObject([{ current: true }]);
  });

  test('is created once with an Idempotency-Key, and not returned again', async () => {
    const owner = await app.createUser();
    const body = newToken({});
    const send = () => app.as(owner).post('/api/me/tokens', body).set('Idempotency-Key', 'one-token');
    const [first, second] = [await send().expect(201), await send().expect(201)];
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(first.body.data.token).toBeDefined();
    expect(second.body.data.token).toBe('');
    expect(await list(owner)).toHaveLength(1);
  });

  const at = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString();
  test.each([
    ['without a scope', { scopes: [] }, 'scopes'],
    ['with an unknown scope', { scopes: ['read', 'write'] }, 'scopes[1]'],
    ['for administrators', { scopes: ['read', 'admin'] }, 'scopes[1]'],
    ['that has expired', { expires_at: at(0) }, 'expires_at'],
    ['for longer than a year', { expires_at: at(366 * day + 1) }, 'expires_at'],
    ['that never expires', { expires_at: null }, 'expires_at'],
    ['without a name', { name: ' ' }, 'name'],
    ['with a long name', { name: 'x'.repeat(51) }, 'name'],
  ])('is rejected %s', async (_, fields, field) => {
    const response = await create(user, fields).expect(400);
    expect(response.body.error.details).toMatchObject([{ field }]);
  });

  test('is limited to 50 per user, also for concurrent requests', async () => {
    const owner = await app.createUser();
    const responses = await Promise.all(Array.from({ length: 55 }, () => create(owner)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(5);
    const [{ id }] = await list(owner);
    await app.as(owner).delete(`/api/me/tokens/${id}`).expect(200);
    await create(owner).expect(409); // revoked tokens count for a day, because each creation sends a mail
    const subject = app.container.tokens.check(owner.token);
    if (typeof subject === 'string') throw new Error(subject);
    clock.advance(day + 1);
    const later = { ...owner, token: app.container.tokens.sign(subject) };
    await create(later, { expires_at: at(2 * day) }).expect(201);
  });
});

describe('a token becomes invalid', () => {
  let account: Awaited<ReturnType<typeof createAccount>>;
  let signedIn: SignedIn;
  async function start() {
    account = await createAccount(app);
    signedIn = await signIn(app, account);
    const expires_at = new Date(clock().getTime() + 2 * day).toISOString();
    const program = await createToken(app, signedIn, ['read'], { expires_at });
    await app.as(program).get('/api/auth/me').expect(200);
    return program;
  }

  test('when its user revokes it', async () => {
    const program = await start();
    const url = `/api/me/tokens/${program.token_id}`;
    await app
      .as(await app.createUser({ role: 'admin' }))
      .delete(url)
      .expect(404);
    await app.as(program).get('/api/auth/me').expect(200);
    await app.as(signedIn).delete(url).expect(200);
    await app.as(program).get('/api/auth/me').expect(401);
    await app.as(signedIn).delete(url).expect(404);
    expect(await list(signedIn)).toEqual([]);
  });

  test('when it expires', async () => {
    const program = await start();
    clock.advance(2 * day - 1000);
    await app.as(program).get('/api/auth/me').expect(200);
    clock.advance(1000);
    await app.as(program).get('/api/auth/me').expect(401);
  });

  test('with a new password of its user', async () => {
    const program = await start();
    const { password: current_password } = account;
    await app
      .as(signedIn)
      .put('/api/auth/password', { current_password, new_password: 'another good one' })
      .expect(200);
    await app.as(program).get('/api/auth/me').expect(401);
  });

  const byAdmin: [string, (admin: ReturnType<TestApp['as']>, id: number) => PromiseLike<{ status: number }>][] = [
    ['a password reset', (admin, id) => admin.post(`/api/admin/users/${id}/reset-password`, {})],
    ['a deactivation', (admin, id) => admin.put(`/api/admin/users/${id}`, { status: 'inactive' })],
    ['the deletion of its user', (admin, id) => admin.delete(`/api/admin/users/${id}`)],
  ];
  test.each(byAdmin)('with %s', async (_, end) => {
    const program = await start();
    const admin = app.as(await app.createUser({ role: 'admin' }));
    expect((await end(admin, account.id)).status).toBe(200);
    await app.as(program).get('/api/auth/me').expect(401);
    await admin.put(`/api/admin/users/${account.id}`, { status: 'active' });
    await app.as(program).get('/api/auth/me').expect(401);
  });
});

describe('a token grants no more rights', () => {
  test('than its user has now', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const program = await createToken(app, admin, ['admin'], { expires_at: new Date(clock().getTime() + day) });
    await app.as(program).get('/api/admin/users').expect(200);
    await app
      .as(await app.createUser({ role: 'admin' }))
      .put(`/api/admin/users/${admin.id}`, { role: 'user' })
      .expect(200);
    await app.as(program).get('/api/admin/users').expect(403);
  });

  test('than its scopes in an import that creates projects', async () => {
    const owner = await app.createUser();
    const file = Buffer.from('project_name,started_at,ended_at\nNew,2026-02-03T08:00:00Z,2026-02-03T09:00:00Z\n');
    const expires_at = new Date(clock().getTime() + day);
    const send = (by: TestUser) =>
      app.as(by).post('/api/sessions/import').field('create_projects', 'true').attach('file', file, 'a.csv');
    await send(await createToken(app, owner, ['sessions:write'], { expires_at })).expect(403);
    await send(await createToken(app, owner, ['sessions:write', 'projects:write'], { expires_at })).expect(200);
  });

  test('than the visibility of its user', async () => {
    const owner = await app.createUser();
    const expires_at = new Date(clock().getTime() + day);
    const program = await createToken(app, owner, ['read'], { expires_at });
    const project = await createProject(app, owner, 'Mine');
    const foreign = await createProject(app, user, 'Not mine');
    await app.as(program).get(`/api/projects/${project}`).expect(200);
    await app.as(program).get(`/api/projects/${foreign}`).expect(403);
  });
});
