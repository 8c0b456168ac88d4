import { afterAll, beforeAll, expect, test } from 'vitest';
import { instant } from '../../src/http/time-fields.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  ann = await app.createUser();
});
afterAll(() => app.stop());

test.each([
  ['2026-02-01T08:00Z', '2026-02-01T08:00:00.000Z'],
  ['2026-02-01T08:00+08:00', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T08:00:00+0800', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T08:00:00+08', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T08:00-0330', '2026-02-01T11:30:00.000Z'],
  ['2026-02-01t08:00:00.5z', '2026-02-01T08:00:00.500Z'],
  ['２０２６-０２-０１T０８：００Z', '2026-02-01T08:00:00.000Z'],
])('%s is %s in bodies and queries', async (given, instant) => {
  await app.query('DELETE FROM study_sessions');
  const project = await createProject(app, ann, 'Algebra');
  const body = { started_at: given, duration_seconds: 60 };
  const created = await app.as(ann).post(`/api/projects/${project}/sessions`, body).expect(201);
  expect(created.body.data.started_at).toBe(instant);
  const listed = await app
    .as(ann)
    .get(`/api/sessions?from=${encodeURIComponent(given)}`)
    .expect(200);
  expect(listed.body.data.sessions).toHaveLength(1);
});

test.each([
  '2026-02-01',
  '2026-02-01T08:00',
  '2026-02-01T08Z',
  '2026-02-01T24:00Z',
  '2026-02-30T08:00Z',
  '2026-02-01T08:00+8',
  '2026-02-01T08:00+080',
  '2026-02-01T08:00+99:99',
  '20260201T0800Z',
  `2026-02-01T08:00:00.${'0'.repeat(80)}X`,
])('%s is no time', (given) => {
  expect(instant.safeParse(given).success).toBe(false);
});
