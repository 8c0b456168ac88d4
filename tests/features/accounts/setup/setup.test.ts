import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSetupTokens } from '../../../../src/features/accounts/setup/setup-service.ts';
import { createTestClock, startTestApp, type TestApp, testSecret } from '../../../support/test-app.ts';

const clock = createTestClock();
const account = { username: 'lin', email: 'lin@example.org', display_name: 'Lin', password: 'a good password' };
let app: TestApp;
let token: string;
beforeEach(async () => {
  app = await startTestApp({ clock });
  token = createSetupTokens([testSecret], clock).issue();
});
afterEach(() => app.stop());

const setUp = (given: object = {}) => app.anonymous.post('/api/setup', { ...account, token, ...given });
const invalid = [{ field: 'token', message: expect.stringContaining('there is an administrator') }];

test('a link creates the first administrator, who can sign in with their zone and language', async () => {
  const { body } = await setUp({ timezone: 'Asia/Shanghai', locale: 'zh' }).expect(200);
  expect(body.data).toEqual({ username: 'lin' });
  const { body: signedIn } = await app.anonymous
    .post('/api/auth/login', { username: 'lin', password: account.password })
    .expect(200);
  expect(signedIn.data.user).toMatchObject({ role: 'admin', timezone: 'Asia/Shanghai', locale: 'zh' });
});

test('a link is valid for 30 minutes, for one administrator, and with this secret only', async () => {
  const foreign = createSetupTokens(['another secret, long enough to be one'], clock).issue();
  expect((await setUp({ token: foreign }).expect(400)).body.error.details).toEqual(invalid);
  clock.advance(31 * 60_000);
  expect((await setUp().expect(400)).body.error.details).toEqual(invalid);

  token = createSetupTokens([testSecret], clock).issue();
  const attempts = await Promise.all(
    ['one', 'two', 'three'].map((username) => setUp({ username, email: `${username}@example.org` })),
  );
  expect(attempts.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await app.query('SELECT FROM users')).toHaveLength(1);
});

test('the example school belongs to the administrator, and its students sign in with the password shown once', async () => {
  const { body } = await setUp({ example: true }).expect(200);
  const { body: admin } = await app.anonymous
    .post('/api/auth/login', { username: 'lin', password: account.password })
    .expect(200);
  const as = app.as({ id: 0, username: 'lin', email: '', role: 'admin', token: admin.data.token });
  expect((await as.get('/api/admin/groups').expect(200)).body.data.groups).toHaveLength(3);
  const { users } = (await as.get('/api/admin/progress?limit=100').expect(200)).body.data;
  type Standing = { goals: { behind: number; near: number } };
  expect(users.some(({ goals }: Standing) => goals.behind > 0)).toBe(true);
  await app.anonymous
    .post('/api/auth/login', { username: 'lin.wei', password: body.data.example_password })
    .expect(200);
});
