import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSession, assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

// A Friday. New York changed its clocks on 8 March, Havana on the same day at midnight.
const clock = createTestClock(new Date('2026-03-20T12:00:00.000Z'));
const zones = ['Asia/Shanghai', 'America/New_York', 'America/Havana', 'Europe/London', 'Pacific/Apia'];
let app: TestApp;
let admin: TestUser;
let students: TestUser[];
let group: number;
let [shared, each]: number[] = [];
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
  students = await Promise.all(zones.map((timezone, n) => app.createUser({ username: `student${n}`, timezone })));
  const away = await app.createUser({ status: 'inactive' });
  await app.query(`UPDATE users SET day_start_hour = 4 WHERE username = 'student1'`);
  const user_ids = [...students, away].map(({ id }) => id);
  group = (await app.as(admin).post('/api/admin/groups', { name: 'Class', user_ids }).expect(201)).body.data.id;
  const body = { target_hours: 200, due_date: '2026-04-20' };
  shared = await createProject(app, admin, 'Shared', 'active', { ...body, target_hours: 2000 });
  each = await createProject(app, admin, 'Each', 'active', { ...body, target_scope: 'each', target_hours: 30 });
  await app.query(`UPDATE projects SET plan_started_at = '2026-01-10Z'`);
  for (const user of students) {
    await assign(app, shared ?? 0, user);
    await assign(app, each ?? 0, user);
  }
  await app.query(`UPDATE project_assignments SET assigned_at = '2026-01-10Z'`);
  // Across midnights, clock changes and seconds; the last student has not started.
  for (const [index, { id }] of students.slice(0, 4).entries())
    for (let n = 1; n <= 90; n += index + 1) {
      const start = Date.parse('2026-01-20T21:47:13.250Z') + n * 15 * 3_600_000;
      const seconds = 4001.5 + 997 * (n % 11) + index * 61;
      await addSession(app, {
        ...{ project_id: (Math.floor(n / (index + 1)) % 3 === 0 ? each : shared) ?? 0, user_id: id },
        ...{ started_at: new Date(start).toISOString(), ended_at: new Date(start + seconds * 1000).toISOString() },
      });
    }
});
afterAll(() => app.stop());

type Member = { user_id: number; total_hours: number; study_days: number; daily: number[] };
const read = async (query = '') =>
  (await app.as(admin).get(`/api/admin/groups/${group}/statistics?${query}`).expect(200)).body.data;

