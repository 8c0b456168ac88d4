import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let [ann, bob, cid, idle]: TestUser[] = [];
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser({ username: 'ann' });
  bob = await app.createUser({ username: 'bob' });
  cid = await app.createUser({ username: 'cid' });
  idle = await app.createUser({ username: 'idle', status: 'inactive' });
});
afterAll(() => app.stop());

const idOf = (user: TestUser | undefined) => user?.id ?? 0;
const as = () => app.as(admin);
let names = 0;
async function createGroup(...members: (TestUser | undefined)[]) {
  names += 1;
  const body = { name: `Class ${names}`, user_ids: members.map(idOf) };
  return (await as().post('/api/admin/groups', body).expect(201)).body.data;
}
const members = async (id: number) =>
  (await as().get(`/api/admin/groups/${id}`).expect(200)).body.data.members.map(
    ({ username }: { username: string }) => username,
  );

describe('a group', () => {
  test('can be created with members, listed, renamed and deleted', async () => {
    const response = await as()
      .post('/api/admin/groups', { name: ' Évening class ', user_ids: [idOf(bob), idOf(ann), idOf(bob), idOf(idle)] })
      .expect(201);
    const { id } = response.body.data;
    expect(response.headers['location']).toBe(`/api/admin/groups/${id}`);
    expect(response.body.data).toMatchObject({ name: 'Évening class', members_count: 3 });
    expect(await members(id)).toEqual(['ann', 'bob', 'idle']);
    const list = await as().get('/api/admin/groups?search=évening').expect(200);
    expect(list.body.data).toMatchObject({ groups: [{ id, members_count: 3 }], pagination: { total: 1 } });
    expect((await as().get('/api/admin/groups?search=évening&page=2')).body.data).toMatchObject({
      groups: [],
      pagination: { total: 1 },
    });

    const renamed = await as().put(`/api/admin/groups/${id}`, { name: 'Evening' }).expect(200);
    expect(renamed.body.data).toMatchObject({ name: 'Evening', members_count: 3 });
    const emptied = await as().put(`/api/admin/groups/${id}`, { user_ids: [] }).expect(200);
    expect(emptied.body.data).toMatchObject({ name: 'Evening', members_count: 0, members: [] });
    await as().delete(`/api/admin/groups/${id}`).expect(200);
    await as().get(`/api/admin/groups/${id}`).expect(404);
    await as().delete(`/api/admin/groups/${id}`).expect(404);
  });

  test('is not created from a list whose end would be cut off', async () => {
    const user_ids = [...Array(1001).fill(idOf(ann)), idOf(bob)];
    const { body } = await as().post('/api/admin/groups', { name: 'Too long', user_ids }).expect(400);
    expect(body.error.details).toMatchObject([{ field: 'user_ids' }]);
  });

  test('is created once for an Idempotency-Key', async () => {
    const send = () => as().post('/api/admin/groups', { name: 'Once' }).set('Idempotency-Key', 'group-once');
    const [one, two] = await Promise.all([send(), send()]);
    expect([one.status, two.status, one.body.data.id]).toEqual([201, 201, two.body.data.id]);
  });

  test('has a unique name, and only ordinary users as members', async () => {
    const { id, name } = await createGroup();
    const taken = await as().post('/api/admin/groups', { name: name.toUpperCase() }).expect(400);
    expect(taken.body.error.details).toMatchObject([{ field: 'name' }]);
    const wrong = await as()
      .put(`/api/admin/groups/${id}`, { user_ids: [idOf(ann), 999_999, idOf(admin)] })
      .expect(400);
    expect(wrong.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'user_ids[1]',
      'user_ids[2]',
    ]);
    expect(await members(id)).toEqual([]);
  });

  test('has at most 1,000 members, also when they are added later', async () => {
    const { id } = await createGroup(ann);
    await app.query(
      `INSERT INTO users (username, email, display_name)
       SELECT 'many' || n, 'many' || n || '@example.org', 'Many' FROM generate_series(1, 1000) n`,
    );
    const many = (await app.query<{ id: number }>(`SELECT id FROM users WHERE username ~ '^many' ORDER BY id`)).map(
      (row) => row.id,
    );
    await as()
      .post(`/api/admin/groups/${id}/members`, { add: many.slice(1) })
      .expect(200);
    const full = await as()
      .post(`/api/admin/groups/${id}/members`, { add: many.slice(0, 1) })
      .expect(400);
    expect(full.body.error.details).toMatchObject([{ field: 'add' }]);
    await as()
      .post(`/api/admin/groups/${id}/members`, { add: many.slice(0, 1), remove: [idOf(ann)] })
      .expect(200);
    await as()
      .put(`/api/admin/groups/${id}`, { user_ids: [...many, idOf(ann)] })
      .expect(400);
    await app.query(`DELETE FROM users WHERE username ~ '^many'`);
  });

  test('adding and removing members leaves the others unchanged', async () => {
    const { id } = await createGroup(ann, bob);
    const response = await as()
      .post(`/api/admin/groups/${id}/members`, { add: [idOf(cid), idOf(bob)], remove: [idOf(ann), 999_999] })
      .expect(200);
    expect(response.body.data.members_count).toBe(2);
    expect(await members(id)).toEqual(['bob', 'cid']);
  });

  test('is updated with If-Match only if unchanged, including its members', async () => {
    const { id } = await createGroup(ann);
    const url = `/api/admin/groups/${id}`;
    const { headers } = await as().get(url).expect(200);
    await as().get(url).set('If-None-Match', String(headers['etag'])).expect(304);
    await as()
      .post(`${url}/members`, { add: [idOf(bob)] })
      .expect(200);
    await as().put(url, { name: 'Too late' }).set('If-Match', String(headers['etag'])).expect(412);
    await as().delete(url).set('If-Match', String(headers['etag'])).expect(412);
    const again = await as().get(url).expect(200);
    const changed = await as().put(url, { name: 'In time' }).set('If-Match', String(again.headers['etag'])).expect(200);
    await as().delete(url).set('If-Match', String(changed.headers['etag'])).expect(200);
  });

  test('has a new ETag when a member is renamed', async () => {
    const { id } = await createGroup(cid);
    const { headers } = await as().get(`/api/admin/groups/${id}`).expect(200);
    await as()
      .put(`/api/admin/users/${idOf(cid)}`, { display_name: 'Cid the second' })
      .expect(200);
    await as().get(`/api/admin/groups/${id}`).set('If-None-Match', String(headers['etag'])).expect(200);
  });

  test('can be listed by member', async () => {
    const member = await app.createUser();
    const [first, second] = [await createGroup(member), await createGroup(member, ann)];
    await createGroup(ann);
    const list = await as().get(`/api/admin/groups?user_id=${member.id}`).expect(200);
    expect(list.body.data.groups.map(({ id }: { id: number }) => id)).toEqual([first.id, second.id]);
    expect((await as().get(`/api/admin/groups?user_id=${member.id}&search=zzz`)).body.data.groups).toEqual([]);
    expect((await as().get('/api/admin/groups?user_id=999999')).body.data.pagination.total).toBe(0);
  });

  test('filters the lists of users', async () => {
    const { id } = await createGroup(ann, idle);
    const users = await as().get(`/api/admin/users?group_id=${id}`).expect(200);
    expect(users.body.data.users.map((user: TestUser) => user.username)).toEqual(['idle', 'ann']);
    const assignable = await as().get(`/api/projects/users?group_id=${id}`).expect(200);
    expect(assignable.body.data.map((user: TestUser) => user.username)).toEqual(['ann']);
    expect((await as().get('/api/projects/users?group_id=999999').expect(200)).body.data).toEqual([]);
    await as().get('/api/admin/users?group_id=x').expect(400);
  });

  test('is logged in the audit log, with added and removed members', async () => {
    const { id } = await createGroup(ann, bob);
    await as()
      .put(`/api/admin/groups/${id}`, { name: 'Noted', user_ids: [idOf(bob), idOf(cid)] })
      .expect(200);
    const { entries } = (await as().get(`/api/admin/audit?target_id=${id}&limit=100`).expect(200)).body.data;
    const ofGroup = entries.filter((entry: { target_type: string }) => entry.target_type === 'group').reverse();
    expect(ofGroup).toMatchObject([
      { action: 'createGroup', before: null, after: { name: expect.stringMatching(/^Class/) } },
      { action: 'createGroup', before: null, after: { user_ids: [idOf(ann), idOf(bob)] } },
      { action: 'updateGroup', after: { name: 'Noted' } },
      { action: 'updateGroup', before: { user_ids: [idOf(ann)] }, after: null },
      { action: 'updateGroup', before: null, after: { user_ids: [idOf(cid)] } },
    ]);
  });

  test('loses deleted users, but not deactivated or promoted ones', async () => {
    const [deleted, promoted] = [await app.createUser(), await app.createUser()];
    const { id } = await createGroup(ann, deleted, promoted);
    await as().delete(`/api/admin/users/${deleted.id}`).expect(200);
    await as().put(`/api/admin/users/${promoted.id}`, { role: 'admin' }).expect(200);
    expect(await members(id)).toEqual(['ann', promoted.username]);
    expect((await as().get(`/api/admin/groups/${id}`)).body.data.members_count).toBe(2);
    // The list as read can be written back.
    await as()
      .put(`/api/admin/groups/${id}`, { user_ids: [ann?.id, promoted.id] })
      .expect(200);
  });
});

