import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { raceAgainstLock } from '../../../support/locks.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let other: TestApp; // a second process on the same database
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  other = await startTestApp({ databaseUrl: app.databaseUrl });
  admin = await app.createUser({ role: 'admin', username: 'root' });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

let names = 0;
const newName = () => {
  names += 1;
  return `person-${names}`;
};
const newUser = (fields: object = {}) => {
  const username = newName();
  return { username, email: `${username}@example.org`, ...fields };
};

describe('creating', () => {
  test('uses the given fields and defaults', async () => {
    const given = newUser();
    const response = await app.as(admin).post('/api/admin/users', given).expect(201);
    const { one_time_password, ...created } = response.body.data;
    expect(response.headers['location']).toBe(`/api/admin/users/${created.id}`);
    expect(created).toEqual({
      ...given,
      id: created.id,
      display_name: given.username,
      role: 'user',
      status: 'active',
      timezone: 'UTC',
      time_zone: 'UTC',
      created_at: created.created_at,
      updated_at: created.created_at,
      last_login_at: null,
      must_change_password: true,
      has_password: true,
      identity_linked: false,
      totp_enabled: false,
      etag: expect.stringMatching(/^"\d{13}"$/),
    });
    const read = await app.as(admin).get(`/api/admin/users/${created.id}`).expect(200);
    expect(read.body.data).toEqual(created); // the password is returned once
    const login = { username: given.username, password: one_time_password };
    await app.anonymous.post('/api/auth/login', login).expect(200);
  });

  test('a given password is not returned', async () => {
    const given = newUser({
      password: 'a good password',
      role: 'admin',
      timezone: 'Asia/Shanghai',
      display_name: '林',
    });
    const response = await app.as(admin).post('/api/admin/users', given).expect(201);
    expect(response.body.data).not.toHaveProperty('one_time_password');
    expect(response.text).not.toContain('a good password');
    expect(response.body.data).toMatchObject({ role: 'admin', timezone: 'Asia/Shanghai', display_name: '林' });
  });

  test('reports all invalid fields at once', async () => {
    const wrong = {
      username: 'a b',
      email: 'nowhere',
      display_name: ' ',
      role: 'root',
      timezone: '+08:00',
      password: '1234567',
    };
    const response = await app.as(admin).post('/api/admin/users', wrong).expect(400);
    expect(response.body.error.details).toEqual([
      { field: 'username', message: 'must have 3 to 32 characters: letters, digits and _ . -' },
      { field: 'email', message: 'must be a valid e-mail address' },
      { field: 'display_name', message: 'is required' },
      { field: 'role', message: 'must be one of: admin, user' },
      { field: 'timezone', message: 'must be an IANA time zone, such as Asia/Shanghai' },
      { field: 'password', message: 'must have at least 8 characters' },
    ]);
    await app.as(admin).post('/api/admin/users').expect(400);
  });

  test.each([
    ['ab', 400],
    ['abc', 201],
    ['x'.repeat(32), 201],
    ['x'.repeat(33), 400],
    ['a.b-c_9', 201],
    ['名字名字', 400],
    ['a\u0000b', 400],
    ['deleted-1', 400],
    ['DELETED-12', 400],
    ['deleted', 201],
  ])('username %j: %i', async (username, status) => {
    await app.as(admin).post('/api/admin/users', newUser({ username })).expect(status);
  });

  test.each([
    ['zoe@school.xn--fiqs8s', 201], // .中国
    ['zoe@school.123', 400],
    ['zoe@school', 400],
  ])('e-mail address %s: %i', async (email, status) => {
    await app.as(admin).post('/api/admin/users', newUser({ email })).expect(status);
  });

  test.each([
    ['7 characters', '1234567', 400],
    ['8 characters', '12345678', 400], // common
    ['8 characters that are not common', 'x8-kr w2', 201],
    ['8 characters beyond the basic plane', '🔑'.repeat(8), 201],
    ['128 Chinese characters', '密'.repeat(128), 201],
    ['129 characters', 'x'.repeat(129), 400],
    ['spaces', ' '.repeat(8), 201],
    ['a number', 12_345_678, 400],
    ['null', null, 400],
  ])('a password of %s: %i', async (_what, password, status) => {
    await app.as(admin).post('/api/admin/users', newUser({ password })).expect(status);
  });

  test('username and e-mail address are unique case-insensitively, and both reported', async () => {
    const first = newUser();
    await app.as(admin).post('/api/admin/users', first).expect(201);
    const again = { username: first.username.toUpperCase(), email: first.email.toUpperCase() };
    const response = await app.as(admin).post('/api/admin/users', again).expect(400);
    expect(response.body.error.details).toEqual([
      { field: 'username', message: 'is already taken' },
      { field: 'email', message: 'is already in use' },
    ]);
  });

  test('of ten concurrent requests with the same name one is created and nine are rejected', async () => {
    const username = newName();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : other).as(admin).post('/api/admin/users', newUser({ username })),
      ),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([201, ...Array(9).fill(400)]);
  });

  test('returns the same account for a repeated Idempotency-Key, without storing the password', async () => {
    const given = newUser();
    const create = (body: object, at = app) =>
      at.as(admin).post('/api/admin/users', body).set('Idempotency-Key', `key-${given.username}`);
    const first = await create(given).expect(201);
    const second = await create(given, other).expect(201);
    const { one_time_password, ...account } = first.body.data;
    expect(one_time_password).toMatch(/^[0-9a-z]{16}$/);
    expect(second.body).toEqual({ ...first.body, data: account });
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(second.headers['idempotent-replayed']).toBe('true');
    for (const response of [first, second]) expect(response.headers['cache-control']).toBe('no-store');
    await create({ ...given, password: 'another password' }).expect(409);
    const [stored] = await app.query<{ row: string }>(
      "SELECT i::text || encode(i.request_hash, 'escape') AS row FROM idempotency_keys i WHERE i.key = $1",
      [`key-${given.username}`],
    );
    expect(stored?.row).toContain('/api/admin/users');
    expect(stored?.row).not.toContain(first.body.data.one_time_password);
    expect(stored?.row).not.toContain(given.email);
  });
});

