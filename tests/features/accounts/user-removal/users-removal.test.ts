import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { raceAgainstLock } from '../../../support/locks.ts';
import { addSession, assign, createProject as createOwnProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-01T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());

const remove = async (id: number) => {
  admin = await app.createUser({ role: 'admin' });
  return app.as(admin).delete(`/api/admin/users/${id}`);
};

async function createProject(owner: TestUser, ...assigned: TestUser[]): Promise<number> {
  const project = await createOwnProject(app, owner);
  await assign(app, project, ...assigned);
  return project;
}

const versions = async (...ids: number[]) => {
  const rows = await app.query<{ user_id: number; version: number }>('SELECT user_id, version FROM user_list_versions');
  return ids.map((id) => rows.find((row) => row.user_id === id)?.version ?? 0);
};

test('leaves an anonymous row, and the account no longer exists in the API', async () => {
  const account = await createAccount(app, { display_name: 'Lin Wei', timezone: 'Asia/Shanghai' });
  const user = await signIn(app, account);
  expect((await remove(account.id)).status).toBe(200);

  const [row] = await app.query('SELECT * FROM users WHERE id = $1', [account.id]);
  expect(row).toMatchObject({
    username: `deleted-${account.id}`,
    email: null,
    display_name: 'Deleted user',
    password_hash: null,
    role: 'user',
    status: 'inactive',
    timezone: 'UTC',
    last_login_at: null,
  });
  expect(await app.query('SELECT FROM sign_ins WHERE user_id = $1', [account.id])).toHaveLength(0);
  await app.as(user).get('/api/auth/me').expect(401);
  for (const name of [account.username, account.email, `deleted-${account.id}`])
    await app.anonymous.post('/api/auth/login', { username: name, password: account.password }).expect(401);

  const path = `/api/admin/users/${account.id}`;
  await app.as(admin).get(path).expect(404);
  await app.as(admin).put(path, { status: 'active' }).expect(404);
  await app.as(admin).post(`${path}/reset-password`).expect(404);
  await app.as(admin).delete(path).expect(404);
  const list = await app.as(admin).get('/api/admin/users?limit=100&search=deleted').expect(200);
  expect(list.body.data.users).toEqual([]);
});

test('makes username and e-mail address available again', async () => {
  const account = await createAccount(app);
  await remove(account.id);
  const { username, email } = account;
  await app.as(admin).post('/api/admin/users', { username, email }).expect(201);
});

test('unassigns the user from every project; the next one becomes assigned_user_id', async () => {
  const [owner, removed, second] = [await app.createUser(), await app.createUser(), await app.createUser()];
  const shared = await createProject(owner, removed, second);
  const alone = await createProject(owner, removed);
  const own = await createProject(removed);
  const before = await versions(owner.id, second.id, removed.id);
  await remove(removed.id);

  const rows = await app.query('SELECT id, user_id, assigned_user_id, deleted_at FROM projects WHERE id = ANY($1)', [
    `{${shared},${alone},${own}}`,
  ]);
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: shared, user_id: owner.id, assigned_user_id: second.id, deleted_at: null },
      { id: alone, user_id: owner.id, assigned_user_id: null, deleted_at: null },
      { id: own, user_id: removed.id, assigned_user_id: null, deleted_at: null },
    ]),
  );
  expect(await app.query('SELECT FROM project_assignments WHERE user_id = $1', [removed.id])).toHaveLength(0);
  const after = await versions(owner.id, second.id, removed.id);
  for (const [index, version] of after.entries()) expect(version).toBeGreaterThan(before[index] ?? 0);
  const read = await app.as(admin).get(`/api/projects/${own}`).expect(200);
  expect(read.body.data.user_id).toBe(removed.id);
});

