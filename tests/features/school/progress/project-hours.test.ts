import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-20T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
let [ann, bob, cid]: TestUser[] = [];
let [algebra, piano, old, deleted]: number[] = [];
let group: number;
/** Ann is assigned to all projects, Bob to two, Cid to none; the group contains Bob and Cid. */
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser({ username: 'ann', display_name: '=Ann' });
  bob = await app.createUser({ username: 'Bob' });
  cid = await app.createUser({ username: 'cid' });
  await app.createUser({ username: 'off', status: 'inactive' });
  algebra = await createProject(app, admin, 'Algebra', 'active', { target_hours: 10, due_date: '2026-03-10' });
  piano = await createProject(app, admin, 'Piano', 'active', { target_hours: 40, due_date: null });
  old = await createProject(app, admin, 'Old', 'completed');
  deleted = await createProject(app, admin, 'Gone');
  for (const project of [algebra, piano, old, deleted]) await assign(app, project, ann);
  for (const project of [algebra, old]) await assign(app, project, bob);
  await app.as(admin).delete(`/api/projects/${deleted}`).expect(200);
  const body = { name: 'Class', user_ids: [bob.id, cid.id] };
  group = (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
  await record(ann, algebra, '19', 2.5);
  await record(ann, piano, '18', 1);
  await record(bob, algebra, '17', 1);
});
afterAll(() => app.stop());

async function record(user: TestUser | undefined, project: number, day: string, hours: number): Promise<void> {
  const body = { started_at: `2026-03-${day}T08:00:00Z`, duration_seconds: hours * 3600 };
  await app.as(user).post(`/api/projects/${project}/sessions`, body).expect(201);
}
const table = async (query = '') =>
  (await app.as(admin).get(`/api/admin/progress/projects?${query}`).expect(200)).body.data;
const names = async (query = '') => (await table(query)).users.map(({ username }: { username: string }) => username);
const columns = async (query = '') => (await table(query)).projects.map(({ name }: { name: string }) => name);

