import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

/** Sends a request except for the last byte of its body; the returned function sends it and reads the response. */
async function hold(user: TestUser, method: string, path: string, body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    Authorization: `Bearer ${user.token}`,
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  };
  const arrived = once(app.server, 'request');
  const sent = request(new URL(path, app.origin), { method, headers });
  const received = once(sent, 'response');
  sent.write(bytes.subarray(0, -1));
  await arrived;
  return async () => {
    sent.end(bytes.subarray(-1));
    const [response] = await received;
    return { status: response.statusCode as number, body: JSON.parse(await text(response)) };
  };
}

const account = (username: string) => ({
  username,
  email: `${username}@example.org`,
  display_name: username,
  role: 'admin',
});

describe('a request whose body arrives late has the rights at that time', () => {
  const losses: [string, number, (user: TestUser) => PromiseLike<unknown>][] = [
    [
      'deactivated',
      401,
      (user) => app.as(admin).put(`/api/admin/users/${user.id}`, { status: 'inactive' }).expect(200),
    ],
    ['deleted', 401, (user) => app.as(admin).delete(`/api/admin/users/${user.id}`).expect(200)],
    ['signed out', 401, (user) => app.as(user).post('/api/auth/logout').expect(200)],
    ['demoted', 403, (user) => app.as(admin).put(`/api/admin/users/${user.id}`, { role: 'user' }).expect(200)],
  ];

  test.each(losses)('an administrator who was %s in the meantime creates no account', async (what, status, lose) => {
    const former = await app.createUser({ role: 'admin' });
    const username = `created-by-${what.replace(' ', '-')}`;
    const finish = await hold(former, 'POST', '/api/admin/users', account(username));
    await lose(former);
    expect((await finish()).status).toBe(status);
    expect(await app.query(`SELECT FROM users WHERE username = '${username}'`)).toEqual([]);
  });

  test('a demoted administrator cannot undo the demotion', async () => {
    const former = await app.createUser({ role: 'admin' });
    const finish = await hold(former, 'PUT', `/api/admin/users/${former.id}`, { role: 'admin' });
    await app.as(admin).put(`/api/admin/users/${former.id}`, { role: 'user' }).expect(200);
    expect((await finish()).status).toBe(403);
    expect(await app.query(`SELECT role FROM users WHERE id = ${former.id}`)).toEqual([{ role: 'user' }]);
  });

  test('a user who signed out creates no project', async () => {
    const user = await app.createUser();
    const finish = await hold(user, 'POST', '/api/projects', { name: 'Too late' });
    await app.as(user).post('/api/auth/logout').expect(200);
    expect((await finish()).status).toBe(401);
    expect(await app.query(`SELECT FROM projects WHERE user_id = ${user.id}`)).toEqual([]);
  });

  test('a request of a user with unchanged rights succeeds', async () => {
    const finish = await hold(admin, 'POST', '/api/admin/users', account('created-in-time'));
    expect((await finish()).status).toBe(201);
  });
});
