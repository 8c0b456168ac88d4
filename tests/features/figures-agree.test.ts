import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requiredAmounts } from '../../src/features/study/achievements/achievement-catalogue.ts';
import { assign, createProject } from '../support/records.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { writeRecords } from './study/achievements/earnings.ts';

const minute = 60_000;
let now = new Date('2026-03-29T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
});
afterAll(() => app.stop());

// Times are multiples of three minutes, so that hours have two decimals on both sides of every midnight.
const step = 3;
const world = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Havana', 'Asia/Kathmandu', 'Pacific/Auckland', 'Africa/Cairo'),
  day_start_hour: fc.constantFrom(0, 0, 3, 6),
  week_start: fc.integer({ min: 1, max: 7 }),
  rest_weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { maxLength: 3 }),
  later: fc.integer({ min: 0, max: 480 }),
  records: fc.array(fc.record({ gap: fc.integer({ min: 0, max: 900 }), length: fc.integer({ min: 1, max: 160 }) }), {
    minLength: 1,
    maxLength: 24,
  }),
});

type Daily = { date: string; hours: number }[];
const rounded = (hours: number) => Math.round(hours * 100) / 100;
const sum = (daily: Daily) => rounded(daily.reduce((total, { hours }) => total + hours, 0));

test('dashboard, statistics, forecast, progress and awards show the same figures', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ records, later, zone, ...preferences }) => {
      now = new Date(Date.parse('2026-03-27T00:00:00Z') + later * step * minute);
      const [user, admin] = [await app.createUser(), await app.createUser({ role: 'admin' })];
      await app
        .as(user)
        .put('/api/auth/me', { timezone: zone, ...preferences })
        .expect(200);
      const on = await createProject(app, user, 'Algebra', 'active', { target_hours: 5_000 });
      let end = now.getTime();
      for (const { gap, length } of records) {
        const start = end - (gap + length) * step * minute;
        await writeRecords(app, [{ user, on, start: new Date(start).toISOString(), minutes: length * step }]);
        end = start;
      }

      const read = async (path: string, reader = user) => (await app.as(reader).get(path).expect(200)).body.data;
      const own = await read('/api/stats');
      const ofProject = await read(`/api/projects/${on}/stats?weeks=52`);
      const dashboard = await read('/api/dashboard');
      const forecast = await read(`/api/projects/${on}/forecast`);
      const { users } = await read(`/api/admin/progress?search=${user.username}`, admin);

      const { current_streak, today_hours, week_hours, total_hours, longest_streak } = own;
      const daily: Daily = ofProject.daily;
      const studied = daily.filter(({ hours }) => hours > 0);
      expect(dashboard).toMatchObject({ current_streak, today_hours, week_hours, date: daily.at(-1)?.date });
      expect(dashboard.studied_today).toBe(today_hours > 0);
      expect(ofProject).toMatchObject({ current_streak, longest_streak, total_hours, study_days: studied.length });
      expect(users).toMatchObject([{ user_id: user.id, current_streak, total_hours }]);
      expect(today_hours).toBe(daily.at(-1)?.hours);
      expect(sum(daily)).toBe(total_hours);
      expect(
        rounded(ofProject.weekly_progress.reduce((all: number, { hours }: { hours: number }) => all + hours, 0)),
      ).toBe(total_hours);
      const weekday = (date: string) => new Date(date).getUTCDay() || 7;
      const firstOfWeek = daily.findLastIndex(({ date }) => weekday(date) === preferences.week_start);
      expect(sum(daily.slice(firstOfWeek))).toBe(week_hours);
      expect(forecast.pace_7d).toBe(rounded(sum(daily.slice(-7)) / 7));
      expect(forecast.pace_28d).toBeCloseTo(sum(daily.slice(-28)) / 28, 1);
      expect(forecast.remaining_hours).toBe(rounded(5_000 - total_hours));

      const awards: { id: number; earned_at: string | null }[] = await read('/api/achievements');
      const amounts: Record<string, number> = { streak: longest_streak, study_time: total_hours * 3600 };
      for (const { id, kind, amount } of requiredAmounts)
        if (kind in amounts)
          expect(awards.find((award) => award.id === id)?.earned_at != null).toBe((amounts[kind] ?? 0) >= amount);
    }),
    { numRuns: 15 },
  );
});

test('every page rounds hours and percentages in the same way', async () => {
  now = new Date('2026-03-27T12:00:00Z');
  const [user, admin] = [await app.createUser(), await app.createUser({ role: 'admin' })];
  const on = await createProject(app, admin, 'Algebra', 'active', { target_hours: 2 });
  await assign(app, on, user);
  // 3,618 seconds are 1.005 hours, and 50.25 percent.
  const { id } = (
    await app
      .as(user)
      .post(`/api/projects/${on}/sessions`, { started_at: '2026-03-27T08:00:00Z', duration_seconds: 3618 })
      .expect(201)
  ).body.data;
  const body = { name: `Class of ${user.username}`, user_ids: [user.id] };
  const group = (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;

  const read = async (path: string, reader = user) => (await app.as(reader).get(path).expect(200)).body.data;
  const project = await read(`/api/projects/${on}`);
  expect(project).toMatchObject({ current_hours: 1.01, own_hours: 1.01, progress: 50.25 });
  expect(await read(`/api/sessions/${id}`)).toMatchObject({ hours: 1.01 });
  expect(await read('/api/stats')).toMatchObject({ total_hours: 1.01, today_hours: 1.01, week_hours: 1.01 });
  expect(await read(`/api/projects/${on}/stats`)).toMatchObject({ total_hours: 1.01 });
  const search = `search=${user.username}`;
  const [listed] = (await read(`/api/admin/progress?${search}`, admin)).users;
  expect(listed).toMatchObject({ total_hours: 1.01, hours_7d: 1.01, hours_28d: 1.01 });
  const [inProjects] = (await read(`/api/admin/progress/projects?group_id=${group}`, admin)).users;
  expect(inProjects).toMatchObject({ total_hours: 1.01, hours: [1.01] });
  const ofGroup = await read(`/api/admin/groups/${group}/statistics?from=2026-03-01&to=2026-03-27`, admin);
  expect(ofGroup).toMatchObject({ total_hours: 1.01, projects: [{ hours: 1.01 }] });
});
