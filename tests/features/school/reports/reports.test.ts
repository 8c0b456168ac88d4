import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession, assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-01T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const period = { from: '2026-02-01', to: '2026-02-28' };
const body = { ...period, expires_at: '2026-06-01T00:00:00.000Z' };
const reportOf = (user: TestUser) => `/api/reports/students/${user.id}?from=${period.from}&to=${period.to}`;

async function createLink(user: TestUser, by = admin) {
  const response = await app.as(by).post(`/api/reports/students/${user.id}/links`, body).expect(201);
  expect(response.headers['cache-control']).toBe('no-store');
  const { secret_url, id } = response.body.data;
  return { id: id as number, token: new URL(secret_url).hash.slice(1), secret_url };
}

const open = (token: string) => app.anonymous.post('/api/reports/shared', { token });

/** A student of a class with a note, an own and a shared project, and study in and before the period. */
async function createStudent() {
  const user = await app.createUser({ display_name: 'Lin' });
  const [own, shared] = [
    await createProject(app, user, 'Piano', 'active', { target_hours: 40, due_date: '2026-04-01' }),
    await createProject(app, admin, 'Algebra', 'active', { target_hours: 100 }),
  ];
  await createProject(app, user, 'Not begun');
  await assign(app, shared, user);
  await app
    .as(admin)
    .post('/api/admin/groups', { name: `Class of ${user.id}`, user_ids: [user.id] })
    .expect(201);
  const study = (project_id: number, started_at: string, ended_at: string) =>
    addSession(app, { project_id, user_id: user.id, started_at, ended_at });
  const id = await study(own, '2026-02-02T08:00:00Z', '2026-02-02T11:00:00Z');
  await app.query(`UPDATE study_sessions SET note = 'a private note' WHERE id = $1`, [id]);
  await study(shared, '2026-02-10T08:00:00Z', '2026-02-10T09:00:00Z');
  await study(own, '2026-01-20T08:00:00Z', '2026-01-20T10:00:00Z');
  return user;
}

test('has hours, days, projects and weeks of the period, and no notes', async () => {
  const user = await createStudent();
  const { body: reply } = await app.as(admin).get(reportOf(user)).expect(200);
  expect(reply.data).toEqual({
    ...{ display_name: 'Lin', groups: [`Class of ${user.id}`], ...period, days: 28 },
    ...{ total_hours: 4, hours_per_week: 1, study_days: 2, previous_hours: 2, more_projects: 0 },
    ...{ is_running: false, school_days: 20, previous_school_days: 20 },
    projects: [
      {
        ...{ name: 'Piano', hours: 3, total_hours: 5, target_hours: 40, is_shared_target: false },
        ...{ progress: 12.5, due_date: '2026-04-01', state: 'behind' },
      },
      {
        ...{ name: 'Algebra', hours: 1, total_hours: 1, target_hours: 100, is_shared_target: true },
        ...{ progress: null, due_date: null, state: null },
      },
      {
        ...{ name: 'Not begun', hours: 0, total_hours: 0, target_hours: null, is_shared_target: false },
        ...{ progress: null, due_date: null, state: null },
      },
    ],
    weekly: [
      { first_day: '2026-01-26', hours: 0 },
      { first_day: '2026-02-02', hours: 3 },
      { first_day: '2026-02-09', hours: 1 },
      { first_day: '2026-02-16', hours: 0 },
      { first_day: '2026-02-23', hours: 0 },
    ],
  });
  const own = await app.as(user).get(reportOf(user)).expect(200);
  expect(own.body.data).toEqual({ ...reply.data, groups: [] });
});

test('hours a week leave out days to come', async () => {
  const user = await createStudent();
  const { body: reply } = await app
    .as(admin)
    .get(`/api/reports/students/${user.id}?from=2026-02-02&to=2026-05-31`)
    .expect(200);
  expect(reply.data).toMatchObject({ days: 119, total_hours: 4, hours_per_week: 1 }); // four weeks until 1 March
});

test('lists twelve projects and counts the others', async () => {
  const user = await app.createUser();
  for (let number = 1; number <= 14; number += 1) await createProject(app, user, `Project ${number}`);
  const { body: reply } = await app.as(user).get(reportOf(user)).expect(200);
  expect(reply.data.projects).toHaveLength(12);
  expect(reply.data.more_projects).toBe(2);
});

test('a link shows this report to anyone as the student sees it, not to search engines, and is stored as a digest', async () => {
  const user = await createStudent();
  const { id, token, secret_url } = await createLink(user);
  expect(secret_url).toMatch(/\/reports\/shared#[\w-]{43}$/);
  const { body: expected } = await app.as(user).get(reportOf(user)).expect(200);
  const response = await open(token).expect(200);
  expect(response.body.data).toEqual(expected.data);
  expect(response.text).not.toContain('private note');
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  const [row] = await app.query<{ row: string }>('SELECT l::text AS row FROM report_links l WHERE id = $1', [id]);
  expect(row?.row).not.toContain(token);
  const { body: list } = await app.as(admin).get(`/api/reports/links?user_id=${user.id}`).expect(200);
  expect(list.data.links).toEqual([
    {
      ...{ id, user_id: user.id, display_name: 'Lin', ...body, created_by: expect.any(String) },
      ...{ created_at: clock().toISOString(), last_used_at: clock().toISOString() },
    },
  ]);
  expect(list.data.pagination.total).toBe(1);
});

test('ends at its expiry, and when an administrator revokes it, which is audited', async () => {
  const user = await app.createUser();
  const [first, second] = [await createLink(user), await createLink(user)];
  await app
    .as(await app.createUser({ role: 'admin' }))
    .delete(`/api/reports/links/${first.id}`)
    .expect(200);
  await open(first.token).expect(404);
  await app.as(admin).delete(`/api/reports/links/${first.id}`).expect(404);
  await open(second.token).expect(200);
  const before = clock();
  clock.set(new Date(body.expires_at));
  await open(second.token).expect(404);
  clock.set(before);

  const { body: audit } = await app.as(admin).get(`/api/admin/audit?target_type=user&target_id=${user.id}`).expect(200);
  const link = { report_link: first.id, report_from: period.from, report_to: period.to };
  const logged = { ...link, expires_at: '2026-06-01T00:00:00+00:00' };
  expect(audit.data.entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'revokeReportLink', before: logged, after: null }),
      expect.objectContaining({ action: 'createReportLink', before: null, after: logged }),
    ]),
  );
  expect(JSON.stringify(audit)).not.toContain(first.token);
});

