import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type WebhookEvent,
  webhookData,
  webhookEvents,
} from '../../../../src/features/integrations/webhooks/webhook-events.ts';
import { updateProjectBody } from '../../../../src/features/study/projects/project-schemas.ts';
import { projectRoot } from '../../../../src/project-root.ts';
import { contactSettings, submit } from '../../../support/contact.ts';
import { assign, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let student: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: { ...contactSettings, WEBHOOK_TARGETS: 'any' } });
  admin = await app.createUser({ role: 'admin' });
  student = await app.createUser();
});
afterAll(() => app.stop());
afterEach(async () => {
  for (const { type, data } of await events()) expect(() => webhookData[type].strict().parse(data), type).not.toThrow();
});
beforeEach(async () => {
  await app.query('DELETE FROM webhooks');
  const body = { url: 'http://127.0.0.1:9/', events: webhookEvents };
  await app.as(admin).post('/api/admin/webhooks', body).expect(201);
});

type Event = { type: WebhookEvent; object: string; data: Record<string, unknown> };
const events = () => app.query<Event>('SELECT type, object, data FROM webhook_deliveries ORDER BY id');
const types = async () => (await events()).map(({ type }) => type);

test('of a project: creation, changes by users, deletion and restore', async () => {
  const as = app.as(student);
  const { id } = (await as.post('/api/projects', { name: 'Rings', target_hours: 1 }).expect(201)).body.data;
  await as.put(`/api/projects/${id}`, { name: 'Rings' }).expect(200);
  await as.put(`/api/projects/${id}`, { status: 'paused' }).expect(200);
  await as.delete(`/api/projects/${id}`).expect(200);
  await as.post(`/api/projects/${id}/restore`).expect(200);
  expect(await types()).toEqual(['project.created', 'project.updated', 'project.deleted', 'project.restored']);
  const [created, updated, deleted] = await events();
  expect(created?.data).toMatchObject({ id, name: 'Rings', status: 'active', target_hours: 1 });
  expect(updated?.data).toMatchObject({ id, status: 'paused' });
  expect(deleted?.data).toEqual({ id });
});

test('of a project: every field that can be changed, as docs/webhooks.md names them', async () => {
  const id = await createProject(app, student, 'Rings');
  const [created] = await events();
  const names = Object.keys(created?.data ?? {});
  const fields = Object.keys(updateProjectBody.shape).filter((name) => !name.startsWith('assigned_user_id'));
  expect(names).toEqual(expect.arrayContaining(fields));
  const page = await readFile(path.join(projectRoot, 'docs/webhooks.md'), 'utf8');
  const [, documented = ''] = /^\| `project\.created`.*\| the project: (.+) \|$/m.exec(page) ?? [];
  expect(documented.replaceAll('`', '').split(', ').toSorted()).toEqual(names.toSorted());

  await app.query('DELETE FROM webhook_deliveries');
  const changes: Record<string, unknown> = {
    ...{ name: 'Ideals', description: 'Of rings', status: 'paused', category: 'academic', target_hours: 7 },
    ...{ rating_standard: 'good', due_date: '2026-06-30', weekly_goal_hours: 3, target_scope: 'each' },
    color: 12,
  };
  expect(Object.keys(changes).toSorted()).toEqual(fields.toSorted());
  for (const [field, value] of Object.entries(changes))
    await app
      .as(student)
      .put(`/api/projects/${id}`, { [field]: value })
      .expect(200);
  expect((await events()).map(({ data }, index) => data[Object.keys(changes)[index] ?? ''])).toEqual(
    Object.values(changes),
  );
});

test('of an import: one, however many records it has', async () => {
  const project = await createProject(app, student, 'Rings');
  await app.query('DELETE FROM webhook_deliveries');
  const hour = (number: number) => new Date(Date.UTC(2025, 0, 1, number)).toISOString();
  const rows = Array.from({ length: 250 }, (_, n) => `${project},${hour(2 * n)},${hour(2 * n + 1)}\n`);
  const file = Buffer.from(`project_id,started_at,ended_at\n${rows.join('')}`);
  const sent = app.as(student).post('/api/sessions/import').field('dry_run', 'false').attach('file', file, 'r.csv');
  const { import_id } = (await sent.expect(200)).body.data;
  expect((await events()).filter(({ type }) => type.startsWith('session.'))).toEqual([
    {
      type: 'session.imported',
      object: `import:${import_id}`,
      data: { import_id, user_id: student.id, sessions_count: 250, project_ids: [project] },
    },
  ]);
});

