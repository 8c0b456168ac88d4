import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

// A Wednesday, 20:00 in Shanghai.
const clock = createTestClock(new Date('2026-03-18T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
let [ann, bob, cid]: TestUser[] = [];
let group: number;
let project: number;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser({ username: 'ann' });
  bob = await app.createUser({ username: 'bob', timezone: 'Asia/Shanghai' });
  cid = await app.createUser({ username: 'cid' });
  const user_ids = [ann.id, bob.id, cid.id];
  group = (await app.as(admin).post('/api/admin/groups', { name: 'Class', user_ids }).expect(201)).body.data.id;
  project = await createProject(app, admin, 'Algebra');
  await study(ann, '2026-03-10T11:00:00Z', 60); // Tuesday of last week
  await study(ann, '2026-03-11T11:30:00Z', 60); // half of it before 12:00 on Wednesday
  await study(ann, '2026-03-13T08:00:00Z', 60); // Friday, which is not comparable yet
  await study(ann, '2026-03-17T08:00:00Z', 120); // Tuesday of this week
  await study(bob, '2026-03-11T11:30:00Z', 60); // 19:30 in Shanghai
  await study(bob, '2026-03-18T08:00:00Z', 30);
});
afterAll(() => app.stop());

const study = (user: TestUser | undefined, started_at: string, minutes: number) =>
  addSession(app, {
    ...{ project_id: project, user_id: user?.id ?? 0, started_at },
    ended_at: new Date(Date.parse(started_at) + minutes * 60_000).toISOString(),
  });
const weeks = 'from=2026-03-16&to=2026-03-22&other_from=2026-03-09&other_to=2026-03-15';
const read = async (query: string) =>
  (await app.as(admin).get(`/api/admin/groups/${group}/comparison?${query}`).expect(200)).body.data;

test('of a week that is not over, the same part of the week before is compared, in the calendar of each member', async () => {
  const data = await read(weeks);
  expect(data).toMatchObject({
    group: { id: group, name: 'Class' },
    period: { from: '2026-03-16', to: '2026-03-22', days: 3, school_days: 3 },
    other: { from: '2026-03-09', to: '2026-03-15', days: 3, school_days: 3 },
    is_running: true,
    total: { hours: 2.5, other_hours: 2, change: 0.5 },
    median: { hours: 0.5, other_hours: 0.5, change: 0 },
    by_project: [{ project_id: project, project_name: 'Algebra', hours: 2.5, other_hours: 2 }],
  });
  expect(data.by_weekday.slice(1, 3)).toEqual([
    { weekday: 2, hours: 2, other_hours: 1 },
    { weekday: 3, hours: 0.5, other_hours: 1 },
  ]);
  expect(data.members).toMatchObject([
    { username: 'ann', hours: 2, other_hours: 1.5, change: 0.5, by_project: [{ hours: 2, other_hours: 1.5 }] },
    { username: 'bob', hours: 0.5, other_hours: 0.5, change: 0 },
    { username: 'cid', hours: 0, other_hours: 0, change: 0, by_project: [] },
  ]);
});

test('of the other period, days to come do not count', async () => {
  expect(await read('from=2026-03-09&to=2026-03-15&other_from=2026-03-16&other_to=2026-03-22')).toMatchObject({
    period: { days: 7, school_days: 5 },
    other: { from: '2026-03-16', to: '2026-03-22', days: 3, school_days: 3 },
    is_running: false,
  });
  expect(await read('from=2026-03-02&to=2026-03-29&other_from=2026-03-16&other_to=2026-03-29')).toMatchObject({
    period: { days: 17 },
    other: { days: 3 },
    is_running: true,
  });
});

test('periods that are over are compared as a whole, also of unequal lengths', async () => {
  expect(await read('from=2026-03-09&to=2026-03-15&other_from=2026-03-01&other_to=2026-03-08')).toMatchObject({
    ...{ is_running: false, period: { days: 7 }, other: { days: 8 } },
    total: { hours: 4, other_hours: 0, change: 4 },
  });
});

test('a member whose last day is not over is compared with the same part, when it is over for the reader', async () => {
  const far = await app.createUser({ username: 'dee', timezone: 'Pacific/Honolulu' });
  const user_ids = [far.id];
  const other = (await app.as(admin).post('/api/admin/groups', { name: 'Far', user_ids }).expect(201)).body.data.id;
  // 14:00 on Sunday the 15th there; Monday for the reader.
  clock.set('2026-03-16T00:00:00.000Z');
  await study(far, '2026-03-09T00:30:00Z', 60); // 14:30 on Sunday the 8th, which does not count yet
  await study(far, '2026-03-08T23:30:00Z', 60); // half of it before 14:00
  const query = 'from=2026-03-09&to=2026-03-15&other_from=2026-03-02&other_to=2026-03-08';
  const { body } = await app.as(admin).get(`/api/admin/groups/${other}/comparison?${query}`).expect(200);
  clock.set('2026-03-18T12:00:00.000Z');
  expect(body.data).toMatchObject({ is_running: false, members: [{ hours: 0, other_hours: 0.5 }] });
});

test('unequal numbers of school days are named, by the days of the school and of the class', async () => {
  const enter = (fields: object) => app.as(admin).post('/api/admin/school-days', fields).expect(201);
  await enter({ name: 'Holiday', from: '2026-04-06', to: '2026-04-08', kind: 'off' });
  await enter({ name: 'Make-up day', from: '2026-04-11', to: '2026-04-11', kind: 'school_day' });
  await enter({ name: 'Class trip', from: '2026-04-09', to: '2026-04-09', kind: 'off', group_id: group });
  expect(await read('from=2026-04-13&to=2026-04-19&other_from=2026-04-06&other_to=2026-04-12')).toMatchObject({
    period: { days: 7, school_days: 5 },
    other: { days: 7, school_days: 2 },
  });
});

test('the file has a line for each member', async () => {
  const { text, headers } = await app
    .as(admin)
    .get(`/api/admin/groups/${group}/comparison/export?${weeks}`)
    .expect(200);
  expect(headers['content-type']).toContain('text/csv');
  const [, first] = text.trim().split('\r\n');
  expect(first).toBe(`${ann?.id},"ann","ann",2,1.5,0.5,0,2,0,0,0,0,0,0,1,0.5,0,0,0,0`);
});

test('periods are bounded, and the group must exist', async () => {
  const refused = async (query: string, field: string) => {
    const { body } = await app.as(admin).get(`/api/admin/groups/${group}/comparison?${query}`).expect(400);
    expect(body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  };
  await refused('from=2026-03-16&to=2026-03-15&other_from=2026-03-09&other_to=2026-03-15', 'to');
  await refused('from=2026-03-16&to=2026-03-16&other_from=2025-03-09&other_to=2026-03-15', 'other_to');
  await refused('from=2026-03-16&to=2026-03-16&other_from=2026-03-09', 'other_to');
  await app.as(admin).get(`/api/admin/groups/999999/comparison?${weeks}`).expect(404);
  await app.as(ann).get(`/api/admin/groups/${group}/comparison?${weeks}`).expect(403);
});
