import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkLimits } from '../../src/http/work-limits.ts';
import { newAddress } from '../support/contact.ts';
import { openSocket } from '../support/raw-http.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const idle = { running: 0, waiting: 0, callers: 0 };

let app: TestApp;
let busy: TestUser;
let other: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { TRUST_PROXY: '1' } });
  [busy, other] = [await app.createUser(), await app.createUser()];
});
afterAll(() => app.stop());

const requestsArrived = (count: number) =>
  new Promise<void>((resolve) => {
    let requests = 0;
    app.server.on('request', () => {
      requests += 1;
      if (requests === count) resolve();
    });
  });

test('one user gets three connections: others are served while that user’s requests wait for a lock', async () => {
  const project = await createProject(app, busy);
  const arrived = requestsArrived(41);
  let waiting: PromiseLike<Response>[] = [];
  await app.database.transaction(async (tx) => {
    await tx.knex.raw('SELECT FROM projects WHERE id = ? FOR UPDATE', [project]);
    // More requests than there are connections, all of them for the locked row.
    waiting = Array.from({ length: 40 }, (_, at) =>
      app
        .as(busy)
        .put(`/api/projects/${project}`, { name: `Name ${at}` })
        .then(),
    );
    const others = app.as(other).get('/api/projects').expect(200).then();
    await arrived;
    await others;
    // Lists that are not cached also take a connection of the user.
    const lists = [1, 2, 3, 4, 5].map((page) => app.as(busy).get(`/api/projects?page=${page}`).then());
    await app.as(other).get(`/api/projects?search=${project}`).expect(200);
    await app.as(other).get('/api/timer').expect(200);
    expect(app.database.pool()).toMatchObject({ used: 1 + 3, waiting: 0 });
    waiting.push(...lists);
  });
  expect(new Set((await Promise.all(waiting)).map((response) => response.status))).toEqual(new Set([200]));
});

test('two batches of assignments use connections: the others wait without one, and the next administrator has a turn', async () => {
  const [student, ...admins] = await Promise.all([
    app.createUser(),
    ...Array.from({ length: 4 }, () => app.createUser({ role: 'admin' })),
  ]);
  const project = await createProject(app, busy);
  const assign = (admin: TestUser) =>
    app
      .as(admin)
      .post('/api/projects/batch-assign', { project_ids: [project], assigned_user_ids: [student.id] })
      .then();
  const arrived = requestsArrived(10);
  let batches: PromiseLike<Response>[] = [];
  await app.database.transaction(async (tx) => {
    await tx.knex.raw('SELECT FROM projects WHERE id = ? FOR UPDATE', [project]);
    batches = [admins[0], admins[0], admins[0], ...admins].flatMap((admin) =>
      admin === undefined ? [] : assign(admin),
    );
    batches.push(...[busy, other, busy].map((user) => app.as(user).get('/api/timer').then()));
    await arrived;
    await Promise.all(batches.slice(-3));
    expect(app.database.pool()).toMatchObject({ used: 1 + 2, waiting: 0 });
  });
  expect(new Set((await Promise.all(batches)).map((response) => response.status))).toEqual(new Set([200]));
});

test('requests without a sign-in get two connections together, whatever their addresses; sign-ins are none of them', async () => {
  const refresh = { refresh_token: 'x'.repeat(43) };
  const account = await app.createUser();
  const arrived = requestsArrived(20);
  let waiting: PromiseLike<Response>[] = [];
  await app.database.transaction(async (tx) => {
    await tx.knex.raw('LOCK TABLE refresh_tokens IN ACCESS EXCLUSIVE MODE');
    waiting = Array.from({ length: 20 }, () =>
      app.anonymous.post('/api/auth/refresh', refresh).set('X-Forwarded-For', newAddress()).then(),
    );
    await arrived;
    await app.anonymous.get('/healthz').expect(200);
    const wrong = { username: account.username, password: 'a wrong password' };
    await app.anonymous.post('/api/auth/login', wrong).set('X-Forwarded-For', newAddress()).expect(401);
    expect(app.database.pool()).toMatchObject({ used: 1 + 2, waiting: 0 });
  });
  expect(new Set((await Promise.all(waiting)).map((response) => response.status))).toEqual(new Set([401]));
});

test('health checks respond while an address is at its limit of concurrent requests', async () => {
  let waiting: PromiseLike<Response>[] = [];
  await app.database.transaction(async (tx) => {
    await tx.knex.raw('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    waiting = Array.from({ length: 9 }, () =>
      app.anonymous.post('/api/auth/login', { username: 'nobody', password: 'a wrong password' }).then(),
    );
    await app.anonymous.get('/healthz').expect(200);
  });
  expect(new Set((await Promise.all(waiting)).map((response) => response.status))).toEqual(new Set([401]));
});

test('clients that disconnect while they send a body hold no connection', async () => {
  for (let count = 0; count < 5; count += 1) {
    const socket = await openSocket(app.origin);
    const arrived = once(app.server, 'request');
    socket.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"username"',
    );
    const [, response] = await arrived;
    const closed = once(response, 'close');
    socket.destroy();
    await closed;
  }
  const guess = { username: 'nobody', password: 'a wrong password' };
  await app.anonymous.post('/api/auth/login', guess).expect(401);
});

test('300 concurrent requests of one user all succeed', async () => {
  const responses = await Promise.all(Array.from({ length: 300 }, () => app.as(busy).get('/api/timer').then()));
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
});

test('each kind of expensive work is limited per caller; further requests wait or are rejected', async () => {
  const limits = createWorkLimits();
  const open = () => new AbortController().signal;
  const upload = (caller: string) => limits.enter(caller, ['picture', 'connections'], open);
  const uploads = Array.from({ length: 14 }, () => upload('user 1').catch((error) => error.code));
  await setImmediate();
  expect(limits.load('picture')).toMatchObject({ running: 1, waiting: 10 });
  expect(await Promise.all(uploads.slice(11))).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
  const otherUpload = await upload('user 2');
  expect(limits.load('picture')).toMatchObject({ running: 2, waiting: 10 });
  otherUpload();
  for (const admitted of uploads.slice(0, 11)) (await admitted)();
  expect([limits.load('picture'), limits.load('connections')]).toEqual([idle, idle]);
});

test('a slot that is not granted holds none of the others', async () => {
  const limits = createWorkLimits();
  const gone = () => AbortSignal.abort();
  const held = await Promise.all([1, 2, 3].map(() => limits.enter('user 1', ['connections'], gone)));
  await expect(limits.enter('user 1', ['statistics', 'connections'], gone)).rejects.toMatchObject({ status: 503 });
  expect(limits.load('statistics')).toEqual(idle);
  for (const release of held) release();
  expect(limits.load('connections')).toEqual(idle);
});
