import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilWaiting } from '../../../support/locks.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

async function createClass() {
  const student = await app.createUser();
  const teacher = await app.createUser({ role: 'admin' });
  const body = { name: `Class ${student.id}`, user_ids: [student.id] };
  const group: number = (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
  const scope = { admin_scope: 'groups', admin_group_ids: [group] };
  await app.as(admin).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  return { student, teacher, group };
}
type Class = Awaited<ReturnType<typeof createClass>>;
type Write = { lock: string; send: () => PromiseLike<{ status: number }> };

async function excuse({ student, teacher }: Class): Promise<Write> {
  const path = `/api/admin/users/${student.id}/days-off`;
  const day = { from: '2026-11-16', to: '2026-11-16' };
  const { id } = (await app.as(teacher).post(path, day).expect(201)).body.data;
  return {
    lock: `SELECT FROM days_off WHERE id = ${id} FOR UPDATE`,
    send: () => app.as(teacher).put(`${path}/${id}`, { ...day, reason: 'Ill' }),
  };
}

async function correct({ student, teacher }: Class): Promise<Write> {
  const project = await createProject(app, student);
  const record = { started_at: '2026-02-02T08:00:00Z', duration_seconds: 600 };
  const { id } = (await app.as(student).post(`/api/projects/${project}/sessions`, record).expect(201)).body.data;
  return {
    lock: `SELECT FROM user_study_totals WHERE user_id = ${student.id} FOR UPDATE`,
    send: () => app.as(teacher).put(`/api/sessions/${id}`, { ended_at: '2026-02-02T08:20:00Z' }),
  };
}

async function share({ student, teacher }: Class): Promise<Write> {
  const report = { from: '2026-02-01', to: '2026-02-28', expires_at: new Date(Date.now() + 86_400_000) };
  return {
    lock: 'LOCK TABLE report_links IN SHARE MODE',
    send: () => app.as(teacher).post(`/api/reports/students/${student.id}/links`, report),
  };
}

test.each([
  ['days off', excuse],
  ['records', correct],
  ['links to reports', share],
])('while a class teacher writes %s of a student, the student does not leave the class', async (_, prepare) => {
  const created = await createClass();
  const { lock, send } = await prepare(created);
  const order: string[] = [];
  let both: Promise<unknown> | undefined;
  await app.transaction(async (query) => {
    await query(lock);
    const writing = send().then(({ status }) => order.push(status < 300 ? 'written' : `refused ${status}`));
    await untilWaiting(app, 1);
    const leaving = app
      .as(admin)
      .post(`/api/admin/groups/${created.group}/members`, { remove: [created.student.id] })
      .then(({ status }) => order.push(`left ${status}`));
    both = Promise.all([writing, leaving]);
    await untilWaiting(app, 2);
    expect(order).toEqual([]);
  });
  await both;
  expect(order).toEqual(['written', 'left 200']);
});