describe('the hours of users on each project', () => {
  test('are a table of assignments: users by name, active projects with the most users first', async () => {
    const { projects, projects_total, users, pagination } = await table();
    const zero = { status: 'active', due_date: null, current_hours: 0, progress: 0 };
    expect(projects).toEqual([
      {
        ...{ ...zero, id: algebra, name: 'Algebra', target_hours: 10, current_hours: 3.5, progress: 35 },
        ...{ due_date: '2026-03-10', state: 'overdue', users_count: 2 },
      },
      {
        ...{ ...zero, id: piano, name: 'Piano', target_hours: 40, current_hours: 1, progress: 2.5 },
        ...{ state: 'no_target', users_count: 1 },
      },
      { ...zero, id: old, name: 'Old', target_hours: 0, status: 'completed', state: 'done', users_count: 2 },
    ]);
    expect(projects_total).toBe(3);
    const active = { status: 'active' };
    expect(users).toEqual([
      {
        ...{ ...active, user_id: ann?.id, username: 'ann', display_name: '=Ann', total_hours: 3.5 },
        ...{ last_session: '2026-03-19T10:30:00.000Z', hours: [2.5, 1, 0] },
      },
      {
        ...{ ...active, user_id: bob?.id, username: 'Bob', display_name: 'Bob', total_hours: 1 },
        ...{ last_session: '2026-03-17T09:00:00.000Z', hours: [1, null, 0] },
      },
      {
        ...{ ...active, user_id: cid?.id, username: 'cid', display_name: 'cid', total_hours: 0 },
        ...{ last_session: null, hours: [null, null, null] },
      },
    ]);
    expect(pagination).toEqual({ page: 1, limit: 10, total: 3, pages: 1 });
  });

  test('include the projects of the group, or otherwise of the users on the page', async () => {
    expect(await columns(`group_id=${group}`)).toEqual(['Algebra', 'Old']);
    expect(await columns('search=cid')).toEqual([]);
    expect(await table('search=cid')).toMatchObject({ projects_total: 0, users: [{ hours: [] }] });
    expect(await columns('limit=1&page=2')).toEqual(['Algebra', 'Old']);
    expect(await table(`group_id=${group}&limit=1&page=2`)).toMatchObject({
      projects: [{ name: 'Algebra' }, { name: 'Old' }],
      users: [{ username: 'cid', hours: [null, null] }],
    });
    expect(await table('page=9')).toMatchObject({ projects: [], users: [], pagination: { total: 3 } });
  });

  test('are limited to forty projects, and include the total', async () => {
    const created: number[] = [];
    for (let n = 1; n <= 41; n += 1)
      created.push(await createProject(app, admin, `Extra ${String(n).padStart(2, '0')}`));
    const pairs = { project_ids: created, user_ids: [cid?.id], assign_type: 'add' };
    await app.as(admin).post('/api/projects/batch-assign', pairs).expect(200);
    const { projects, projects_total, users } = await table('search=cid');
    expect([projects.length, projects_total, users[0].hours.length]).toEqual([40, 41, 40]);
    expect([projects[0].name, projects[39].name]).toEqual(['Extra 01', 'Extra 40']);
    await app.query('DELETE FROM projects WHERE id = ANY ($1)', [created]);
  });

  test.each([
    ['sort=username&order=desc', () => '', ['cid', 'Bob', 'ann']],
    ['sort=total_hours', () => '', ['cid', 'Bob', 'ann']],
    ['sort=last_session', () => '', ['cid', 'Bob', 'ann']],
    ['status=inactive', () => '', ['off']],
    ['inactive_days=2', () => '', ['Bob', 'cid']],
    ['project_id=', () => algebra, ['ann', 'Bob']],
    ['sort=project_hours&order=desc&sort_project_id=', () => `${algebra}&project_id=${old}`, ['ann', 'Bob']],
    ['sort=project_hours&sort_project_id=', () => `${algebra}&project_id=${old}`, ['Bob', 'ann']],
    ['sort=project_hours&sort_project_id=', () => `${algebra}&group_id=${group}`, ['Bob', 'cid']],
    ['sort=project_hours&order=desc&sort_project_id=', () => `${algebra}&group_id=${group}`, ['Bob', 'cid']],
  ])('are filtered and sorted by %s', async (query, value, expected) => {
    expect(await names(`${query}${value()}`)).toEqual(expected);
  });

  test.each([
    ['sort=project_hours&group_id=1', 'sort_project_id'],
    ['sort=project_hours&sort_project_id=1', 'sort'],
    ['sort=hours_7d&group_id=1', 'sort'],
  ])('reject %s', async (query, field) => {
    const response = await app.as(admin).get(`/api/admin/progress/projects?${query}`).expect(400);
    expect(response.body.error.details).toMatchObject([{ field }]);
  });

  test('are exported as CSV with a line per user and project, and the export is audited', async () => {
    const download = async (query = '') => {
      const { text } = await app.as(admin).get(`/api/admin/progress/projects/export?${query}`).expect(200);
      return text.trim().split('\r\n').slice(1);
    };
    expect(await download()).toEqual([
      `${ann?.id},"ann","'=Ann",${algebra},"Algebra","active",10,2.5,"2026-03-19T10:30:00.000Z"`,
      `${ann?.id},"ann","'=Ann",${piano},"Piano","active",40,1,"2026-03-18T09:00:00.000Z"`,
      `${ann?.id},"ann","'=Ann",${old},"Old","completed",0,0,`,
      `${bob?.id},"Bob","Bob",${algebra},"Algebra","active",10,1,"2026-03-17T09:00:00.000Z"`,
      `${bob?.id},"Bob","Bob",${old},"Old","completed",0,0,`,
    ]);
    expect(await download(`group_id=${group}`)).toHaveLength(2);
    const { entries } = (await app.as(admin).get('/api/admin/audit?limit=1').expect(200)).body.data;
    expect(entries).toMatchObject([
      { action: 'exportProjectHours', target_type: 'export', after: { group_id: group } },
    ]);
  });

  test('are exported completely when read in several batches', async () => {
    await app.query(
      `INSERT INTO users (username, email, display_name)
       SELECT 'Zed' || n, 'zed' || n || '@example.org', 'Zed' FROM generate_series(1, 800) n`,
    );
    await app.query(
      `INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
       SELECT p.id, u.id, 1000 + u.id, p.user_id, p.created_at FROM projects p, users u
       WHERE p.id = ANY ($1) AND u.username LIKE 'Zed%'`,
      [[algebra ?? 0, piano ?? 0, old ?? 0]],
    );
    const { text } = await app.as(admin).get('/api/admin/progress/projects/export?search=zed').expect(200);
    const lines = text.trim().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([1 + 2400, 1 + 2400]);
    await app.query(`DELETE FROM users WHERE username LIKE 'Zed%'`);
  });
});
