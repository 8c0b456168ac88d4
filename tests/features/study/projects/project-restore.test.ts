import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { raceAgainstLock } from '../../../support/locks.ts';
import { assign, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser();
  bob = await app.createUser();
});
afterAll(() => app.stop());

test('many restores of unknown projects return 404 without exhausting the connections', async () => {
  const restores = Array.from({ length: 30 }, (_, n) => app.as(ann).post(`/api/projects/${900_000 + n}/restore`));
  const lists = Array.from({ length: 10 }, () => app.as(bob).get('/api/projects'));
  const responses = await Promise.all([...restores, ...lists]);
  expect(responses.map(({ status }) => status)).toEqual([...Array(30).fill(404), ...Array(10).fill(200)]);
});

test('a restore is rejected before it waits for locks on former members', async () => {
  const project = await createProject(app, ann, 'Algebra');
  await assign(app, project, bob);
  await app.as(ann).delete(`/api/projects/${project}`).expect(200);
  const outsider = await app.createUser();
  const holder = new pg.Client(app.databaseUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(`BEGIN; SELECT FROM users WHERE id = ${bob.id} FOR UPDATE`);
  await app.as(outsider).post(`/api/projects/${project}/restore`).expect(404);
  await app.as(outsider).post('/api/projects/999999/restore').expect(404);
  await holder.query('ROLLBACK');
});

test('of two concurrent restores one succeeds, the other returns 409', async () => {
  const project = await createProject(app, ann, 'Geometry');
  await assign(app, project, bob);
  await app.as(ann).delete(`/api/projects/${project}`).expect(200);
  const restore = () => app.as(admin).post(`/api/projects/${project}/restore`);
  const responses = await raceAgainstLock(app, `SELECT FROM projects WHERE id = ${project} FOR UPDATE`, 2, () =>
    Promise.all([restore(), restore()]),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await app.as(bob).get(`/api/projects/${project}`).expect(200)).body.data.assigned_user_ids).toEqual([bob.id]);
});
