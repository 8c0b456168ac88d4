import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
const clock = createTestClock(new Date('2026-11-27T12:00:00.000Z'));

beforeAll(async () => {
  app = await startTestApp({ clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
beforeEach(() => app.query('DELETE FROM school_days'));

const path = '/api/admin/school-days';
const sports = { name: 'Sports days', from: '2026-11-25', to: '2026-11-25', kind: 'off' };
const read = async (of: string, by: TestUser) => (await app.as(by).get(of).expect(200)).body.data;
const stored = () => app.query<{ name: string }>('SELECT name FROM school_days ORDER BY id');

/** A student who has studied on these days, and whose project is due on 18 December. */
async function createStudent(...studied: string[]) {
  const user = await app.createUser();
  const project = await createProject(app, user, 'Algebra', 'active', { target_hours: 20, due_date: '2026-12-18' });
  for (const date of studied)
    await app
      .as(user)
      .post(`/api/projects/${project}/sessions`, { started_at: `${date}T10:00:00Z`, duration_seconds: 3600 })
      .expect(201);
  return { user, project };
}
const createClass = async (name: string, ...members: TestUser[]) =>
  Number(
    (
      await app
        .as(admin)
        .post('/api/admin/groups', { name, user_ids: members.map(({ id }) => id) })
        .expect(201)
    ).body.data.id,
  );

test('a dry run says what the change then does, and saves nothing', async () => {
  const { user, project } = await createStudent('2026-11-23', '2026-11-24', '2026-11-27');
  const group_id = await createClass('12 A', user);
  const exams = { ...sports, name: 'Mock exams', from: '2026-11-25', to: '2026-12-01', group_id };
  const minutes = async () =>
    Math.round((await read(`/api/projects/${project}/forecast`, user)).required_hours_per_day * 60);
  const standing = async () => ({
    streak: (await read('/api/stats', user)).current_streak,
    minutes: await minutes(),
    state: (await read(`/api/projects/${project}/forecast`, user)).state,
  });
  const before = await standing();
  const { body } = await app.as(admin).post(`${path}?dry_run=true`, exams).expect(200);
  expect([await stored(), await standing()]).toEqual([[], before]);
  await app.as(admin).post(path, exams).expect(201);
  const after = await standing();
  expect(after).not.toEqual(before);
  expect(body).toMatchObject({ message: 'Nothing was saved.' });
  expect(body.data).toMatchObject({
    ...{ students: 1, streaks_count: 1, goals_count: 1, quiet_students: 1, recorded_hours: 1 },
    streaks: [{ user_id: user.id, before: before.streak, after: after.streak }],
    goals: [{ user_id: user.id, project_id: project, project_name: 'Algebra' }],
  });
  const [goal] = body.data.goals;
  expect(goal.state).toEqual({ before: before.state, after: after.state });
  expect(Math.abs(goal.minutes.before - before.minutes)).toBeLessThanOrEqual(1); // the forecast rounds to 0.01 h
  expect(Math.abs(goal.minutes.after - after.minutes)).toBeLessThanOrEqual(1);
});

test('it says how many students get no reminders from their today on, and how many hours are recorded on days that become off', async () => {
  const kiritimati = { timezone: 'Pacific/Kiritimati' }; // where it is the 28th, and a record of 10:00 UTC of the 27th, too
  const [near, far] = [
    (await createStudent('2026-11-24', '2026-11-26', '2026-11-27')).user,
    (await createStudent('2026-11-26', '2026-11-27')).user,
  ];
  await app.as(far).put('/api/auth/me', kiritimati).expect(200);
  await app
    .as(near)
    .put('/api/auth/me', { rest_weekdays: [7] })
    .expect(200);
  const group_id = await createClass('12 Q', near, far);
  const preview = async (from: string, to: string, kind = 'off') => {
    const sent = { ...sports, from, to, kind, group_id };
    const { data } = (await app.as(admin).post(`${path}?dry_run=true`, sent).expect(200)).body;
    return [data.quiet_students, data.recorded_hours];
  };
  expect(await preview('2026-11-23', '2026-11-26')).toEqual([0, 2]);
  expect(await preview('2026-11-27', '2026-11-27')).toEqual([1, 2]); // of the one, that of the 26th in the zone of the other
  expect(await preview('2026-11-28', '2026-11-28')).toEqual([2, 1]);
  expect(await preview('2026-11-29', '2026-11-29')).toEqual([1, 0]); // a rest day of the one
  expect(await preview('2026-11-29', '2026-11-29', 'school_day')).toEqual([0, 0]);
  expect(await preview('2027-05-01', '2027-05-03')).toEqual([2, 0]);
  await app
    .as(admin)
    .post(path, { ...sports, from: '2026-11-24', to: '2026-11-28' })
    .expect(201);
  expect(await preview('2026-11-23', '2026-11-27')).toEqual([0, 0]); // only the first of them is not off yet
  expect(await preview('2026-11-26', '2026-12-01')).toEqual([2, 0]);
});

test('changes and deletions have one, also of the classes before and after', async () => {
  const [a, b] = [await createStudent('2026-11-24', '2026-11-26'), await createStudent('2026-11-24', '2026-11-26')];
  const [first, second] = [await createClass('Before', a.user), await createClass('After', b.user)];
  const { id } = (
    await app
      .as(admin)
      .post(path, { ...sports, group_id: first })
      .expect(201)
  ).body.data;
  const moved = await app
    .as(admin)
    .put(`${path}/${id}?dry_run=true`, { ...sports, group_id: second })
    .expect(200);
  const streaks = (data: { streaks: { user_id: number; before: number; after: number }[] }) =>
    data.streaks.map(({ user_id, before, after }) => ({ user_id, before, after }));
  expect(streaks(moved.body.data)).toEqual(
    expect.arrayContaining([
      { user_id: a.user.id, before: 2, after: 1 },
      { user_id: b.user.id, before: 1, after: 2 },
    ]),
  );
  expect(moved.body.data.students).toBe(2);
  const deleted = await app.as(admin).delete(`${path}/${id}?dry_run=true`).expect(200);
  expect(streaks(deleted.body.data)).toEqual([{ user_id: a.user.id, before: 2, after: 1 }]);
  expect(await read(path, admin)).toMatchObject([{ id, group_id: first }]);
  await app.as(admin).delete(`${path}/999999?dry_run=true`).expect(404);
});

test('days off of a person have one, by the person and by administrators', async () => {
  const { user } = await createStudent('2026-11-23', '2026-11-24', '2026-11-27');
  const ill = { from: '2026-11-25', to: '2026-11-26', reason: 'ill' };
  const streak = async () => Number((await read('/api/stats', user)).current_streak);
  const own = '/api/me/days-off';
  for (const [caller, of] of [[user, own] as const, [admin, `/api/admin/users/${user.id}/days-off`] as const]) {
    const entries = async () => (await read(of, caller)).days_off;
    const before = await streak();
    const { body } = await app.as(caller).post(`${of}?dry_run=true`, ill).expect(200);
    expect([await entries(), await streak(), body.message]).toEqual([[], before, 'Nothing was saved.']);
    const { id } = (await app.as(caller).post(of, ill).expect(201)).body.data;
    const after = await streak();
    expect(after).toBeGreaterThan(before);
    expect(body.data).toMatchObject({ students: 1, streaks: [{ user_id: user.id, before, after }] });

    const shorter = { ...ill, to: ill.from };
    const changed = await app.as(caller).put(`${of}/${id}?dry_run=true`, shorter).expect(200);
    const deleted = await app.as(caller).delete(`${of}/${id}?dry_run=true`).expect(200);
    for (const { data } of [changed.body, deleted.body])
      expect(data.streaks).toMatchObject([{ user_id: user.id, before: after, after: before }]);
    expect([await entries(), await streak()]).toMatchObject([[ill], after]);
    await app.as(caller).delete(`${of}/${id}`).expect(200);
  }
  const week = (await app.as(user).post(`${own}?dry_run=true`, ill).expect(200)).body.data.streaks[0].week;
  const ordinary = { streak: null, off: false };
  expect(week).toEqual([
    { date: '2026-11-23', streak: 1, off: false },
    { date: '2026-11-24', streak: 2, off: false },
    { date: '2026-11-25', streak: null, off: true },
    { date: '2026-11-26', streak: null, off: true },
    { date: '2026-11-27', streak: 3, off: false },
    { date: '2026-11-28', ...ordinary },
    { date: '2026-11-29', ...ordinary },
  ]);
  const tooMany = { from: '2026-01-01', to: '2026-04-30', reason: '' };
  const refused = await app.as(user).post(`${own}?dry_run=true`, tooMany).expect(400);
  expect(refused.body.error.details).toMatchObject([{ field: 'to' }]);
});

test('terms have one, which says that no streak and no goal changes', async () => {
  await createStudent('2026-11-27');
  const terms = '/api/admin/terms';
  const autumn = { name: 'Autumn', from: '2026-09-01', to: '2027-01-15' };
  const none = { streaks_count: 0, streaks: [], goals_count: 0, goals: [] };
  const send = (to: string) => app.as(admin).post(to, autumn).set('Idempotency-Key', 'autumn');
  expect((await send(`${terms}?dry_run=true`).expect(200)).body.data).toMatchObject(none);
  expect(await read(terms, admin)).toEqual([]);
  const { id } = (await send(terms).expect(201)).body.data;
  const { body } = await app
    .as(admin)
    .post(`${terms}?dry_run=true`, { ...autumn, name: 'Twice' })
    .expect(400);
  expect(body.error.details).toMatchObject([{ field: 'from' }]);
  await app
    .as(admin)
    .put(`${terms}/${id}?dry_run=true`, { ...autumn, name: 'Fall' })
    .expect(200);
  await app.as(admin).delete(`${terms}/${id}?dry_run=true`).expect(200);
  expect(await read(terms, admin)).toMatchObject([autumn]);
  await app.as(admin).delete(`${terms}/${id}`).expect(200);
});

test('the Idempotency-Key of a dry run is free for the change', async () => {
  const send = (to: string) => app.as(admin).post(to, sports).set('Idempotency-Key', 'sports-days');
  await send(`${path}?dry_run=true`).expect(200);
  await send(path).expect(201);
  await send(path).expect(201);
  expect(await stored()).toEqual([{ name: 'Sports days' }]);
});

test('of a limited administrator it is of their own classes only', async () => {
  const [own, other] = [await createClass('Own'), await createClass('Other')];
  const teacher = await app.createUser({ role: 'admin' });
  const scope = { admin_scope: 'groups', admin_group_ids: [own] };
  await app.as(admin).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  const preview = (group_id: number | null) => app.as(teacher).post(`${path}?dry_run=true`, { ...sports, group_id });
  await preview(own).expect(200);
  await preview(other).expect(403);
  await preview(null).expect(403);
});

test('with more than 2,000 students it needs a class', async () => {
  const group_id = await createClass('Small');
  await app.query(
    `INSERT INTO users (username, email, password_hash, display_name, role)
     SELECT 'many-' || n, 'many-' || n || '@example.org', 'x', 'Student ' || n, 'user' FROM generate_series(1, 2001) AS n`,
  );
  const { body } = await app.as(admin).post(`${path}?dry_run=true`, sports).expect(400);
  expect(body.error.details).toMatchObject([{ field: 'dry_run' }]);
  await app
    .as(admin)
    .post(`${path}?dry_run=true`, { ...sports, group_id })
    .expect(200);
});
