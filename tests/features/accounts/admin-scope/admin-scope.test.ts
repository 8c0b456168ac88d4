import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessionListReadModel } from '../../../../src/features/study/study-sessions/list/session-list-read-model.ts';
import { createToken } from '../../../support/personal-tokens.ts';
import { addSession, assign, createProject } from '../../../support/records.ts';
import { createSchool, type School } from '../../../support/scope-table.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let school: School;
beforeAll(async () => {
  app = await startTestApp();
  school = await createSchool(app);
});
afterAll(() => app.stop());

const head = () => app.as(school.head);
const teacher = () => app.as(school.teacher);
const ofTeacher = () => `/api/admin/users/${school.teacher.id}`;
const setScope = (body: object) => head().put(ofTeacher(), body);
const data = async (response: PromiseLike<{ body: { data: Record<string, never> } }>) => (await response).body.data;

describe('the scope of an administrator', () => {
  test('is shown and changed by administrators of the whole school', async () => {
    const { own, other } = school.groups;
    expect(await data(head().get(ofTeacher()).expect(200))).toMatchObject({
      admin_scope: 'groups',
      admin_group_ids: [own],
    });
    expect(await data(head().get(`/api/admin/users/${school.head.id}`))).toMatchObject({ admin_scope: 'all' });
    expect(await data(head().get(`/api/admin/users/${school.student.inside.id}`))).not.toHaveProperty('admin_scope');
    const both = [other, own].toSorted((a, b) => b - a);
    expect(await data(setScope({ admin_group_ids: both }).expect(200))).toMatchObject({
      admin_group_ids: both.toReversed(),
    });
    expect(await data(teacher().get('/api/auth/me').expect(200))).toMatchObject({
      ...{ role: 'admin', admin_scope: 'groups', admin_group_ids: both.toReversed() },
    });
    expect(await data(setScope({ admin_scope: 'all' }).expect(200))).toMatchObject({ admin_scope: 'all' });
    await setScope({ admin_scope: 'groups', admin_group_ids: [own] }).expect(200);
    const entries = await data(head().get('/api/admin/audit?limit=1').expect(200));
    expect(JSON.stringify(entries)).toContain('admin_group_ids');
  });

  test('names to the class teacher, and nobody else, the active administrators of the whole school', async () => {
    const named = async (user: TestUser) => (await app.as(user).get('/api/auth/me').expect(200)).body.data;
    const gone = await app.createUser({ role: 'admin' });
    await head().put(`/api/admin/users/${gone.id}`, { status: 'inactive' }).expect(200);
    const { whole_school_admins: admins } = await named(school.teacher);
    const ids = admins.map(({ id }: { id: number }) => id);
    expect(ids).toContain(school.head.id);
    expect(ids).not.toContain(school.teacher.id);
    expect(ids).not.toContain(gone.id);
    const { display_name } = await named(school.head);
    expect(admins).toContainEqual({ id: school.head.id, display_name });
    for (const other of [school.head, school.student.inside])
      expect(await named(other)).not.toHaveProperty('whole_school_admins');
  });

  test('is checked: groups exist, belong to a limited administrator, and are at most a hundred', async () => {
    const details = async (body: object) =>
      (await setScope(body).expect(400)).body.error.details.map(({ field }: { field: string }) => field);
    expect(await details({ admin_group_ids: [school.groups.own, 999_999] })).toEqual(['admin_group_ids[1]']);
    expect(await details({ admin_scope: 'all', admin_group_ids: [school.groups.own] })).toEqual(['admin_group_ids']);
    expect(await details({ admin_group_ids: Array(101).fill(1) })).toEqual(['admin_group_ids']);
    const ofStudent = `/api/admin/users/${school.student.inside.id}`;
    await head().put(ofStudent, { admin_scope: 'groups' }).expect(400);
  });

  test('is changed by nobody for themselves, and by no class teacher', async () => {
    const ofHead = `/api/admin/users/${school.head.id}`;
    await head().put(ofHead, { admin_scope: 'groups' }).expect(403);
    await head().put(ofHead, { admin_scope: 'all' }).expect(200); // unchanged
    for (const body of [{ admin_scope: 'all' }, { admin_group_ids: [school.groups.other] }])
      await teacher().put(ofTeacher(), body).expect(403);
    const ofStudent = `/api/admin/users/${school.student.inside.id}`;
    await teacher().put(ofStudent, { role: 'admin' }).expect(403);
    await teacher().put(ofStudent, { role: 'user' }).expect(200); // unchanged
  });

  test('ends with the role, and with the deletion of a group', async () => {
    const other = await app.createUser({ role: 'admin' });
    const path = `/api/admin/users/${other.id}`;
    const group = (await head().post('/api/admin/groups', { name: 'Short-lived' }).expect(201)).body.data.id;
    await head()
      .put(path, { admin_scope: 'groups', admin_group_ids: [group] })
      .expect(200);
    await head().delete(`/api/admin/groups/${group}`).expect(200);
    expect(await data(head().get(path))).toMatchObject({ admin_scope: 'groups', admin_group_ids: [] });
    expect(await data(app.as(other).get('/api/admin/users').expect(200))).toMatchObject({ users: [] });
    expect(await data(head().put(path, { role: 'user' }).expect(200))).not.toHaveProperty('admin_scope');
    expect(await data(head().put(path, { role: 'admin' }).expect(200))).toMatchObject({ admin_scope: 'all' });
  });

  test('of two administrators who limit each other at the same time, one keeps the whole school', async () => {
    await app.query("UPDATE users SET status = 'inactive' WHERE role = 'admin' AND id <> ALL($1)", [
      [school.teacher.id],
    ]);
    const [ann, bob] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
    const limit = (by: TestUser, who: TestUser) =>
      app.as(by).put(`/api/admin/users/${who.id}`, { admin_scope: 'groups' });
    const statuses = (await Promise.all([limit(ann, bob), limit(bob, ann)])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([403, 409]).toContain(statuses.find((status) => status !== 200));
    const [{ number } = {}] = await app.query<{ number: number }>(
      "SELECT count(*)::integer AS number FROM users WHERE role = 'admin' AND status = 'active' AND admin_scope = 'all'",
    );
    expect(number).toBe(1);
    await app.query("UPDATE users SET status = 'active', admin_scope = 'all' WHERE id = $1", [school.head.id]);
  });

  test('the last administrator of the whole school cannot be limited, demoted or deactivated beside class teachers', async () => {
    await app.query("UPDATE users SET status = 'inactive' WHERE role = 'admin' AND id <> ALL($1)", [
      [school.teacher.id, school.head.id],
    ]);
    const ofHead = `/api/admin/users/${school.head.id}`;
    for (const body of [{ role: 'user' }, { status: 'inactive' }])
      expect((await head().put(ofHead, body).expect(409)).body.error.code).toBe('LAST_ADMIN');
    await head().delete(ofHead).expect(409);
  });
});

describe('a class teacher', () => {
  const names = (list: { username: string }[]) => list.map(({ username }) => username).toSorted();
  const own = () => [school.student.inside.username, school.student.mixed.username].toSorted();

  test('finds in lists, counts and exports their own students only', async () => {
    const users = (await teacher().get('/api/admin/users').expect(200)).body.data;
    expect([names(users.users), users.pagination.total]).toEqual([own(), 2]);
    const progress = (await teacher().get('/api/admin/progress').expect(200)).body.data;
    expect([names(progress.users), progress.pagination.total]).toEqual([own(), 2]);
    expect(progress.users.flatMap((user: { groups: { id: number }[] }) => user.groups.map(({ id }) => id))).toEqual([
      ...Array(2).fill(school.groups.own),
    ]);
    expect(names((await teacher().get('/api/projects/users').expect(200)).body.data)).toEqual(own());
    const { sessions, pagination } = (await teacher().get('/api/sessions').expect(200)).body.data;
    expect(sessions.map(({ id }: { id: number }) => id).toSorted()).toEqual(
      [school.session.inside, school.session.mixed].toSorted(),
    );
    expect(pagination.total).toBe(2);
    const projects = (await teacher().get('/api/projects').expect(200)).body.data;
    expect(projects.projects.map(({ id }: { id: number }) => id).toSorted()).toEqual(
      [school.project.inside, school.project.mixed].toSorted(),
    );
    await teacher().get(`/api/admin/users?group_id=${school.groups.other}`).expect(403);
    await teacher().get(`/api/admin/progress?group_id=${school.groups.other}`).expect(403);
  });

  test('pages through the records of their students as if there were no others, with running ones and searches', async () => {
    const { inside, mixed, outside } = school.student;
    const added: number[] = [];
    for (const [index, { id: user_id }] of [inside, outside, mixed, inside, outside, inside].entries())
      added.push(
        await addSession(app, {
          user_id,
          project_id: school.project.mixed,
          started_at: `2024-02-0${index + 1}T08:00:00Z`,
          ended_at: `2024-02-0${index + 1}T09:00:00Z`,
        }),
      );
    await app.query("UPDATE study_sessions SET note = 'algebra' WHERE id = ANY($1)", [added.slice(0, 4)]);
    const running = { user_id: mixed.id, project_id: school.project.mixed, started_at: new Date().toISOString() };
    added.push(await addSession(app, { ...running, ended_at: null }));
    type Page = { sessions: { id: number; user_id: number }[]; pagination: { total: number } };
    for (const filter of [
      '',
      '&order=asc',
      '&search=algebra',
      '&running=true',
      '&running=false',
      '&from=2024-02-03T00:00:00Z',
    ]) {
      const everyone = (await app.as(school.head).get(`/api/sessions?limit=100${filter}`).expect(200)).body
        .data as Page;
      const expected = everyone.sessions.filter(({ user_id }) => user_id === inside.id || user_id === mixed.id);
      const found: number[] = [];
      for (let page = 1; page <= Math.ceil(expected.length / 2); page += 1) {
        const { sessions, pagination } = (
          await teacher().get(`/api/sessions?limit=2&page=${page}${filter}`).expect(200)
        ).body.data as Page;
        expect(pagination.total).toBe(expected.length);
        found.push(...sessions.map(({ id }) => id));
      }
      expect(found).toEqual(expected.map(({ id }) => id));
    }
    await app.query('DELETE FROM study_sessions WHERE id = ANY($1)', [added]);
  });

  test('sees of a project with other students only how many there are, and changes the list of their own', async () => {
    const { mixed, inside, outside } = school.student;
    const path = `/api/projects/${school.project.mixed}`;
    expect(await data(teacher().get(path).expect(200))).toMatchObject({
      ...{ assigned_user_ids: [mixed.id], members_count: 2 },
    });
    const changed = teacher()
      .put(path, { assigned_user_ids: [inside.id] })
      .expect(200);
    expect(await data(changed)).toMatchObject({ assigned_user_ids: [inside.id], members_count: 2 });
    expect(await data(head().get(path))).toMatchObject({ assigned_user_ids: expect.arrayContaining([outside.id]) });
    const refused = await teacher()
      .put(path, { assigned_user_ids: [inside.id, outside.id] })
      .expect(403);
    expect(refused.body.error.details).toMatchObject([{ field: 'assigned_user_ids[1]' }]);
    await teacher()
      .put(path, { assigned_user_ids: [mixed.id] })
      .expect(200);
  });

  test('leaves the students of others in their order', async () => {
    const { inside, mixed, outside } = school.student;
    const another = await app.createUser();
    const id = await createProject(app, school.head, 'In order');
    const path = `/api/projects/${id}`;
    await head()
      .put(path, { assigned_user_ids: [another.id, inside.id, outside.id] })
      .expect(200);
    for (const assigned_user_ids of [[mixed.id, inside.id], [inside.id, mixed.id], [mixed.id]]) {
      const shown = await data(teacher().put(path, { assigned_user_ids }).expect(200));
      expect(shown).toMatchObject({ assigned_user_ids, members_count: assigned_user_ids.length + 2 });
      const { assigned_user_ids: all } = await data(head().get(path).expect(200));
      const others = (all as unknown as number[]).filter((user) => !assigned_user_ids.includes(user));
      expect(others).toEqual([another.id, outside.id]);
    }
  });

  test('is refused a new project, and a list for several ones, by the places of what is outside', async () => {
    const { inside, outside } = school.student;
    const fields = async (response: PromiseLike<{ body: { error: { details: { field: string }[] } } }>) =>
      (await response).body.error.details.map(({ field }) => field);
    const assigned_user_ids = [inside.id, outside.id, inside.id];
    const created = teacher().post('/api/projects', { name: 'New', assigned_user_ids }).expect(403);
    expect(await fields(created)).toEqual(['assigned_user_ids[1]']);
    const project_ids = [school.project.outside, school.project.mixed];
    const replaced = teacher().post('/api/projects/batch-assign', { project_ids, assigned_user_ids }).expect(403);
    expect(await fields(replaced)).toEqual(['project_ids[0]', 'assigned_user_ids[1]']);
  });

  test('creates and changes no account of an administrator', async () => {
    const names = { username: 'deputy', email: 'deputy@example.org' };
    const create = { ...names, role: 'admin', group_ids: [school.groups.own] };
    expect((await teacher().post('/api/admin/users', create).expect(403)).body.error).toMatchObject({
      message: 'Only administrators of the whole school may do this.',
      details: [{ field: 'role', message: 'can only be set by administrators of the whole school' }],
    });
    const users = [
      { username: 'pupil', email: 'pupil@example.org' },
      { ...names, role: 'admin' },
    ];
    const many = { users, group_ids: [school.groups.own] };
    const refused = await teacher().post('/api/admin/users/bulk', many).expect(403);
    expect(refused.body.error.details).toMatchObject([{ field: 'users[1].role' }]);
    for (const { id } of [school.head, school.teacher]) {
      await teacher().put(`/api/admin/users/${id}`, { display_name: 'Renamed' }).expect(403);
      await teacher().post(`/api/admin/users/${id}/reset-password`, {}).expect(403);
    }
  });

  test('assigns in batches: a pair outside fails alone', async () => {
    const { mixed, outside } = school.student;
    const body = { user_ids: [mixed.id, outside.id], assign_type: 'replace' };
    const project_ids = [school.project.mixed, school.project.outside];
    const report = (
      await teacher()
        .post('/api/projects/batch-assign', { ...body, project_ids })
        .expect(200)
    ).body.data;
    expect(report).toMatchObject({ assigned_count: 1, failed_count: 3 });
    expect(report.failures.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('OUT_OF_SCOPE'));
    const all = await data(head().get(`/api/projects/${school.project.mixed}`));
    expect(all).toMatchObject({ assigned_user_ids: expect.arrayContaining([mixed.id, outside.id]) });
    const group_ids = [school.groups.other];
    await teacher()
      .post('/api/projects/batch-assign', { project_ids: [school.project.inside], group_ids, assign_type: 'add' })
      .expect(403);
  });

  test('changes and deletes own projects also with students of others, whose records they do not see', async () => {
    const id = await createProject(app, school.teacher, 'Shared');
    await assign(app, id, school.student.inside, school.student.outside);
    await addSession(app, {
      ...{ project_id: id, user_id: school.student.outside.id },
      ...{ started_at: '2026-03-01T08:00Z', ended_at: '2026-03-01T09:00Z' },
    });
    expect(await data(teacher().get(`/api/projects/${id}`).expect(200))).toMatchObject({
      ...{ assigned_user_ids: [school.student.inside.id], members_count: 2 },
    });
    expect(await data(teacher().get(`/api/projects/${id}/sessions`).expect(200))).toMatchObject({ sessions: [] });
    const copy = (await teacher().get('/api/sync').expect(200)).body.data;
    expect(copy.sessions).toEqual([]);
    await teacher().put(`/api/projects/${id}`, { name: 'Renamed' }).expect(200);
    await teacher().delete(`/api/projects/${id}`).expect(200);
  });

  test('deactivates and activates students whose classes are all own ones', async () => {
    const path = `/api/admin/users/${school.student.inside.id}`;
    await teacher().put(path, { status: 'inactive' }).expect(200);
    await teacher().get(`/api/stats?user_id=${school.student.inside.id}`).expect(403); // no longer in scope
    await teacher().put(path, { status: 'active' }).expect(200);
    await assign(app, school.project.inside, school.student.inside);
  });

  test('has with a personal token no more than the scope', async () => {
    const token = await createToken(app, school.teacher, ['admin']);
    await app.as(token).get('/api/admin/audit').expect(403);
    const { users } = (await app.as(token).get('/api/admin/users').expect(200)).body.data;
    expect(names(users)).toEqual(own());
    await app.as(token).get(`/api/admin/users/${school.student.outside.id}`).expect(403);
  });

  test('gets nothing of a class that is taken away between two pages, or while an export is read', async () => {
    const day = (index: number) => new Date(Date.parse('2023-01-01') + index * 86_400_000).toISOString().slice(0, 10);
    const owned = { user_id: school.student.inside.id, project_id: school.project.inside };
    await app.query(
      `INSERT INTO study_sessions (user_id, project_id, owner_id, started_at, ended_at, source, time_zone)
       SELECT $1, $2, p.user_id, d, d + interval '1 hour', 'manual', 'UTC' FROM projects p, generate_series($3::timestamptz, $4, '1 day') AS d
       WHERE p.id = $2`,
      [owned.user_id, owned.project_id, day(0), day(499)],
    );
    const pageOf = async (page: number) =>
      (await teacher().get(`/api/sessions?limit=100&page=${page}`).expect(200)).body.data;
    expect((await pageOf(1)).sessions).toHaveLength(100);
    const taken: number[] = [];
    const reader = { id: school.teacher.id, role: 'class_admin' } as const;
    const all = { order: 'asc', search: '', tag: '', username: '' } as const;
    await createSessionListReadModel(app.database).export(reader, all, async (rows) => {
      taken.push(rows.length);
      if (taken.length === 1) await setScope({ admin_group_ids: [] }).expect(200);
    });
    expect([taken[0], taken.length, taken.slice(1).every((number) => number === 0)]).toEqual([200, 3, true]);
    expect(await pageOf(2)).toMatchObject({ sessions: [], pagination: { total: 0 } });
    await setScope({ admin_group_ids: [school.groups.own] }).expect(200);
    await app.query('DELETE FROM study_sessions WHERE user_id = $1 AND started_at < $2', [owned.user_id, day(500)]);
  });

  test('sees a change of the scope in the next list, and in the copy', async () => {
    const ids = async () =>
      (await teacher().get('/api/projects')).body.data.projects.map(({ id }: { id: number }) => id) as number[];
    const cursor = (await teacher().get('/api/sync').expect(200)).body.data.next_cursor;
    expect(await ids()).not.toContain(school.project.outside);
    await setScope({ admin_group_ids: [school.groups.own, school.groups.other] }).expect(200);
    expect(await ids()).toContain(school.project.outside);
    expect((await teacher().get(`/api/sync?since=${cursor}`)).body.data.reset).toBe(true);
    await setScope({ admin_group_ids: [school.groups.own] }).expect(200);
    expect(await ids()).not.toContain(school.project.outside);
  });
});
