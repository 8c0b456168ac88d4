import { setImmediate } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkLimits } from '../../src/http/work-limits.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let busy: TestUser;
let other: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  [busy, other] = [await app.createUser(), await app.createUser()];
});
afterAll(() => app.stop());

test('one user cannot occupy all connections: others are served while that user’s requests wait for a lock', async () => {
  const project = await createProject(app, busy);
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
    await app.as(other).get('/api/projects').expect(200);
  });
  expect(new Set((await Promise.all(waiting)).map((response) => response.status))).toEqual(new Set([200]));
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

test('300 concurrent requests of one user all succeed', async () => {
  const responses = await Promise.all(Array.from({ length: 300 }, () => app.as(busy).get('/api/timer').then()));
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
});

test('each kind of expensive work is limited per caller; further requests wait or are rejected', async () => {
  const limits = createWorkLimits();
  const finish: (() => void)[] = [];
  const open = () => new AbortController().signal;
  const hold = () => new Promise<void>((resolve) => finish.push(resolve));
  const uploads = Array.from({ length: 14 }, () =>
    limits.run('user 1', 'picture', hold, open).catch((error) => error.code),
  );
  await setImmediate();
  expect(limits.load('picture')).toMatchObject({ running: 1, waiting: 10 });
  expect(await Promise.all(uploads.slice(11))).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
  const otherUpload = limits.run('user 2', 'picture', hold, open);
  await setImmediate();
  expect(limits.load('picture')).toMatchObject({ running: 2, waiting: 10 });
  while (limits.load('request').running > 0) {
    finish.splice(0).forEach((end) => void end());
    await setImmediate();
  }
  await otherUpload;
});