describe('listing', () => {
  beforeAll(async () => {
    for (const [username, display_name] of [
      ['percent', '100% _real_'],
      ['backslash', 'back\\slash'],
      ['chinese', '林薇 LIN'],
    ])
      await app.as(admin).post('/api/admin/users', newUser({ username, display_name })).expect(201);
    await app
      .as(admin)
      .post('/api/admin/users', newUser({ username: 'sleeper', status: 'inactive' }))
      .expect(201);
  });

  const list = async (query: string) => (await app.as(admin).get(`/api/admin/users?${query}`).expect(200)).body.data;
  const namesOf = async (query: string) => (await list(query)).users.map((user: { username: string }) => user.username);

  test('is paginated, newest first, with the total', async () => {
    const all = await list('limit=100');
    const ids = all.users.map((user: { id: number }) => user.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: ids.length, pages: 1 });

    const second = await list('page=2&limit=3');
    expect(second.users.map((user: { id: number }) => user.id)).toEqual(ids.slice(3, 6));
    expect(second.pagination).toEqual({ page: 2, limit: 3, total: ids.length, pages: Math.ceil(ids.length / 3) });

    const beyond = await list('page=1000&limit=3');
    expect(beyond).toEqual({ users: [], pagination: { ...second.pagination, page: 1000 } });
    expect((await list('search=nobody-has-this')).pagination).toEqual({ page: 1, limit: 10, total: 0, pages: 0 });
    expect((await list('limit=1000')).pagination.limit).toBe(100);
  });

  test('filters by status and role', async () => {
    expect(await namesOf('status=inactive')).toEqual(['sleeper']);
    expect(await namesOf('role=admin&search=root')).toEqual(['root']);
    expect(await namesOf('role=user&search=root')).toEqual([]);
    expect(await namesOf('status=all&role=all&search=sleeper')).toEqual(['sleeper']);
  });

  test.each([
    ['100%25', ['percent']],
    ['_real_', ['percent']],
    ['%25', ['percent']],
    ['k%5Cs', ['backslash']],
    ['SLEEPER@example', []],
    ['lin', ['chinese']],
    ['林薇', ['chinese']],
    ['PERCENT', ['percent']],
    ["'; DROP TABLE users; --", []],
  ])('search=%s is matched literally and case-insensitively', async (search, expected) => {
    expect(await namesOf(`search=${search}`)).toEqual(expected);
  });

  test('returns no secrets', async () => {
    const response = await app.as(admin).get('/api/admin/users?limit=100').expect(200);
    expect(response.text).not.toMatch(/argon2|password(?!":(true|false))/);
  });

  test.each(['page=0', 'page=x', 'limit=0', 'limit=-1', 'status=gone', 'role=root', 'search=%00', 'page=1&page=2'])(
    '%s is rejected',
    async (query) => {
      await app.as(admin).get(`/api/admin/users?${query}`).expect(400);
    },
  );
});

describe('changing', () => {
  test('updates only given fields; an empty body changes nothing', async () => {
    const { id } = await createAccount(app);
    const before = (await app.as(admin).get(`/api/admin/users/${id}`).expect(200)).body.data;
    const same = await app.as(admin).put(`/api/admin/users/${id}`, {}).expect(200);
    expect(same.body.data).toEqual(before);
    await app.as(admin).put(`/api/admin/users/${id}`, before).expect(200); // unmodified
    expect((await app.as(admin).get(`/api/admin/users/${id}`)).body.data).toEqual(before);

    const patch = { username: newName(), display_name: 'Someone', timezone: 'Europe/Paris' };
    const after = await app
      .as(admin)
      .put(`/api/admin/users/${id}`, { ...patch, id: 1, created_at: 'x' })
      .expect(200);
    expect(after.body.data).toEqual({
      ...before,
      ...patch,
      time_zone: patch.timezone,
      updated_at: expect.any(String),
      etag: expect.any(String),
    });
    expect(after.body.data.etag).not.toBe(before.etag);
    expect(Date.parse(after.body.data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  test('can change only the case of a name', async () => {
    const { id, username } = await createAccount(app);
    const response = await app
      .as(admin)
      .put(`/api/admin/users/${id}`, { username: username.toUpperCase() })
      .expect(200);
    expect(response.body.data.username).toBe(username.toUpperCase());
  });

  test('rejects taken names and null', async () => {
    const [one, two] = [await createAccount(app), await createAccount(app)];
    const taken = { username: two.username, email: two.email };
    const response = await app.as(admin).put(`/api/admin/users/${one.id}`, taken).expect(400);
    expect(response.body.error.details.map((detail: { field: string }) => detail.field)).toEqual(['username', 'email']);
    await app.as(admin).put(`/api/admin/users/${one.id}`, { display_name: null }).expect(400);
  });

  test('of role and status increments the user’s list version', async () => {
    const { id } = await createAccount(app);
    const version = async () =>
      (await app.query<{ version: number }>('SELECT version FROM user_list_versions WHERE user_id = $1', [id]))[0]
        ?.version;
    const before = await version();
    await app.as(admin).put(`/api/admin/users/${id}`, { display_name: 'Nothing to do with it' }).expect(200);
    expect(await version()).toBe(before);
    for (const patch of [{ role: 'admin' }, { role: 'user' }, { status: 'inactive' }, { status: 'active' }]) {
      const last = await version();
      await app.as(admin).put(`/api/admin/users/${id}`, patch).expect(200);
      expect(await version()).toBeGreaterThan(last ?? 0);
    }
  });

  test('a generated password is returned once, a given one never', async () => {
    const { id, username, password } = await createAccount(app);
    const reset = await app.as(admin).post(`/api/admin/users/${id}/reset-password`).expect(200);
    const { one_time_password, ...user } = reset.body.data;
    expect((await app.as(admin).get(`/api/admin/users/${id}`).expect(200)).body.data).toEqual(user);
    expect(one_time_password).toMatch(/^[0-9a-z]{16}$/);
    await app.anonymous.post('/api/auth/login', { username, password }).expect(401);
    await app.anonymous.post('/api/auth/login', { username, password: one_time_password }).expect(200);

    const given = { password: 'a chosen password' };
    const chosen = await app.as(admin).post(`/api/admin/users/${id}/reset-password`, given).expect(200);
    expect(chosen.body.data).not.toHaveProperty('one_time_password');
    await app.anonymous.post('/api/auth/login', { username, ...given }).expect(200);
  });
});

describe('permissions', () => {
  const operations = [
    ['get', ''],
    ['post', ''],
    ['get', '/1'],
    ['put', '/1'],
    ['delete', '/1'],
    ['post', '/1/reset-password'],
  ] as const;

  test.each(operations)('%s /api/admin/users%s: administrators only', async (method, path) => {
    await app.anonymous[method](`/api/admin/users${path}`).expect(401);
    const user = await signIn(app, await createAccount(app));
    await app.as(user)[method](`/api/admin/users${path}`).expect(403);
  });

  test.each(operations.filter(([, path]) => path !== ''))(
    '%s /api/admin/users%s: invalid and unknown ids',
    async (method, path) => {
      for (const id of ['0', '-1', '1e3', 'x', '01', '%00'])
        await app
          .as(admin)
          [method](`/api/admin/users${path.replace('1', id)}`)
          .expect(400);
      for (const id of ['999999', '9'.repeat(30)])
        await app
          .as(admin)
          [method](`/api/admin/users${path.replace('1', id)}`)
          .expect(404);
    },
  );

  test('existence is checked before the body', async () => {
    await app.as(admin).put('/api/admin/users/999999', { role: 'root' }).expect(404);
    await app.as(admin).post('/api/admin/users/999999/reset-password', { password: 'short' }).expect(404);
  });
});

describe('the last active administrator', () => {
  let last: TestApp;
  let second: TestApp;
  let one: TestUser;
  beforeAll(async () => {
    last = await startTestApp();
    second = await startTestApp({ databaseUrl: last.databaseUrl });
  });
  afterAll(async () => {
    await second.stop();
    await last.stop();
  });
  beforeEach(async () => {
    await last.query("UPDATE users SET role = 'user'");
    one = await last.createUser({ role: 'admin' });
    await last.createUser({ role: 'admin', status: 'inactive' });
  });

  test.each([
    ['deactivated', () => last.as(one).put(`/api/admin/users/${one.id}`, { status: 'inactive' })],
    ['demoted', () => last.as(one).put(`/api/admin/users/${one.id}`, { role: 'user' })],
    ['deleted', () => last.as(one).delete(`/api/admin/users/${one.id}`)],
  ])('cannot be %s', async (_how, act) => {
    const response = await act().expect(409);
    expect(response.body.error.code).toBe('LAST_ADMIN');
    await last.as(one).get('/api/admin/users').expect(200);
  });

  test('may otherwise be changed', async () => {
    await last.as(one).put(`/api/admin/users/${one.id}`, { display_name: 'Chief', role: 'admin' }).expect(200);
  });

  const removal = {
    deactivation: (at: TestApp, as: TestUser, id: number) =>
      at.as(as).put(`/api/admin/users/${id}`, { status: 'inactive' }),
    demotion: (at: TestApp, as: TestUser, id: number) => at.as(as).put(`/api/admin/users/${id}`, { role: 'user' }),
    deletion: (at: TestApp, as: TestUser, id: number) => at.as(as).delete(`/api/admin/users/${id}`),
  };

  test.each([
    ['deactivation', 'deactivation'],
    ['demotion', 'deactivation'],
    ['deletion', 'demotion'],
    ['deletion', 'deletion'],
  ] as const)('remains after concurrent %s and %s', async (ofOne, ofTwo) => {
    const two = await last.createUser({ role: 'admin' });
    // Both requests are authorized and wait for the same row locks.
    const responses = await raceAgainstLock(last, "SELECT FROM users WHERE role = 'admin' FOR UPDATE", 2, () =>
      Promise.all([removal[ofOne](last, one, two.id), removal[ofTwo](second, two, one.id)]),
    );
    // The second one is no longer authorized.
    const [done, rejected] = responses.map((response) => response.status).sort();
    expect(done).toBe(200);
    expect(rejected).toBe(responses.some((response) => response.status === 403) ? 403 : 401);
    const left = await last.query("SELECT FROM users WHERE role = 'admin' AND status = 'active'");
    expect(left).toHaveLength(1);
  });

  test('remains when the last two demote and deactivate themselves concurrently', async () => {
    const app = await startTestApp();
    try {
      const [a, b] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
      const responses = await raceAgainstLock(app, "SELECT FROM users WHERE role = 'admin' FOR UPDATE", 2, () =>
        Promise.all([removal.demotion(app, a, a.id), removal.deactivation(app, b, b.id)]),
      );
      expect(responses.map((response) => response.status).sort()).toEqual([200, 409]);
    } finally {
      await app.stop();
    }
  });
});
