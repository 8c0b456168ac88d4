import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let user: TestUser;
let project: number;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  user = await app.createUser();
  project = await createProject(app, user);
});

const set = (status: string) => app.as(user).put(`/api/projects/${project}`, { status }).expect(200);
const history = async () =>
  (
    await app.query<{ change: string }>(
      `SELECT from_status || ' ' || to_status AS change FROM project_status_changes WHERE project_id = $1 ORDER BY changed_at, id`,
      [project],
    )
  ).map(({ change }) => change);

test('of a day has at most ten changes, of which the last one leads to the present status', async () => {
  for (let round = 0; round < 7; round += 1) for (const status of ['paused', 'active']) await set(status);
  await set('completed');
  const changes = await history();
  expect(changes).toHaveLength(10);
  expect(changes.at(-1)).toBe('paused completed');
  await set('paused');
  await set('completed');
  await set('active');
  expect((await history()).length).toBeLessThanOrEqual(10);
  await expectInvariants(app);
  await app.query(
    `UPDATE project_status_changes SET changed_at = changed_at - interval '1 day' WHERE project_id = $1`,
    [project],
  );
  const yesterday = (await history()).length;
  await set('paused');
  expect(await history()).toHaveLength(yesterday + 1);
});

test('of many changes at once stays contiguous', async () => {
  const all = ['paused', 'active', 'completed', 'paused', 'active', 'completed', 'paused', 'active', 'completed'];
  for (let round = 0; round < 3; round += 1) await Promise.all(all.map(set));
  expect((await history()).length).toBeLessThanOrEqual(10);
  await expectInvariants(app);
});

test('is read in a bounded number, also if it is long', async () => {
  await app.query(
    `INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
     SELECT $1, CASE n % 2 WHEN 0 THEN 'paused' ELSE 'active' END, CASE n % 2 WHEN 0 THEN 'active' ELSE 'paused' END,
       now() - interval '300 days' + n * interval '1 minute' FROM generate_series(1, 300000) AS n`,
    [project],
  );
  await app.query('ANALYZE project_status_changes');
  const [plan] = await app.query<{ 'QUERY PLAN': { Plan: unknown }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM project_status_changes
     WHERE project_id = ${project} AND 'active' IN (from_status, to_status) ORDER BY changed_at DESC, id DESC LIMIT 4000`,
  );
  expect(JSON.stringify(plan)).toMatch(/"Node Type":"Index[^}]*Scan"/);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10); // a record of the last hours may have two days
  const times = { started_at: `${yesterday}T12:00:00Z`, duration_seconds: 3600 };
  await app.query(`UPDATE projects SET created_at = created_at - interval '1 year' WHERE id = $1`, [project]);
  await app.as(user).post(`/api/projects/${project}/sessions`, times).expect(201);
  const { body } = await app.as(user).get(`/api/projects/${project}/stats`).expect(200);
  expect(body.data.study_days).toBe(1);
});
