import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxSessions } from '../../../../src/features/study/study-sessions/session-sql.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let user: TestUser;
let project: number;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.createUser();
  project = await createProject(app, user);
});
afterAll(() => app.stop());

const record = (day: number, by = user, to = project) =>
  app.as(by).post(`/api/projects/${to}/sessions`, { started_at: `2026-02-0${day}T08:00:00Z`, duration_seconds: 600 });
const setCount = (count: number) =>
  app.query('UPDATE user_study_totals SET sessions_count = $2 WHERE user_id = $1', [user.id, count]);
const message = 'An account has at most 500000 study records; delete some of them first.';

test('an account has a maximum of study records, however they are created; a running timer can still end', async () => {
  await record(1).expect(201);
  await setCount(maxSessions - 1);
  await app.as(user).post('/api/timer/start', { project_id: project }).expect(201);
  const last = await record(2).expect(201);
  expect((await record(3).expect(409)).body.message).toBe(message);
  await app.as(user).post('/api/timer/stop', {}).expect(200);
  expect((await app.as(user).post('/api/timer/start', { project_id: project }).expect(409)).body.message).toBe(message);
  const file = Buffer.from('project,start,end\nQuota,2026-03-01T08:00:00Z,2026-03-01T09:00:00Z\n');
  const form = app.as(user).post('/api/sessions/import').field('create_projects', 'true').field('dry_run', 'false');
  const rejected = await form.attach('file', file, 'quota.csv').expect(400);
  expect(rejected.body.error.details).toEqual([{ field: 'file', message }]);
  await app.as(user).delete(`/api/sessions/${last.body.data.id}`).expect(200);
  await setCount(maxSessions - 1);
  await record(3).expect(201);
});

test('the maximum of one concerns nobody else who records at the same time', async () => {
  await setCount(maxSessions);
  const other = await app.createUser();
  const ofOther = await createProject(app, other);
  const [mine, theirs] = await Promise.all([record(5), record(5, other, ofOther)]);
  expect([mine.status, theirs.status]).toEqual([409, 201]);
});
