import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { assign, createProject } from '../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** 20 and 21 November in a calendar of Shanghai whose days begin at 3:00. */
const dates = { from: '2026-11-20', to: '2026-11-21' };
const [opens, closes] = ['2026-11-20T03:00:00+08:00', '2026-11-22T03:00:00+08:00'];
const before = (time: string) => new Date(Date.parse(time) - 3_600_000).toISOString();

let app: TestApp;
let admin: TestUser;
const ids: Record<string, number> = {};
beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-11-25T08:00:00Z')) });
  admin = await app.createUser({ role: 'admin' });
  const student = await app.createUser();
  for (const user of [admin, student])
    await app.as(user).put('/api/me', { time_zone: 'Asia/Shanghai', day_start_hour: 3 }).expect(200);
  const project = await createProject(app, admin, 'Algebra');
  await assign(app, project, student);
  const { body } = await app.as(admin).post('/api/admin/groups', { name: 'Class 3b' }).expect(201);
  await app
    .as(admin)
    .post(`/api/admin/groups/${body.data.id}/members`, { add: [student.id] })
    .expect(200);
  for (const on of ['2026-11-19', '2026-11-20', '2026-11-22'])
    await app.as(admin).post('/api/admin/school-days', { name: on, from: on, to: on, kind: 'school_day' }).expect(201);
  for (const started_at of [before(opens), opens, before(closes), closes]) {
    const record = { started_at, duration_seconds: 3600 };
    await app.as(student).post(`/api/projects/${project}/sessions`, record).expect(201);
    await app.query(
      `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       VALUES ('Lin', 'lin@example.org', 'other', 'A message', '127.0.0.1', '', $1, $1)`,
      [started_at],
    );
    await app.query(
      `INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, at)
       VALUES ($1, 'updateUser', 'one', 'user', ARRAY[$1::bigint], $2)`,
      [admin.id, started_at],
    );
  }
  Object.assign(ids, {
    '/api/projects': project,
    '/api/admin/groups': body.data.id,
    '/api/reports/students': student.id,
  });
});
afterAll(() => app.stop());

const withPeriod = () => app.container.operations.filter(({ query }) => query?.shape['from'] !== undefined);

async function read({ path }: Operation, period: { from: string; to: string }) {
  const id = ids[path.slice(0, path.indexOf('/:'))];
  const other = { other_from: period.from, other_to: period.to };
  const query = new URLSearchParams({ ...period, ...(path.includes('comparison') && other) });
  const url = `${path.replace(':id', String(id))}?${query}`;
  const { body, text } = await app.as(admin).get(url).expect(200);
  return Object.keys(body).length === 0 ? text : JSON.stringify(body.data);
}

test('every operation with from and to reads dates and times, and says whether the end is included', async () => {
  expect(withPeriod().length).toBeGreaterThan(8);
  for (const operation of withPeriod()) {
    const byDates = await read(operation, dates);
    expect(await read(operation, { from: opens, to: closes }), operation.id).toBe(byDates);
    expect(await read(operation, { from: dates.from, to: closes }), operation.id).toBe(byDates);
    const later = new Date(Date.parse(closes) + 1000).toISOString();
    expect(await read(operation, { from: opens, to: later }), operation.id).not.toBe(byDates);
    expect(await read(operation, { from: before(opens), to: closes }), operation.id).not.toBe(byDates);
    expect(operation.query?.shape['to'].meta()?.description, operation.id).toMatch(/which is included.* not/);
  }
});