describe('the statistics of a group', () => {
  test('each member has the days on which they are excused, within the period', async () => {
    const excuse = (user: TestUser | undefined, from: string, to: string) =>
      app.as(admin).post(`/api/admin/users/${user?.id}/days-off`, { from, to, reason: 'Ill' }).expect(201);
    await excuse(students[1], '2026-02-20', '2026-03-03');
    await excuse(students[1], '2026-03-02', '2026-03-05');
    await excuse(students[2], '2026-04-02', '2026-04-05');
    const { members } = await read('from=2026-03-01&to=2026-03-20');
    expect(members.map(({ excused }: { excused: unknown }) => excused)).toEqual([
      ...[[], [{ from: '2026-03-01', to: '2026-03-05' }], [], [], []],
    ]);
    await app.query('DELETE FROM days_off');
  });

  test.each(['2026-01-19&to=2026-03-20', '2026-02-27&to=2026-03-12', '2026-03-08&to=2026-03-08'])(
    'the days of each member are those of their own statistics: %s',
    async (period) => {
      const { members } = await read(`from=${period}`);
      expect(members).toHaveLength(5);
      for (const [index, { user_id, ...shown }] of (members as Member[]).entries()) {
        const user = students[index] as TestUser;
        expect(user_id).toBe(user.id);
        const own = (await app.as(user).get(`/api/stats?from=${period}`).expect(200)).body.data;
        expect(shown).toMatchObject({
          total_hours: own.total_hours,
          study_days: own.study_days,
          daily: own.daily.map(({ hours }: { hours: number }) => hours),
        });
      }
    },
  );

  test('median, middle half and distribution are those of the members, with those who did not study', async () => {
    const data = await read('from=2026-03-02&to=2026-03-15');
    const sorted = (data.members as Member[]).map(({ total_hours }) => total_hours / 2).toSorted((a, b) => a - b);
    expect(data).toMatchObject({ members_count: 5, active_members: 4, group: { id: group, name: 'Class' } });
    expect(data.hours_per_week.median).toBeCloseTo(sorted[2] ?? 0, 1);
    expect(data.hours_per_week.lower_quartile).toBeCloseTo(sorted[1] ?? 0, 1);
    expect(data.hours_per_week.upper_quartile).toBeCloseTo(sorted[3] ?? 0, 1);
    expect(data.distribution[0]).toEqual({ from_hours: 0, to_hours: 0, users: 1 });
    expect(data.distribution.reduce((sum: number, { users }: { users: number }) => sum + users, 0)).toBe(5);
    expect(data.weekly.map(({ first_day }: { first_day: string }) => first_day)).toEqual(['2026-03-02', '2026-03-09']);
    const weeks = data.weekly.reduce((sum: number, { hours }: { hours: number }) => sum + hours, 0);
    expect(weeks).toBeCloseTo(data.total_hours, 1);
  });

  test('projects show how many members are done, on track, behind or have not started, as each member sees it', async () => {
    const { projects, projects_total } = await read();
    expect(projects_total).toBe(2);
    const states = await Promise.all(
      students.map(
        async (user) => (await app.as(user).get(`/api/projects/${each}/forecast`).expect(200)).body.data.state,
      ),
    );
    const byName = new Map(projects.map((row: { project_name: string }) => [row.project_name, row]));
    const number = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
    expect(byName.get('Each')).toMatchObject({
      ...{ users_count: 5, done: number('done'), on_track: number('ahead', 'on_track'), slowing: number('slowing') },
      ...{ behind: number('behind'), overdue: 0, not_started: 0, without_goals: 0 },
    });
    const own = await Promise.all(
      students.map(
        async (user) => (await app.as(user).get(`/api/projects/${each}`).expect(200)).body.data.own_progress,
      ),
    );
    expect(own[4]).toBe(0);
    expect((byName.get('Each') as { progress: number }).progress).toBeCloseTo(own.reduce((a, b) => a + b, 0) / 5, 1);
    expect(states[4]).toBe('behind'); // has not started since January
    expect(byName.get('Shared')).toMatchObject({ state: 'behind', behind: 5, not_started: 0, on_track: 0 });
  });

  test('projects show the hours of their members in the latest weeks, as the days of the members do', async () => {
    const { projects, members, weekly } = await read('from=2026-01-26&to=2026-03-20');
    const weeks = (projects as { weeks: number[] }[]).map((project) => project.weeks);
    expect(weeks.map(({ length }) => length)).toEqual([8, 8]);
    const sums = weeks[0]?.map((hours, week) => hours + (weeks[1]?.[week] ?? 0)) ?? [];
    for (const [week, { hours }] of (weekly as { hours: number }[]).entries()) expect(sums[week]).toBeCloseTo(hours, 1);
    expect(sums.reduce((sum, hours) => sum + hours, 0)).toBeGreaterThan(1);
    expect(members).toHaveLength(5);
  });

  test('by default are of twelve weeks; members are paged', async () => {
    const { from, to, members, pagination, weekly } = await read('limit=2&page=3');
    expect([from, to, weekly.length]).toEqual(['2025-12-29', '2026-03-20', 12]);
    expect(members.map(({ user_id }: Member) => user_id)).toEqual([students[4]?.id]);
    expect(pagination).toEqual({ page: 3, limit: 2, total: 5, pages: 3 });
    await app.as(admin).get(`/api/admin/groups/${group}/statistics?from=2026-01-01&to=2027-01-07`).expect(400);
    await app.as(admin).get(`/api/admin/groups/${group}/statistics?from=2026-03-01&to=2026-02-01`).expect(400);
    await app.as(admin).get('/api/admin/groups/999999/statistics').expect(404);
  });

  test('of a group without members are empty', async () => {
    const { id } = (await app.as(admin).post('/api/admin/groups', { name: 'Empty' }).expect(201)).body.data;
    const { body } = await app.as(admin).get(`/api/admin/groups/${id}/statistics`).expect(200);
    const none = { lower_quartile: 0, median: 0, upper_quartile: 0 };
    expect(body.data).toMatchObject({ members_count: 0, hours_per_week: none, members: [], projects: [] });
  });
});
