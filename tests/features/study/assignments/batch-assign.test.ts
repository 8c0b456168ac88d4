import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../support/random.ts';
import { addSession } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let users: TestUser[];
let ids: number[];
let projects: number[];

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  users = await Promise.all(Array.from({ length: 4 }, () => app.createUser()));
  ids = users.map((user) => user.id);
  projects = [];
  for (const name of ['First', 'Second', 'Third']) {
    const { data } = (
      await app
        .as(admin)
        .post('/api/projects', { name, assigned_user_ids: ids.slice(0, 2) })
        .expect(201)
    ).body;
    projects.push(data.id);
  }
});

const batch = (body: object) => app.as(admin).post('/api/projects/batch-assign', body);
const assignedTo = async (id: number | undefined) =>
  (await app.as(admin).get(`/api/projects/${id}`)).body.data.assigned_user_ids;
const statuses = (detail: { assigned_users: { user_id: number; status: string }[] }) =>
  Object.fromEntries(detail.assigned_users.map(({ user_id, status }) => [user_id, status]));

describe('with user_ids and assign_type', () => {
  test('add appends in the given order and reports existing assignments', async () => {
    const [a, b, c, d] = ids as [number, number, number, number];
    const { data } = (await batch({ project_ids: projects, user_ids: [d, b, c, d], assign_type: 'add' }).expect(200))
      .body;
    expect(data).toMatchObject({ assigned_count: 9, failed_count: 0, failures: [] });
    expect(data.details.map((detail: { project_name: string }) => detail.project_name)).toEqual([
      'First',
      'Second',
      'Third',
    ]);
    expect(statuses(data.details[0])).toEqual({ [d]: 'assigned', [b]: 'already_assigned', [c]: 'assigned' });
    expect(await assignedTo(projects[0])).toEqual([a, b, d, c]);
  });

  test('remove unassigns the given users; the first remaining one becomes assigned_user_id', async () => {
    const [a, b, c] = ids as [number, number, number];
    const { data } = (await batch({ project_ids: projects, user_ids: [a, c], assign_type: 'remove' }).expect(200)).body;
    expect(statuses(data.details[0])).toEqual({ [a]: 'removed', [c]: 'not_assigned' });
    expect(data.assigned_count).toBe(6);
    expect(await app.query('SELECT assigned_user_id FROM projects WHERE id = $1', [projects[0] ?? 0])).toEqual([
      { assigned_user_id: b },
    ]);
  });

  test('replace sets the list, reports removed users, and may clear it', async () => {
    const [a, b, c] = ids as [number, number, number];
    const { data } = (await batch({ project_ids: projects, user_ids: [c, b], assign_type: 'replace' }).expect(200))
      .body;
    expect(statuses(data.details[0])).toEqual({ [c]: 'assigned', [b]: 'already_assigned', [a]: 'removed' });
    expect(await assignedTo(projects[2])).toEqual([c, b]);
    const emptied = (await batch({ project_ids: projects, user_ids: [], assign_type: 'replace' }).expect(200)).body;
    expect(statuses(emptied.data.details[0])).toEqual({ [c]: 'removed', [b]: 'removed' });
    expect(emptied.message).toBe(`Assignments removed: ${2 * projects.length}.`);
    const again = await batch({ project_ids: projects, assigned_user_ids: [] }).expect(200);
    expect(again.body.message).toBe('Assignments applied: 0.');
    expect(await assignedTo(projects[2])).toEqual([]);
  });

  test('invalid pairs fail individually with a code', async () => {
    const [a, b, c] = ids as [number, number, number];
    const idle = await app.createUser({ status: 'inactive' });
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [a]);
    const unknownId = 999_999_999;
    const response = await batch({
      project_ids: [projects[0], unknownId],
      user_ids: [c, idle.id, admin.id, unknownId],
      assign_type: 'add',
    }).expect(200);
    expect(response.body.data).toMatchObject({ assigned_count: 1, failed_count: 7 });
    expect(response.body.message).toContain('7');
    const codes = response.body.data.failures.map((f: { project_id: number; user_id: number; code: string }) => [
      f.project_id,
      f.user_id,
      f.code,
    ]);
    expect(codes).toEqual([
      [projects[0], idle.id, 'USER_INACTIVE'],
      [projects[0], admin.id, 'USER_IS_ADMIN'],
      [projects[0], unknownId, 'USER_NOT_FOUND'],
      ...[c, idle.id, admin.id, unknownId].map((user) => [unknownId, user, 'PROJECT_NOT_FOUND']),
    ]);
    // An assigned user who has become inactive stays assigned by a replacement that lists them, and can be removed.
    await batch({ project_ids: [projects[1]], user_ids: [a, c], assign_type: 'replace' }).expect(200);
    expect(await assignedTo(projects[1])).toEqual([a, c]);
    const removed = (await batch({ project_ids: [projects[1]], user_ids: [a], assign_type: 'remove' }).expect(200)).body
      .data;
    expect(removed).toMatchObject({ assigned_count: 1, failed_count: 0 });
    expect(await assignedTo(projects[0])).toEqual([a, b, c]);
  });
});