test('of records and timers, and of reached goals', async () => {
  const project = await createProject(app, student, 'Short', 'active', { target_hours: 1 });
  await app.query('DELETE FROM webhook_deliveries');
  const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 1800, note: 'Half' };
  const as = app.as(student);
  const { id } = (await as.post(`/api/projects/${project}/sessions`, record).expect(201)).body.data;
  await as.put(`/api/sessions/${id}`, { duration_seconds: 3600 }).expect(200);
  await as.put(`/api/sessions/${id}`, { note: 'All' }).expect(200);
  await as.delete(`/api/sessions/${id}`).expect(200);
  const timer = (await as.post('/api/timer/start', { project_id: project }).expect(201)).body.data.id;
  // The goal is an event of the project, and events of different objects are unordered.
  expect((await types()).filter((type) => type !== 'goal.reached')).toEqual([
    'session.created',
    'session.updated',
    'session.updated',
    'session.deleted',
    'session.created',
  ]);
  const found = await events();
  const shown = (await as.get(`/api/sessions/${timer}`).expect(200)).body.data;
  expect(found.at(-1)?.data).toMatchObject({ id: timer, started_at: shown.started_at, ended_at: null });
  expect(found.filter(({ type }) => type === 'goal.reached').map(({ data }) => data['id'])).toEqual([project]);
});

test.each([
  ['pauses the project', { status: 'paused' }],
  ['unassigns the user', { assigned_user_ids: [] }],
  ['pauses the project and lowers the target', { status: 'paused', target_hours: 0.5 }],
])('of a goal: one if the timer that reaches it ends because an update %s', async (_what, change) => {
  const project = await createProject(app, admin, 'Short', 'active', { target_hours: 1 });
  const learner = await app.createUser();
  await assign(app, project, learner);
  const { id } = (await app.as(learner).post('/api/timer/start', { project_id: project }).expect(201)).body.data;
  await app.query(`UPDATE study_sessions SET started_at = now() - interval '90 minutes' WHERE id = $1`, [id]);
  await app.as(admin).put(`/api/projects/${project}`, change).expect(200);
  expect((await types()).filter((type) => type === 'goal.reached')).toEqual(['goal.reached']);
});

test('of assignments: one per project and change, also in a batch', async () => {
  const projects = [await createProject(app, admin), await createProject(app, admin)];
  await app.query('DELETE FROM webhook_deliveries');
  const other = await app.createUser();
  const body = { project_ids: projects, user_ids: [student.id, other.id], assign_type: 'add' };
  await app.as(admin).post('/api/projects/batch-assign', body).expect(200);
  const data = { change: 'assigned', users_count: 2, user_ids: [student.id, other.id] };
  expect(await events()).toEqual(
    projects.map((id) => ({ type: 'assignment.changed', object: `project:${id}`, data: { ...data, project_id: id } })),
  );
  await app.as(admin).delete(`/api/projects/${projects[0]}`).expect(200);
  expect((await types()).slice(2)).toEqual(['project.deleted']);
});

test('of contact requests, without what the sender wrote', async () => {
  const { body } = await submit(app, { message: 'A private matter of mine.' });
  await app.as(admin).put(`/api/admin/contact-requests/${body.requestId}/status`, { status: 'reviewed' }).expect(200);
  const found = await events();
  expect(found.map(({ type, data }) => [type, data['id'], data['status']])).toEqual([
    ['contact.created', body.requestId, 'pending'],
    ['contact.status_changed', body.requestId, 'reviewed'],
  ]);
  expect(JSON.stringify(found)).not.toContain('private');
});

test('are exact for events of many rows, and are rolled back with the change', async () => {
  const project = await createProject(app, student);
  await app.query('DELETE FROM webhook_deliveries');
  const times = { started_at: '2020-01-01T00:00:00.000Z', ended_at: '2020-01-01T01:00:00.000Z' };
  const sessions = Array.from({ length: 500 }, (_, index) => ({
    ...{ id: index + 1, project_id: project, user_id: student.id, owner_id: student.id },
    ...times,
  }));
  const { store } = app.container;
  await store.asService(async (tx) => tx.record({ type: 'session.deleted', sessions, announced: true }));
  const found = await events();
  expect(found).toHaveLength(500);
  expect(new Set(found.map(({ object }) => object)).size).toBe(500);
  const failing = store.asService(async (tx) => {
    tx.record({ type: 'project.removed', projects: [{ id: project, user_id: student.id, assigned_user_ids: [] }] });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await events()).toHaveLength(500);
});

test('one per subscribed webhook, none for inactive ones', async () => {
  const body = { url: 'http://127.0.0.1:9/', events: ['project.created'] };
  await app
    .as(admin)
    .post('/api/admin/webhooks', { ...body, active: false })
    .expect(201);
  await app.as(admin).post('/api/admin/webhooks', body).expect(201);
  const project = await createProject(app, student);
  await assign(app, project, student);
  expect(await types()).toEqual(['project.created', 'project.created', 'assignment.changed']);
});