test.each<[string, (people: { user: TestUser; creator: TestUser }) => Promise<unknown>]>([
  ['the student is deactivated', ({ user }) => change(user, { status: 'inactive' })],
  ['the student is deleted', ({ user }) => app.as(admin).delete(`/api/admin/users/${user.id}`).expect(200)],
  ['its creator is deactivated', ({ creator }) => change(creator, { status: 'inactive' })],
  ['its creator is demoted', ({ creator }) => change(creator, { role: 'user' })],
  ['its creator is deleted', ({ creator }) => app.as(admin).delete(`/api/admin/users/${creator.id}`).expect(200)],
])('ends when %s, for good', async (_, end) => {
  const [user, creator] = [await app.createUser(), await app.createUser({ role: 'admin' })];
  const { token } = await createLink(user, creator);
  await open(token).expect(200);
  await end({ user, creator });
  await open(token).expect(404);
  await app.query(`UPDATE users SET status = 'active' WHERE id = ANY($1) AND deleted_at IS NULL`, [
    [user.id, creator.id],
  ]);
  await app.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [creator.id]);
  await open(token).expect(404);
});

test.each([
  ['the student', 'status', 'inactive'],
  ['the creator', 'status', 'inactive'],
  ['the creator', 'role', 'user'],
])('shows nothing while the %s of %s is %s in the database', async (who, column, value) => {
  const [user, creator] = [await app.createUser(), await app.createUser({ role: 'admin' })];
  const { token } = await createLink(user, creator);
  const id = who === 'the student' ? user.id : creator.id;
  await app.query(`UPDATE users SET ${column} = $2 WHERE id = $1`, [id, value]);
  await open(token).expect(404);
});

test('is not created for an inactive or unknown student, beyond a year or in the past', async () => {
  const [user, inactive] = [await app.createUser(), await app.createUser({ status: 'inactive' })];
  const create = (id: number, given: object = body) => app.as(admin).post(`/api/reports/students/${id}/links`, given);
  await create(inactive.id).expect(409);
  await create(999_999).expect(404);
  await create(user.id, { ...body, expires_at: '2027-03-03T12:00:00Z' }).expect(400);
  await create(user.id, { ...body, expires_at: '2026-03-01T12:00:00Z' }).expect(400);
  await create(user.id, { ...body, from: '2026-03-01' }).expect(400);
  await create(user.id, { ...body, from: '2024-03-01' }).expect(400);
});

test('concurrent requests never exceed the quota of an administrator, and revoking makes room', async () => {
  const [user, creator] = [await app.createUser(), await app.createUser({ role: 'admin' })];
  await app.query(
    `INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
     SELECT $1, $2, sha256(gen_random_uuid()::text::bytea), '2026-01-01', '2026-01-31', $3::timestamptz, $3::timestamptz + interval '1 day'
     FROM generate_series(1, 498)`,
    [user.id, creator.id, clock()],
  );
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { status } = await app.as(creator).post(`/api/reports/students/${user.id}/links`, body);
      return status;
    }),
  );
  expect(statuses.sort()).toEqual([201, 201, 409, 409, 409]);
  const { body: list } = await app.as(creator).get(`/api/reports/links?user_id=${user.id}&limit=1`).expect(200);
  await app.as(creator).delete(`/api/reports/links/${list.data.links[0].id}`).expect(200);
  await createLink(user, creator);
});

test('a deactivation and a new link at the same time leave no valid link', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await app.createUser();
    const [created] = await Promise.all([
      app.as(admin).post(`/api/reports/students/${user.id}/links`, body),
      change(user, { status: 'inactive' }),
    ]);
    const rows = await app.query('SELECT 1 FROM report_links WHERE user_id = $1', [user.id]);
    expect({ rows, created: [201, 409].includes(created.status) }).toEqual({ rows: [], created: true });
  }
});

test('expired links are deleted by a job', async () => {
  const user = await app.createUser();
  await createLink(user);
  const before = clock();
  clock.set(new Date(body.expires_at));
  const job = app.container.jobs.find(({ name }) => name === 'delete expired links to reports');
  await job?.run();
  clock.set(before);
  expect(await app.query('SELECT 1 FROM report_links WHERE user_id = $1', [user.id])).toEqual([]);
});

const change = (user: TestUser, fields: object) => app.as(admin).put(`/api/admin/users/${user.id}`, fields).expect(200);
