import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser();
  bob = await app.createUser();
});

async function create(owner: TestUser, fields: object = {}): Promise<number> {
  const response = await app
    .as(owner)
    .post('/api/projects', { name: 'Linear algebra', ...fields })
    .expect(201);
  return response.body.data.id;
}

describe('creating', () => {
  test('an ordinary user gets the defaults; fields they may not set are ignored', async () => {
    const response = await app
      .as(ann)
      .post('/api/projects', {
        name: '  线性代数  ',
        id: 1,
        user_id: bob.id,
        current_hours: 5,
        progress: 50,
        status: 'completed',
        image: '/x',
        assigned_user_ids: [bob.id, 'nonsense'],
      })
      .expect(201);
    expect(response.headers['location']).toBe(`/api/projects/${response.body.data.id}`);
    expect(response.body.data).toMatchObject({
      name: '线性代数',
      description: '',
      status: 'active',
      category: 'other',
      target_hours: 0,
      current_hours: 0,
      progress: 0,
      rating_standard: 'normal',
      due_date: null,
      weekly_goal_hours: null,
      user_id: ann.id,
      assigned_user_id: null,
      assigned_user_ids: [],
    });
    expect(response.body.data).not.toHaveProperty('image');
  });

  test('an administrator assigns users in order, without duplicates', async () => {
    const response = await app
      .as(admin)
      .post('/api/projects', { name: 'Reading', assigned_user_ids: [bob.id, ann.id, bob.id] })
      .expect(201);
    expect(response.body.data).toMatchObject({ assigned_user_id: bob.id, assigned_user_ids: [bob.id, ann.id] });
  });

  test('all invalid fields and users are reported at once, and nothing is written', async () => {
    const idle = await app.createUser({ status: 'inactive' });
    const before = await app.query('SELECT count(*) FROM projects');
    const fields = await app
      .as(admin)
      .post('/api/projects', { name: 'x', target_hours: '10', category: 'nope' })
      .expect(400);
    expect(fields.body.error.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
      'assigned_user_ids',
      'category',
      'name',
      'target_hours',
    ]);
    const users = await app
      .as(admin)
      .post('/api/projects', { name: 'Reading', assigned_user_ids: [ann.id, idle.id, admin.id, 999_999_999] })
      .expect(400);
    expect(users.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([
      'assigned_user_ids[1]',
      'assigned_user_ids[2]',
      'assigned_user_ids[3]',
    ]);
    await app.as(admin).post('/api/projects', { name: 'Reading', assigned_user_ids: [] }).expect(400);
    expect(await app.query('SELECT count(*) FROM projects')).toEqual(before);
  });

  test.each([
    ['a', 400],
    ['ab', 201],
    ['数'.repeat(50), 201],
    ['😀'.repeat(50), 201],
    ['😀'.repeat(51), 400],
    ['with\u0000nul', 400],
    ['lone \ud800 surrogate', 400],
    ['two\nlines', 400],
  ])('name %j → %i', async (name, status) => {
    const response = await app.as(ann).post('/api/projects', { name });
    expect(response.status).toBe(status);
    if (status === 201) expect(response.body.data.name).toBe(name);
  });
});

