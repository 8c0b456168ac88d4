import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession, assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const day = 86_400_000;
const hour = day / 24;
const end = Date.parse('2026-03-20T12:00:00.000Z');
const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Apia', 'Europe/London'];
const clock = createTestClock(new Date(end)); // tokens are valid until then
let app: TestApp;
let admin: TestUser;
let students: TestUser[];
let projects: number[];
let group: number;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
  students = await Promise.all(
    Array.from({ length: 10 }, (_, n) => app.createUser({ timezone: zones[n % 5] ?? 'UTC' })),
  );
  const user_ids = students.slice(0, 6).map(({ id }) => id);
  group = (await app.as(admin).post('/api/admin/groups', { name: 'Class', user_ids }).expect(201)).body.data.id;
  const goals = [
    { target_hours: 12, due_date: '2026-03-12' },
    { target_hours: 25, due_date: '2026-04-20' },
    { target_hours: 40, due_date: '2026-05-10' },
  ];
  projects = [];
  for (const goal of goals)
    projects.push(await createProject(app, admin, `Due ${goal.due_date}`, 'active', { ...goal, target_scope: 'each' }));
  await app.query(`UPDATE projects SET created_at = '2026-01-12Z', plan_started_at = '2026-01-12Z'`);
  for (const [n, student] of students.entries())
    for (const [k, id] of projects.entries()) if ((n + k) % 3 !== 0) await assign(app, id, student);
  await app.query(`UPDATE users SET created_at = '2026-01-01Z'`);
  await app.query(`UPDATE project_assignments SET assigned_at = '2026-01-12Z'`);
});
afterAll(() => app.stop());

/** By the list, as it is at the time of the clock. */
async function onTrackNow(query: string): Promise<number> {
  const { users } = (await app.as(admin).get(`/api/admin/progress?limit=100&${query}`).expect(200)).body.data;
  return (users as { state: string }[]).filter(({ state }) => state === 'on_track').length;
}
const trend = async (query = '') =>
  (await app.as(admin).get(`/api/admin/progress/trend?${query}`).expect(200)).body.data.weeks;

/** Some study more and more, others less, some not in every week. */
async function study(week: number, start: number): Promise<void> {
  for (const [n, { id: user_id }] of students.entries()) {
    const hours = [6, 1 + week, 9 - week, week % 3 === 0 ? 8 : 0, n * 1.5][n % 5] ?? 0;
    for (let k = 0; k < 3 && hours > 0; k += 1) {
      const started_at = new Date(start + (2 * k + 1) * day + n * hour).toISOString();
      const ended_at = new Date(Date.parse(started_at) + (hours / 3) * hour).toISOString();
      await addSession(app, { project_id: projects[(n + k) % 3] ?? 0, user_id, started_at, ended_at });
    }
  }
}

test('past weeks count those whom the list showed as on track then', async () => {
  const expected: { at: string; users: number; on_track: number; ofGroup: number }[] = [];
  for (let week = 0; week < 8; week += 1) {
    const now = end - (7 - week) * 7 * day;
    await study(week, now - 7 * day);
    clock.set(new Date(now));
    if (week === 4) await app.as(students[4]).post('/api/timer/start', { project_id: projects[1] }).expect(201);
    const [on_track, ofGroup] = [await onTrackNow(''), await onTrackNow(`group_id=${group}`)];
    expected.push({ at: new Date(now).toISOString(), users: students.length, on_track, ofGroup });
    clock.advance(hour);
    if (week === 4) await app.as(students[4]).post('/api/timer/stop').expect(200);
  }
  clock.set(new Date(end));
  const past = expected.slice(0, 7);
  expect(new Set(past.map(({ on_track }) => on_track)).size).toBeGreaterThan(2);
  expect(await trend()).toEqual(past.map(({ ofGroup: _, ...week }) => week));
  expect(await trend(`group_id=${group}`)).toEqual(
    past.map(({ at, ofGroup }) => ({ at, users: 6, on_track: ofGroup })),
  );
});

test('users, projects and assignments count from when they existed', async () => {
  const before = await trend();
  const [first] = students;
  await app.query(`UPDATE users SET created_at = $2 WHERE id = $1`, [first?.id, new Date(end - 10 * day)]);
  expect((await trend()).map(({ users }: { users: number }) => users)).toEqual([9, 9, 9, 9, 9, 9, 10]);
  await app.query(`UPDATE project_assignments SET assigned_at = $1`, [new Date(end - 10 * day)]);
  const later = await trend();
  expect(later.slice(0, 6).map(({ on_track }: { on_track: number }) => on_track)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(later[6].on_track).toBeGreaterThanOrEqual(before[6].on_track); // the even pace began later
});
