import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.createUser();
});
afterAll(() => app.stop());

type Details = { field: string; message: string }[];
const fieldsOf = (details: Details) => details.map(({ field }) => field);

test('a record names its missing end and its wrong times beside other errors', async () => {
  const { body: project } = await app.as(user).post('/api/projects', { name: 'Algebra' }).expect(201);
  const rejected = async (record: object) => {
    const { body } = await app.as(user).post(`/api/projects/${project.data.id}/sessions`, record).expect(400);
    return fieldsOf(body.error.details);
  };
  const note = 'x'.repeat(501);
  const started_at = '2026-01-05T08:00:00Z';
  expect(await rejected({})).toEqual(['started_at', 'ended_at']);
  expect(await rejected({ started_at, note })).toEqual(['note', 'ended_at']);
  expect(await rejected({ started_at, ended_at: '2026-01-05T07:00:00Z', note })).toEqual(['note', 'ended_at']);
  expect(await rejected({ started_at: '2999-01-01T00:00:00Z', duration_seconds: 60, note })).toEqual([
    'note',
    'started_at',
  ]);
  expect(await rejected({ started_at, ended_at: 'now' })).toEqual(['ended_at']);
  expect(await rejected({ started_at: 'now', duration_seconds: '60' })).toEqual(['started_at', 'duration_seconds']);
});

test('a sign-in names the missing name beside a missing password', async () => {
  for (const path of ['/api/auth/login', '/api/auth/browser/sign-in']) {
    const send = (credentials: object) =>
      app.anonymous.post(path, credentials).set('Origin', app.origin).set('Sec-Fetch-Site', 'same-origin').expect(400);
    expect(fieldsOf((await send({})).body.error.details)).toEqual(['password', 'username']);
    expect(fieldsOf((await send({ email: 5 })).body.error.details)).toEqual(['email', 'password']);
    expect(fieldsOf((await send({ username: 'li' })).body.error.details)).toEqual(['password']);
  }
});

test('a batch of assignments names what its shape lacks beside wrong projects, and says that a list is empty', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const rejected = async (batch: object): Promise<Details> =>
    (await app.as(admin).post('/api/projects/batch-assign', batch).expect(400)).body.error.details;
  expect(fieldsOf(await rejected({}))).toEqual(['project_ids', 'user_ids']);
  expect(fieldsOf(await rejected({ project_ids: ['1'], user_ids: [user.id] }))).toEqual([
    'project_ids[0]',
    'assign_type',
  ]);
  expect(fieldsOf(await rejected({ project_ids: 1, user_ids: 2, assign_type: 'add' }))).toEqual([
    'project_ids',
    'user_ids',
  ]);
  expect(await rejected({ project_ids: [], user_ids: [], assign_type: 'add' })).toEqual([
    { field: 'project_ids', message: 'must not be empty' },
    { field: 'user_ids', message: 'must not be empty' },
  ]);
});

test('an empty token is a missing one', async () => {
  const { body } = await app.anonymous.post('/api/auth/accept', { token: '', password: '' }).expect(400);
  expect(body.error.details).toEqual([
    { field: 'token', message: 'is required' },
    { field: 'password', message: 'is required' },
  ]);
});
