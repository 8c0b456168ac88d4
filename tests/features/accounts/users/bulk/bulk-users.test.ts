import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../../support/test-app.ts';

let app: TestApp;
let other: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { PUBLIC_URL: 'https://study.example.org' } });
  other = await startTestApp({ databaseUrl: app.databaseUrl });
  admin = await app.createUser({ role: 'admin', username: 'head' });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const row = (username: string, email = `${username}@example.org`) => ({ username, email });
const create = (users: readonly object[], by = app) => by.as(admin).post('/api/admin/users/bulk', { users });
const count = async (pattern: string) =>
  Number((await app.query<{ n: number }>('SELECT count(*) AS n FROM users WHERE username ~ $1', [pattern]))[0]?.n);

describe('creating accounts in bulk', () => {
  test('sets one-time passwords, which must be changed after signing in', async () => {
    const users = [{ ...row('mei'), display_name: 'Mei 梅', timezone: 'Asia/Shanghai' }, row('wuu')];
    const response = await create(users).expect(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const { created_count, failed_count, results, one_time_passwords } = response.body.data;
    expect([created_count, failed_count]).toEqual([2, 0]);
    expect(results).toMatchObject([
      { index: 0, username: 'mei', errors: [] },
      { index: 1, username: 'wuu', errors: [] },
    ]);
    expect(
      new Set(one_time_passwords.map((entry: { one_time_password: string }) => entry.one_time_password)).size,
    ).toBe(2);
    for (const [index, { user_id, username, one_time_password }] of one_time_passwords.entries()) {
      expect(user_id).toBe(results[index].user_id);
      const login = await app.anonymous.post('/api/auth/login', { username, password: one_time_password }).expect(200);
      expect(login.body.data.user).toMatchObject({ id: user_id, role: 'user', must_change_password: true });
    }
    const mei = await app.as(admin).get(`/api/admin/users/${results[0].user_id}`).expect(200);
    expect(mei.body.data).toMatchObject({ display_name: 'Mei 梅', timezone: 'Asia/Shanghai', status: 'active' });
  });

  test('skips rows whose names are taken by accounts or by earlier rows', async () => {
    const users = [
      row('One'),
      row('HEAD'),
      row('two', 'Head@example.org'),
      row('one', 'another@example.org'),
      row('three', 'ONE@example.org'),
      row('One'),
      row('four'),
    ];
    const { body } = await create(users).expect(200);
    expect(body.message).toBe('Users created: 2; not created: 5, see results.');
    const { results, one_time_passwords } = body.data;
    expect(results.map(({ user_id }: { user_id: number | null }) => user_id !== null)).toEqual([
      ...[true, false, false, false, false, false, true],
    ]);
    expect(results.map(({ errors }: { errors: { field: string }[] }) => errors.map(({ field }) => field))).toEqual([
      ...[[], ['username', 'email'], ['email'], ['username'], ['email'], ['username', 'email'], []],
    ]);
    expect(one_time_passwords).toHaveLength(2);
  });

  test('creates none if a row is invalid', async () => {
    const response = await create([
      row('fine'),
      row('a b', 'ab@example.org'),
      { ...row('good'), email: 'none' },
    ]).expect(400);
    const fields = response.body.error.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['users[1].username', 'users[2].email']);
    expect(await count('^fine$')).toBe(0);
    await create([]).expect(400);
    await create(Array.from({ length: 201 }, (_, index) => row(`much${index}`))).expect(400);
  });

  test('runs once for an Idempotency-Key, and returns the passwords once', async () => {
    const send = () => create([row('once-a'), row('once-b')]).set('Idempotency-Key', 'bulk-once');
    const first = await send().expect(200);
    const second = await send().set('Accept', 'text/html').expect(200);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body.data.results).toEqual(first.body.data.results);
    expect(second.body.data.one_time_passwords).toBeUndefined();
    expect(await count('^once-')).toBe(2);
  });

  test('allows 200 accounts', async () => {
    const { body } = await create(Array.from({ length: 200 }, (_, index) => row(`full-${index}`))).expect(200);
    expect(body.data.created_count).toBe(200);
  });

  test('is logged in the audit log, without passwords', async () => {
    const { body } = await create([row('noted')]).expect(200);
    const { user_id, one_time_password } = body.data.one_time_passwords[0];
    const { entries } = (await app.as(admin).get(`/api/admin/audit?action=createUsers&target_id=${user_id}`)).body.data;
    expect(entries).toMatchObject([{ target_type: 'user', before: null, after: { username: 'noted' } }]);
    expect(JSON.stringify(entries)).not.toContain(one_time_password);
  });

  test('with the same names in opposite orders creates each once, without deadlocks', async () => {
    for (let round = 0; round < 5; round += 1) {
      const users = Array.from({ length: 6 }, (_, index) => row(`r${round}-${index}`));
      const crossed = users.map(({ username }, index) => row(username, users.at(-1 - index)?.email));
      const responses = await Promise.all([
        create(users),
        create(users.toReversed(), other),
        create(crossed, other),
        ...users.map((user) => app.as(admin).post('/api/admin/users', user)),
      ]);
      const statuses = responses.map(({ status }) => status);
      // An administrator's second request waits for the first, and a third exceeds the limit.
      expect(statuses.filter((status) => ![200, 201, 400, 429].includes(status))).toEqual([]);
      expect(await count(`^r${round}-`)).toBe(6);
      const bulk = responses.slice(0, 3).map(({ body }) => body.data?.created_count ?? 0);
      const single = statuses.filter((status) => status === 201).length;
      expect(bulk.reduce((sum, number) => sum + number, single)).toBe(6);
    }
  });
});

describe('the printable list', () => {
  test('shows each name with its password, escaped and in the reader’s language', async () => {
    const users = [{ ...row('printed'), display_name: '<b>"Lin" & Co</b>' }, row('head')];
    const response = await create(users).set('Accept', 'text/html').set('Accept-Language', 'zh').expect(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.text).toContain('&lt;b&gt;&quot;Lin&quot; &amp; Co&lt;/b&gt;');
    expect(response.text).not.toContain('<b>');
    expect(response.text).toContain('lang="zh"');
    expect(response.text).toContain('https://study.example.org');
    expect(response.text).toContain('未创建：head');
    const password = /<code>([a-z0-9]{16})<\/code>/.exec(response.text)?.[1];
    await app.anonymous.post('/api/auth/login', { username: 'printed', password }).expect(200);
  });
});

describe('an account', () => {
  test('is updated once per version with If-Match; a sign-in does not change the version', async () => {
    const { body } = await create([row('version')]).expect(200);
    const { user_id, one_time_password } = body.data.one_time_passwords[0];
    const url = `/api/admin/users/${user_id}`;
    const read = await app.as(admin).get(url).expect(200);
    await app.anonymous.post('/api/auth/login', { username: 'version', password: one_time_password }).expect(200);
    await app.as(admin).get(url).set('If-None-Match', String(read.headers['etag'])).expect(200); // last_login_at
    const etag = String(read.headers['etag']);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : other)
          .as(admin)
          .put(url, { display_name: `Name ${index}` })
          .set('If-Match', etag),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    const winner = responses.find(({ status }) => status === 200);
    await app.as(admin).put(url, { display_name: 'Next' }).set('If-Match', String(winner?.headers['etag'])).expect(200);
  });
});