describe('goals', () => {
  test('can be set, changed and cleared', async () => {
    const id = await create(ann, { due_date: '2026-06-30', weekly_goal_hours: 2.555 });
    const read = async () => (await app.as(ann).get(`/api/projects/${id}`).expect(200)).body.data;
    expect(await read()).toMatchObject({ due_date: '2026-06-30', weekly_goal_hours: 2.56 });
    await app.as(ann).put(`/api/projects/${id}`, { due_date: '2028-02-29' }).expect(200);
    expect(await read()).toMatchObject({ due_date: '2028-02-29', weekly_goal_hours: 2.56 });
    const cleared = await app.as(ann).put(`/api/projects/${id}`, { due_date: null, weekly_goal_hours: null });
    expect(cleared.body.data).toMatchObject({ due_date: null, weekly_goal_hours: null });
  });

  test.each([
    ['due_date', '2026-02-29'],
    ['due_date', '1999-12-31'],
    ['due_date', '2200-01-01'],
    ['due_date', '2026-06-30T00:00:00Z'],
    ['due_date', ''],
    ['weekly_goal_hours', 0],
    ['weekly_goal_hours', 0.004],
    ['weekly_goal_hours', 10_000.01],
    ['weekly_goal_hours', '5'],
  ])('%s %j is rejected by name', async (field, value) => {
    const response = await app
      .as(ann)
      .post('/api/projects', { name: 'Rings', [field]: value })
      .expect(400);
    expect(response.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  test('the plan restarts when the goal changes or work is resumed', async () => {
    const id = await create(ann, { target_hours: 10 });
    const steps: [object, boolean][] = [
      [{ name: 'Other', weekly_goal_hours: 3 }, false],
      [{ due_date: '2026-06-30' }, true],
      [{ status: 'paused' }, false],
      [{ status: 'active' }, true],
      [{ target_hours: 12 }, true],
    ];
    for (const [change, isNew] of steps) {
      await app.query(`UPDATE projects SET plan_started_at = '2026-01-01' WHERE id = $1`, [id]);
      await app.as(ann).put(`/api/projects/${id}`, change).expect(200);
      const [plan] = await app.query<{ started: boolean }>(
        `SELECT plan_started_at > '2026-01-01' AS started FROM projects WHERE id = $1`,
        [id],
      );
      expect([change, plan]).toEqual([change, { started: isNew }]);
    }
  });
});

describe('reading', () => {
  test('owner, assigned users and administrators have access; assigned users do not see each other', async () => {
    const carl = await app.createUser();
    const id = await create(admin, { assigned_user_ids: [ann.id, bob.id] });
    expect((await app.as(bob).get(`/api/projects/${id}`).expect(200)).body.data).toMatchObject({
      assigned_user_id: bob.id,
      assigned_user_ids: [bob.id],
      sessions_count: 0,
      last_session: null,
      achievements: [],
    });
    expect((await app.as(admin).get(`/api/projects/${id}`).expect(200)).body.data.assigned_user_ids).toEqual([
      ann.id,
      bob.id,
    ]);
    const rejected = await app.as(carl).get(`/api/projects/${id}`).expect(403);
    expect(rejected.body.error.code).toBe('PERMISSION_DENIED');
    await app.anonymous.get(`/api/projects/${id}`).expect(401);
  });

  test.each([
    ['abc', 400],
    ['0', 400],
    ['-1', 400],
    ['1.5', 400],
    ['1e3', 400],
    ['999999999', 404],
    ['9'.repeat(30), 404],
    ['%00', 400],
    ['%E0%A4%A', 400],
  ])('id %s → %i', async (id, status) => {
    await app.as(ann).get(`/api/projects/${id}`).expect(status);
  });

  test('an ETag returns 304 until something changes, and never for another reader', async () => {
    const id = await create(admin, { assigned_user_ids: [ann.id] });
    const { headers } = await app.as(ann).get(`/api/projects/${id}`).expect(200);
    const etag = headers['etag'] ?? '';
    await app.as(ann).get(`/api/projects/${id}`).set('If-None-Match', etag).expect(304);
    await app.as(admin).get(`/api/projects/${id}`).set('If-None-Match', etag).expect(200);
    await app.as(admin).put(`/api/projects/${id}`, { description: 'new' }).expect(200);
    await app.as(ann).get(`/api/projects/${id}`).set('If-None-Match', etag).expect(200);
  });
});

describe('updating', () => {
  test('changes the given fields only, and recomputes progress', async () => {
    const id = await create(ann, { target_hours: 10 });
    await app.query('UPDATE projects SET current_seconds = 18000 WHERE id = $1', [id]);
    const response = await app.as(ann).put(`/api/projects/${id}`, { target_hours: 20, status: 'paused' }).expect(200);
    expect(response.body.data).toMatchObject({
      name: 'Linear algebra',
      status: 'paused',
      target_hours: 20,
      current_hours: 5,
      progress: 25,
    });
    const tiny = await app.as(ann).put(`/api/projects/${id}`, { target_hours: 0.004 }).expect(400);
    expect(tiny.body.error.details).toEqual([{ field: 'target_hours', message: 'must be at least 0.01' }]);
    const cleared = await app.as(ann).put(`/api/projects/${id}`, { target_hours: null, description: null }).expect(200);
    expect(cleared.body.data).toMatchObject({ target_hours: 0, progress: 0, description: '' });
    expect(
      await app.query('SELECT from_status, to_status FROM project_status_changes WHERE project_id = $1', [id]),
    ).toEqual([{ from_status: 'active', to_status: 'paused' }]);
  });

  test('an empty body, or the unmodified object, changes nothing', async () => {
    const id = await create(admin, { assigned_user_ids: [ann.id, bob.id] });
    const read = (await app.as(admin).get(`/api/projects/${id}`)).body.data;
    expect((await app.as(admin).put(`/api/projects/${id}`, {}).expect(200)).body.data.updated_at).toBe(read.updated_at);
    const nothing = app.as(admin).put(`/api/projects/${id}`).set('Content-Type', 'application/json').send('null');
    expect((await nothing.expect(400)).body.error.details).toMatchObject([{ field: 'body' }]);
    const echoed = (await app.as(admin).put(`/api/projects/${id}`, read).expect(200)).body.data;
    expect(echoed).toMatchObject({ updated_at: read.updated_at, assigned_user_ids: [ann.id, bob.id] });
  });

  test('assigned_user_id: the current value changes nothing, another id sets a list of one, null clears it; the list takes precedence', async () => {
    const id = await create(admin, { assigned_user_ids: [ann.id, bob.id] });
    const put = async (body: object) =>
      (await app.as(admin).put(`/api/projects/${id}`, body).expect(200)).body.data.assigned_user_ids;
    expect(await put({ assigned_user_id: ann.id })).toEqual([ann.id, bob.id]);
    expect(await put({ assigned_user_ids: [bob.id, ann.id] })).toEqual([bob.id, ann.id]);
    expect(await put({ assigned_user_id: ann.id })).toEqual([ann.id]);
    expect(await put({ assigned_user_id: null })).toEqual([]);
    expect(await put({ assigned_user_id: ann.id, assigned_user_ids: [bob.id] })).toEqual([bob.id]);
    await app.as(admin).put(`/api/projects/${id}`, { assigned_user_ids: null }).expect(400);
    await app
      .as(admin)
      .put(`/api/projects/${id}`, { assigned_user_ids: [admin.id] })
      .expect(400);
    expect(await app.query('SELECT assigned_user_id FROM projects WHERE id = $1', [id])).toEqual([
      { assigned_user_id: bob.id },
    ]);
  });

  test('only the response to a request with the deprecated field has the header', async () => {
    const id = await create(admin, { assigned_user_ids: [ann.id] });
    const put = (body: object) => app.as(admin).put(`/api/projects/${id}`, body).expect(200);
    expect((await put({ assigned_user_id: ann.id })).get('Deprecation')).toBe('@1795305600');
    expect((await put({ assigned_user_ids: [ann.id] })).get('Deprecation')).toBeUndefined();
  });

  test('an ordinary owner may send back the assignments, but not change them', async () => {
    const id = await create(ann);
    await app
      .as(admin)
      .put(`/api/projects/${id}`, { assigned_user_ids: [bob.id] })
      .expect(200);
    await app
      .as(ann)
      .put(`/api/projects/${id}`, { name: 'Renamed', assigned_user_id: bob.id, assigned_user_ids: [bob.id] })
      .expect(200);
    await app.as(ann).put(`/api/projects/${id}`, { name: 'Again', assigned_user_ids: [] }).expect(403);
    await app.as(bob).put(`/api/projects/${id}`, { name: 'Mine now' }).expect(403);
    expect((await app.as(ann).get(`/api/projects/${id}`)).body.data).toMatchObject({
      name: 'Renamed',
      assigned_user_ids: [bob.id],
    });
  });

  test('existence and permission are checked before the body', async () => {
    const id = await create(ann);
    await app.as(bob).put(`/api/projects/${id}`, { name: 'x' }).expect(403);
    await app.as(bob).put('/api/projects/999999999', { name: 'x' }).expect(404);
    await app.as(ann).put(`/api/projects/${id}`, { name: 'x' }).expect(400);
  });

  test('with If-Match one of two updates succeeds', async () => {
    const id = await create(ann);
    const etag = (await app.as(ann).get(`/api/projects/${id}`)).headers['etag'] ?? '';
    await app.as(ann).put(`/api/projects/${id}`, { name: 'First' }).set('If-Match', etag).expect(200);
    await app.as(ann).put(`/api/projects/${id}`, { name: 'Second' }).set('If-Match', etag).expect(412);
    await app.as(ann).delete(`/api/projects/${id}`).set('If-Match', etag).expect(412);
    expect((await app.as(ann).get(`/api/projects/${id}`)).body.data.name).toBe('First');
  });
});

describe('deleting and restoring', () => {
  test('a deleted project is only in the owner’s trash, and is restored with the assignments that are still valid', async () => {
    const id = await create(admin, { assigned_user_ids: [ann.id, bob.id] });
    const response = await app.as(admin).delete(`/api/projects/${id}`).expect(200);
    expect(response.body).not.toHaveProperty('data');
    for (const user of [admin, ann]) await app.as(user).get(`/api/projects/${id}`).expect(404);
    await app.as(admin).delete(`/api/projects/${id}`).expect(404);
    expect((await app.as(ann).get('/api/projects/trash')).body.data.projects).toEqual([]);
    expect((await app.as(admin).get('/api/projects/trash')).body.data.projects[0].id).toBe(id);
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [ann.id]);
    await app.as(bob).post(`/api/projects/${id}/restore`).expect(404);
    const restored = await app.as(admin).post(`/api/projects/${id}/restore`).expect(200);
    expect(restored.body.data.assigned_user_ids).toEqual([bob.id]);
    await app.as(admin).post(`/api/projects/${id}/restore`).expect(409);
    await app.as(bob).get(`/api/projects/${id}`).expect(200);
  });
});

describe('categories and assignable users', () => {
  test('four categories are listed in the reader’s language', async () => {
    const english = (await app.as(ann).get('/api/projects/categories').expect(200)).body.data;
    expect(english.map((category: { id: string }) => category.id)).toEqual(['academic', 'skill', 'hobby', 'other']);
    const chinese = (await app.as(ann).get('/api/projects/categories').set('Accept-Language', 'zh-CN')).body.data;
    expect(chinese[0].name).toBe('学术');
  });

  test('only administrators can list users, and only active ordinary ones are listed', async () => {
    const idle = await app.createUser({ status: 'inactive' });
    await app.as(ann).get('/api/projects/users').expect(403);
    const users = (await app.as(admin).get('/api/projects/users').expect(200)).body.data;
    const ids = users.map((user: { user_id: number }) => user.user_id);
    expect(ids).toContain(ann.id);
    expect(ids).not.toContain(idle.id);
    expect(ids).not.toContain(admin.id);
    expect(Object.keys(users[0]).sort()).toEqual(['display_name', 'email', 'id', 'status', 'user_id', 'username']);
  });

  test('a long list is complete and sorted by username', async () => {
    await app.query(`INSERT INTO users (username, email, display_name)
      SELECT (CASE WHEN n % 2 = 0 THEN 'crowd' ELSE 'Crowd' END) || n, 'crowd' || n || '@example.org', 'One of many'
      FROM generate_series(1001, 3200) AS n`);
    const read = async (query: string) =>
      (await app.as(admin).get(`/api/projects/users${query}`).expect(200)).body.data.map((user: { username: string }) =>
        user.username.toLowerCase(),
      );
    const crowd = Array.from({ length: 2200 }, (_, n) => `crowd${n + 1001}`);
    expect(await read('?search=many')).toEqual(crowd);
    expect((await read('')).filter((name: string) => name.startsWith('crowd'))).toEqual(crowd);
    expect(await read('?search=crowd12')).toEqual(crowd.filter((name) => name.startsWith('crowd12')));
  });
});