test.each([
  ['after an hour', '2026-03-01T11:00:00.000Z', 3600],
  ['left running for a day', '2026-02-28T12:00:00.000Z', 12 * 3600],
  ['just started', '2026-03-01T12:00:00.000Z', 1],
])('stops a timer %s, and retains all records and hours', async (_what, startedAt, seconds) => {
  const [owner, removed] = [await app.createUser(), await app.createUser()];
  const project = await createProject(owner, removed);
  const old = await addSession(app, {
    project_id: project,
    user_id: removed.id,
    started_at: '2026-02-01T08:00:00Z',
    ended_at: '2026-02-01T10:00:00Z',
  });
  const running = await addSession(app, { project_id: project, user_id: removed.id, started_at: startedAt });
  expect((await remove(removed.id)).status).toBe(200);

  const records = await app.query(
    'SELECT id, duration_seconds, ended_at IS NULL AS running, auto_stopped FROM study_sessions WHERE user_id = $1 ORDER BY id',
    [removed.id],
  );
  expect(records).toEqual([
    { id: old, duration_seconds: 7200, running: false, auto_stopped: false },
    { id: running, duration_seconds: seconds, running: false, auto_stopped: true },
  ]);
  const [figures] = await app.query('SELECT current_seconds, sessions_count FROM projects WHERE id = $1', [project]);
  expect(figures).toEqual({ current_seconds: 7200 + seconds, sessions_count: 2 });
});

test('a timer started concurrently does not keep running', async () => {
  const administrator = await app.createUser({ role: 'admin' });
  const removed = await app.createUser();
  const project_id = await createProject(removed);
  const [deleted, started] = await raceAgainstLock(
    app,
    `SELECT FROM users WHERE id = ${removed.id} FOR UPDATE`,
    2,
    () =>
      Promise.all([
        app.as(administrator).delete(`/api/admin/users/${removed.id}`),
        app.as(removed).post('/api/timer/start', { project_id }),
      ]),
  );
  expect(deleted.status).toBe(200);
  expect([201, 401]).toContain(started.status); // before or after
  expect(await app.query('SELECT FROM study_sessions WHERE user_id = $1 AND ended_at IS NULL', [removed.id])).toEqual(
    [],
  );
});

test('administrators can delete themselves, except the last one', async () => {
  const [one, two] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
  await app.query("UPDATE users SET role = 'user' WHERE id <> $1 AND id <> $2", [one.id, two.id]);
  await app.as(one).delete(`/api/admin/users/${one.id}`).expect(200);
  await app.as(one).get('/api/auth/me').expect(401);
  await app.as(two).delete(`/api/admin/users/${two.id}`).expect(409);
});

test('concurrent assignments and deletions of the same projects neither deadlock nor leave partial changes', async () => {
  for (let round = 0; round < 5; round += 1) {
    const administrator = await app.createUser({ role: 'admin' });
    const [removed, remaining] = [await app.createUser(), await app.createUser()];
    const projects = [];
    for (let index = 0; index < 6; index += 1) projects.push(await createProject(administrator, removed, remaining));
    const [first = 0, second = 0] = projects;
    const assign = (ids: readonly number[]) =>
      app.as(administrator).post('/api/projects/batch-assign', {
        project_ids: [...ids].reverse(),
        user_ids: [remaining.id, removed.id],
        assign_type: 'replace',
      });
    const responses = await Promise.all([
      assign(projects),
      app.as(administrator).delete(`/api/admin/users/${removed.id}`),
      assign(projects.slice(2)),
      app.as(administrator).delete(`/api/projects/${first}`),
      app.as(administrator).put(`/api/projects/${second}`, { assigned_user_ids: [remaining.id] }),
    ]);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await app.query('SELECT FROM project_assignments WHERE user_id = $1', [removed.id])).toHaveLength(0);
    const rows = await app.query<{ assigned_user_id: number | null }>(
      'SELECT assigned_user_id FROM projects WHERE id = ANY($1)',
      [`{${projects.slice(1).join()}}`],
    );
    expect(new Set(rows.map((row) => row.assigned_user_id))).toEqual(new Set([remaining.id]));
  }
});
