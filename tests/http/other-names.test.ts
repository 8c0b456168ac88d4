import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../support/accounts.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const origin = 'https://app.example.org';
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { CORS_ORIGINS: origin } });
  user = await app.createUser();
});
afterAll(() => app.stop());

const createProject = async () => (await app.as(user).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data;

test('PATCH is PUT: it changes what is given, checks If-Match, and is permitted to other origins', async () => {
  const { id, etag } = await createProject();
  const { body } = await app
    .as(user)
    .patch(`/api/projects/${id}`, { target_hours: 5 })
    .set('If-Match', etag)
    .expect(200);
  expect(body.data).toMatchObject({ name: 'Algebra', target_hours: 5 });
  await app.as(user).patch(`/api/projects/${id}`, { target_hours: 6 }).set('If-Match', etag).expect(412);
  await app.as(user).patch(`/api/projects/${id}`, { name: '' }).expect(400);
  await app.anonymous.patch(`/api/projects/${id}`, {}).expect(401);
  const preflight = await fetch(`${app.origin}/api/projects/${id}`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'PATCH' },
  });
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
});

test('every path with PUT names PATCH in Allow, others do not', async () => {
  for (const { method, path } of app.container.operations) {
    const response = await fetch(`${app.origin}${path.replace(/:\w+/g, '1')}`, { method: 'LOCK' });
    const allowed = response.headers.get('Allow')?.split(', ') ?? [];
    expect(response.status).toBe(path.startsWith('/api/contact') || path.includes('contact-requests') ? 404 : 405);
    if (method === 'put') expect(allowed).toContain('PATCH');
    expect(allowed.includes('PATCH')).toBe(allowed.includes('PUT'));
  }
});

test('the account is also at /api/me', async () => {
  const { body: own } = await app.as(user).get('/api/auth/me').expect(200);
  expect((await app.as(user).get('/api/me').expect(200)).body).toEqual(own);
  const { body } = await app.as(user).patch('/api/me', { display_name: 'Lin' }).expect(200);
  expect(body.data.display_name).toBe('Lin');
});

test('what DELETE does with a body can also be done by POST', async () => {
  const { password, ...account } = await createAccount(app);
  const signedIn = await signIn(app, { ...account, password });
  await app.as(signedIn).post('/api/me/delete', { current_password: 'wrong' }).expect(400);
  await app.as(signedIn).post('/api/auth/totp/delete', { current_password: password, otp: '123456' }).expect(409);
  await app.as(signedIn).post('/api/me/delete', { current_password: password }).expect(200);
  await app.as(signedIn).get('/api/me').expect(401);
});

test('the time zone of an account has two names, which must agree', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const names = (at: string) => ({ timezone: at, time_zone: at });
  const write = [
    (zones: object) => app.as(user).put('/api/me', zones),
    (zones: object) => app.as(admin).put(`/api/admin/users/${user.id}`, zones),
  ];
  for (const [index, send] of write.entries()) {
    const zone = index === 0 ? 'Asia/Tokyo' : 'Europe/Paris';
    for (const given of [{ timezone: zone }, { time_zone: zone }, names(zone)]) {
      await send({ timezone: 'UTC' }).expect(200);
      expect((await send(given).expect(200)).body.data).toMatchObject(names(zone));
    }
    // A client that sends back what it read changes one of the names only.
    expect((await send({ timezone: zone, time_zone: 'Asia/Seoul' }).expect(200)).body.data).toMatchObject(
      names('Asia/Seoul'),
    );
    expect((await send({ timezone: zone, time_zone: 'Asia/Seoul' }).expect(200)).body.data).toMatchObject(names(zone));
    const { body } = await send({ timezone: 'Asia/Manila', time_zone: 'UTC' }).expect(400);
    expect(body.error.details).toEqual([{ field: 'time_zone', message: 'must be the same as timezone' }]);
  }
  const account = { username: 'li.na', email: 'li.na@example.org', time_zone: 'Asia/Tokyo' };
  const { body: created } = await app.as(admin).post('/api/admin/users', account).expect(201);
  expect(created.data).toMatchObject(names('Asia/Tokyo'));
  await app
    .as(admin)
    .post('/api/admin/users', { ...account, timezone: 'UTC' })
    .expect(400);
  const users = [
    { username: 'wang', email: 'wang@example.org', time_zone: 'Asia/Tokyo' },
    { ...account, timezone: 'UTC' },
  ];
  await app.as(admin).post('/api/admin/users/bulk', { users }).expect(400);
  await app
    .as(admin)
    .post('/api/admin/users/bulk', { users: users.slice(0, 1) })
    .expect(200);
  const { body: progress } = await app.as(admin).get('/api/admin/progress?search=wang').expect(200);
  expect(progress.data.users).toMatchObject([names('Asia/Tokyo')]);
});