describe('with assigned_user_ids', () => {
  test('sets the list of every project; an empty one removes all', async () => {
    const [, b, c] = ids as [number, number, number];
    await batch({ project_ids: projects, assigned_user_ids: [c, b, c] }).expect(200);
    for (const id of projects) expect(await assignedTo(id)).toEqual([c, b]);
    await batch({ project_ids: projects, assigned_user_ids: [] }).expect(200);
    for (const id of projects) expect(await assignedTo(id)).toEqual([]);
  });

  test('the order is as requested after any other one, and those who stay in order are not written', async () => {
    const [project] = projects as [number];
    const random = seededRandom(5);
    for (let round = 0; round < 25; round += 1) {
      const list = ids.filter(() => random() < 0.6).toSorted(() => random() - 0.5);
      await batch({ project_ids: projects, assigned_user_ids: list }).expect(200);
      expect(await assignedTo(project)).toEqual(list);
    }
    const [a, b, c, d] = ids as [number, number, number, number];
    const rows = () =>
      app.query('SELECT user_id, xmin FROM project_assignments WHERE user_id IN ($1, $2) ORDER BY 1', [b, c]);
    await batch({ project_ids: projects, assigned_user_ids: [a, b, c] }).expect(200);
    const before = await rows();
    await batch({ project_ids: projects, assigned_user_ids: [b, c, d] }).expect(200);
    expect(await assignedTo(project)).toEqual([b, c, d]);
    expect(await rows()).toEqual(before);
  });

  test('is atomic', async () => {
    const idle = await app.createUser({ status: 'inactive' });
    const before = await app.query('SELECT project_id, user_id, position FROM project_assignments ORDER BY 1, 2');
    await batch({ project_ids: [...projects, 999_999_999], assigned_user_ids: [ids[3]] }).expect(404);
    const rejected = await batch({
      project_ids: projects,
      assigned_user_ids: [ids[3], ids[3], idle.id, admin.id],
    }).expect(400);
    expect(rejected.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([
      'assigned_user_ids[2]',
      'assigned_user_ids[3]',
    ]);
    expect(await app.query('SELECT project_id, user_id, position FROM project_assignments ORDER BY 1, 2')).toEqual(
      before,
    );
  });
});

describe('validation', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test.each<[string, object]>([
    ['user_ids', { project_ids: [1] }],
    ['assign_type', { project_ids: [1], user_ids: [1] }],
    ['user_ids', { project_ids: [1], assign_type: 'add' }],
    ['assign_type', { project_ids: [1], user_ids: [1], assign_type: 'nope' }],
    ['assigned_user_ids', { project_ids: [1], user_ids: [1], assign_type: 'add', assigned_user_ids: [] }],
    ['user_ids', { project_ids: [1], user_ids: [], assign_type: 'add' }],
    ['project_ids', { project_ids: [], assigned_user_ids: [1] }],
    ['project_ids', { project_ids: 'all', assigned_user_ids: [1] }],
    ['project_ids[0]', { project_ids: ['1'], assigned_user_ids: [1] }],
    ['project_ids', { project_ids: many(1001), assigned_user_ids: [1] }],
    ['assigned_user_ids', { project_ids: many(1), assigned_user_ids: many(1001) }],
    ['assigned_user_ids', { project_ids: many(1000), assigned_user_ids: many(101) }],
  ])('%#: an error names %s', async (field, body) => {
    const response = await batch(body).expect(400);
    expect(response.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });

  test('requires an administrator', async () => {
    await app.as(users[0]).post('/api/projects/batch-assign', {}).expect(403);
    await app.anonymous.post('/api/projects/batch-assign', {}).expect(401);
  });
});

describe('assignments and members', () => {
  test('are listed in order, for the owner and administrators', async () => {
    const [a, b] = ids;
    const { data } = (await app.as(admin).get(`/api/projects/${projects[0]}/assignments`).expect(200)).body;
    expect(data.map((row: { user_id: number }) => row.user_id)).toEqual([a, b]);
    await app.as(users[0]).get(`/api/projects/${projects[0]}/assignments`).expect(403);
    await app.as(users[0]).get('/api/projects/999999999/members').expect(404);
  });

  test('members are listed with their totals, including former ones', async () => {
    const [a, b, c] = ids as [number, number, number];
    const [project_id = 0] = projects;
    const add = (user_id: number, hours: number) =>
      addSession(app, { project_id, user_id, started_at: '2026-01-01Z', ended_at: `2026-01-01T0${hours}:00Z` });
    await add(b, 2);
    await add(c, 3);
    const { data } = (await app.as(admin).get(`/api/projects/${projects[0]}/members`).expect(200)).body;
    expect(data).toMatchObject([
      { user_id: a, active_assignment: true, sessions_count: 0, hours: 0, last_session: null },
      { user_id: b, active_assignment: true, sessions_count: 1, hours: 2, last_session: '2026-01-01T02:00:00.000Z' },
      { user_id: c, active_assignment: false, assigned_at: null, sessions_count: 1, hours: 3 },
    ]);
  });

  test('long lists are complete and in order', async () => {
    await app.query(
      `WITH crowd AS (
         INSERT INTO users (username, email, display_name)
         SELECT 'crowd' || n, 'crowd' || n || '@example.org', 'Crowd' FROM generate_series(1, 1100) n RETURNING id)
       INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
       SELECT p.id, c.id, 1000000 - c.id, p.user_id, p.created_at FROM crowd c, projects p WHERE p.id = $1`,
      [projects[0]],
    );
    for (const list of ['assignments', 'members']) {
      const response = await app.as(admin).get(`/api/projects/${projects[0]}/${list}`).expect(200);
      expect(response.body).toMatchObject({ success: true, message: 'OK' });
      const found: number[] = response.body.data.map((row: { user_id: number }) => row.user_id);
      expect(found).toHaveLength(1102);
      expect(found).toEqual([...ids.slice(0, 2), ...found.slice(2).sort((a, b) => b - a)]);
    }
  });

  test('pages of members together are the list', async () => {
    const [first, second, former] = ids as [number, number, number];
    const [project_id = 0] = projects;
    await addSession(app, { project_id, user_id: former, started_at: '2026-01-01Z', ended_at: '2026-01-01T03:00:00Z' });
    const read = async (query: string) => {
      const { body } = await app.as(admin).get(`/api/projects/${project_id}/members${query}`).expect(200);
      return { members: body.data, pagination: body.pagination };
    };
    const { members: whole, pagination: none } = await read('');
    expect(none).toBeUndefined();
    expect(whole.map((member: { user_id: number }) => member.user_id)).toEqual([first, second, former]);
    const pagination = { limit: 2, total: 3, pages: 2 };
    expect(await read('?limit=2')).toEqual({ members: whole.slice(0, 2), pagination: { page: 1, ...pagination } });
    expect(await read('?limit=2&page=2')).toEqual({ members: whole.slice(2), pagination: { page: 2, ...pagination } });
    expect(await read('?page=9')).toEqual({ members: [], pagination: { page: 9, limit: 10, total: 3, pages: 1 } });
    const { body } = await app.as(admin).get(`/api/projects/${project_id}/members?page=0`).expect(400);
    expect(body.error.details).toMatchObject([{ field: 'page' }]);
  });
});