describe('assigning to groups', () => {
  const batch = (body: object) => as().post('/api/projects/batch-assign', body);
  const assigned = async (projectId: number) =>
    (await as().get(`/api/projects/${projectId}`).expect(200)).body.data.assigned_user_ids;

  test('assigns to their active members, after the users in user_ids', async () => {
    const project = await createProject(app, admin);
    const [first, second] = [await createGroup(bob, ann, idle), await createGroup(cid, ann)];
    const body = {
      project_ids: [project],
      user_ids: [idOf(cid)],
      group_ids: [first.id, second.id],
      assign_type: 'add',
    };
    const { data } = (await batch(body).expect(200)).body;
    expect(data).toMatchObject({ assigned_count: 3, failed_count: 0, failures: [] });
    expect(await assigned(project)).toEqual([idOf(cid), idOf(ann), idOf(bob)]);
    await batch({ project_ids: [project], group_ids: [second.id], assign_type: 'remove' }).expect(200);
    expect(await assigned(project)).toEqual([idOf(bob)]);
    await batch({ project_ids: [project], group_ids: [second.id], assign_type: 'replace' }).expect(200);
    expect(await assigned(project)).toEqual([idOf(ann), idOf(cid)]);
  });

  test('reports an inactive user in user_ids, but not an inactive member', async () => {
    const project = await createProject(app, admin);
    const { id } = await createGroup(ann, idle);
    const body = { project_ids: [project], group_ids: [id], assign_type: 'add' };
    expect((await batch(body).expect(200)).body.data.failed_count).toBe(0);
    const named = await batch({ ...body, user_ids: [idOf(idle)] }).expect(200);
    expect(named.body.data.failures).toMatchObject([{ user_id: idOf(idle), code: 'USER_INACTIVE' }]);
  });

  test('with an unknown group changes nothing', async () => {
    const project = await createProject(app, admin);
    const { id } = await createGroup(ann);
    const response = await batch({ project_ids: [project], group_ids: [id, 999_999], assign_type: 'replace' }).expect(
      400,
    );
    expect(response.body.error.details).toMatchObject([{ field: 'group_ids[1]' }]);
    expect(await assigned(project)).toEqual([]);
  });

  test.each([
    [{ group_ids: [1] }, 'assign_type'],
    [{ group_ids: [], assign_type: 'add' }, 'user_ids'],
    [{ group_ids: [1], assigned_user_ids: [1] }, 'assigned_user_ids'],
    [{ group_ids: Array.from({ length: 101 }, (_, index) => index + 1), assign_type: 'add' }, 'group_ids'],
  ])('%j is rejected for %s', async (body, field) => {
    const { details } = (await batch({ project_ids: [1], ...body }).expect(400)).body.error;
    expect(details.map((detail: { field: string }) => detail.field)).toContain(field);
  });

  test('has the same limits as user_ids', async () => {
    await app.query(
      `INSERT INTO users (username, email, display_name)
       SELECT 'crowd' || n, 'crowd' || n || '@example.org', 'Crowd' FROM generate_series(1, 1001) n`,
    );
    const groups = [await createGroup(), await createGroup()];
    await app.query(
      `INSERT INTO group_members (group_id, user_id)
       SELECT CASE WHEN row_number() OVER (ORDER BY id) <= 500 THEN $1::bigint ELSE $2::bigint END, id
       FROM users WHERE username ~ '^crowd'`,
      groups.map(({ id }) => id),
    );
    const group_ids = groups.map(({ id }) => id);
    const users = await batch({ project_ids: [1], group_ids, assign_type: 'add' }).expect(400);
    expect(users.body.error.details).toMatchObject([{ field: 'group_ids' }]);
    const project_ids = Array.from({ length: 201 }, (_, index) => index + 1);
    const pairs = await batch({ project_ids, group_ids: group_ids.slice(0, 1), assign_type: 'add' }).expect(400);
    expect(pairs.body.error.details).toMatchObject([{ field: 'group_ids' }]);
  });
});
