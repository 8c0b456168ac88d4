import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDue } from '../../../../src/features/school/reminders/reminder-repository.ts';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { awardAll, earned, writeRecords } from '../../study/achievements/earnings.ts';

const today = Date.parse('2026-11-27') / 86_400_000;
const clock = createTestClock(new Date('2026-11-27T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const weekday = (day: number) => new Date(day * 86_400_000).getUTCDay() || 7;

type Range = { first: number; length: number };
/** What somebody says of days: the school, a class, or an administrator who excuses the student. */
type Entry = Range & { kind: 'off' | 'school_day'; of: 'school' | 'a' | 'b' | 'person' };
const length = fc.integer({ min: 1, max: 6 });
const claim = fc.record({
  later: fc.constantFrom(0, 0, 1),
  length,
  kind: fc.constantFrom('off', 'school_day'),
  of: fc.constantFrom('school', 'school', 'a', 'a', 'a', 'b', 'person'),
});
/** Several say something of the same days, so that the order of the rules decides. */
const spot = fc
  .record({ first: fc.integer({ min: -30, max: 20 }), claims: fc.array(claim, { minLength: 2, maxLength: 4 }) })
  .map(({ first, claims }) => claims.map(({ later, ...of }): Entry => ({ ...of, first: first + later })));
/** The school and a class say opposite things of the same days. */
const contradiction = fc
  .record({ first: fc.integer({ min: -15, max: 5 }), length, isOff: fc.boolean() })
  .map(({ isOff, ...days }): Entry[] => [
    { ...days, of: 'school', kind: isOff ? 'off' : 'school_day' },
    { ...days, of: 'a', kind: isOff ? 'school_day' : 'off' },
  ]);
const lastDays = Array.from({ length: 26 }, (_, ago) => -ago);
const world = fc.record({
  entries: fc
    .tuple(contradiction, fc.array(spot, { maxLength: 3 }))
    .map(([of, spots]): Entry[] => [...of, ...spots.flat()]),
  /** A term of the school. What is outside of it is not off. */
  term: fc.option(fc.record({ first: fc.integer({ min: -45, max: 25 }), length: fc.integer({ min: 1, max: 40 }) }), {
    nil: undefined,
  }),
  classes: fc.constantFrom<('a' | 'b')[][]>(['a'], ['a'], ['a', 'b'], ['b'], []),
  rest: fc.constantFrom([], [6, 7], [3, 6, 7], [2, 3, 6, 7]),
  studied: fc.oneof(
    fc.uniqueArray(fc.integer({ min: -40, max: 0 }), { minLength: 1, maxLength: 32 }),
    // Nearly every day, so that what a missing one is decides about a long run.
    fc
      .uniqueArray(fc.integer({ min: -25, max: 0 }), { maxLength: 10 })
      .map((missing) => lastDays.filter((day) => !missing.includes(day))),
  ),
  dayStart: fc.constantFrom(0, 4, 6),
  /** Every so many days are studied in the night, before the next one begins. */
  nights: fc.integer({ min: 1, max: 3 }),
  due: fc.integer({ min: -2, max: 30 }),
  planned: fc.integer({ min: 0, max: 40 }),
  target: fc.integer({ min: 3, max: 30 }),
  /** Whether the days are set after the records. */
  late: fc.boolean(),
});

/** The rules in words: what each day is for the student. */
function kindOf({ entries, classes, rest }: Pick<World, 'entries' | 'classes' | 'rest'>) {
  const covers = (day: number) => (given: Range) =>
    day >= today + given.first && day < today + given.first + given.length;
  return (day: number): 'excused' | 'off' | 'school' | 'rest' | 'ordinary' => {
    if (entries.filter(({ of }) => of === 'person').some(covers(day))) return 'excused';
    const ofClass = entries.filter(({ of }) => classes.some((name) => name === of)).filter(covers(day));
    const ofSchool = entries.filter(({ of }) => of === 'school').filter(covers(day));
    for (const found of [ofClass, ofSchool]) {
      if (found.some(({ kind }) => kind === 'school_day')) return 'school';
      if (found.length > 0) return 'off';
    }
    return rest.some((free) => free === weekday(day)) ? 'rest' : 'ordinary';
  };
}
type World = {
  entries: Entry[];
  classes: ('a' | 'b')[];
  rest: readonly number[];
  studied: number[];
  dayStart: number;
  nights: number;
  due: number;
  planned: number;
  target: number;
};

const isAtNight = ({ dayStart, nights }: Pick<World, 'dayStart' | 'nights'>, day: number) =>
  dayStart > 0 && day < 0 && day % nights === 0;

function expected({ studied, due, planned, target, ...given }: World) {
  const kind = kindOf(given);
  const isOff = (day: number) => ['off', 'excused'].includes(kind(day));
  const isFree = (day: number) => isOff(day) || kind(day) === 'rest';
  const has = new Set(studied.map((day) => today + day));
  const runs: number[] = [];
  let run = 0;
  for (let day = today - 60; day <= today; day += 1) {
    if (has.has(day)) run += isOff(day) ? 0 : 1;
    else if (!isFree(day) && day !== today) run = 0;
    runs.push(run);
  }
  const on = (first: number, last: number) => {
    let days = 0;
    for (let day = first; day <= last; day += 1) if (!isOff(day)) days += 1;
    return days;
  };
  const back = (number: number) => {
    let day = today + 1;
    for (let left = number; left > 0; ) {
      day -= 1;
      if (!isOff(day)) left -= 1;
    }
    return day;
  };
  const seconds = (first: number) => [...has].filter((day) => day >= first).length * 1800;
  const opens = back(28);
  const firstStudied = Math.min(...[...has].filter((day) => day >= opens), today);
  const paceDays = Math.min(28, Math.max(7, on(Math.min(today - planned, firstStudied), today)));
  const began = Math.min(today - planned, ...has);
  const span = Math.max(1, on(began + 1, today + due));
  const passed = on(began + 1, today);
  const left = on(today, today + due);
  const goal = target * 1800;
  const current = has.size * 1800;
  const pace = seconds(opens);
  const needed = pace > 0 ? Math.ceil((Math.max(0, goal - current) * paceDays) / pace) : Infinity;
  const state = () => {
    if (current >= goal) return 'done';
    if (due < 0) return 'overdue';
    if (current * span < goal * (passed - 1)) return 'behind';
    if (needed > left) return 'slowing';
    return current * span > goal * passed && (left - needed) * 10 >= left ? 'ahead' : 'on_track';
  };
  // The last record ended at 10:30 or 2:30, hours before the time of the day.
  const last = Math.max(...studied.map((day) => today + day + (isAtNight(given, day) ? 1 : 0)));
  return {
    kind,
    streak: runs.at(-1),
    longest: Math.max(...runs),
    forecast: { state: state(), days_left: left, pace_days: paceDays },
    pace7: seconds(back(7)) / 7 / 3600,
    isSilent: today - last >= today - back(7) + 1,
    isInactive: (days: number) => today - last >= today - back(days) + 1,
    isReminded: !isFree(today),
    hours: current / 3600,
  };
}

test('what a day is has one meaning for streaks, awards, forecasts, attention, reminders and reports', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ late, term, ...given }) => {
      await app.query('DELETE FROM school_days');
      await app.query('DELETE FROM terms');
      const user = await app.createUser();
      const preferences = { rest_weekdays: given.rest, day_start_hour: given.dayStart, streak_reminder_hour: 9 };
      await app.as(user).put('/api/auth/me', preferences).expect(200);
      const groups: Record<string, number | null> = { school: null };
      for (const of of ['a', 'b'] as const) {
        const user_ids = given.classes.includes(of) ? [user.id] : [];
        const { body } = await app
          .as(admin)
          .post('/api/admin/groups', { name: `${of} ${user.id}`, user_ids })
          .expect(201);
        groups[of] = body.data.id;
      }
      const project = await createProject(app, user, 'Algebra', 'active', {
        ...{ target_hours: given.target / 2, due_date: dateOf(today + given.due) },
      });
      const planned = `${dateOf(today - given.planned)}T09:00:00Z`;
      await app.query('UPDATE projects SET created_at = $2, plan_started_at = $2 WHERE id = $1', [project, planned]);

      const datesOf = ({ first, length }: Range) => ({
        from: dateOf(today + first),
        to: dateOf(today + first + length - 1),
      });
      const setDays = async () => {
        if (term !== undefined)
          await app
            .as(admin)
            .post('/api/admin/terms', { name: 'Term', ...datesOf(term) })
            .expect(201);
        for (const { kind, of, ...range } of given.entries) {
          const dates = datesOf(range);
          const [path, body] =
            of === 'person'
              ? [`/api/admin/users/${user.id}/days-off`, dates]
              : ['/api/admin/school-days', { name: 'Days', kind, group_id: groups[of], ...dates }];
          await app.as(admin).post(path, body).expect(201);
        }
      };
      if (!late) await setDays();
      for (const day of given.studied.toSorted((a, b) => a - b)) {
        const start = isAtNight(given, day)
          ? `${dateOf(today + day + 1)}T02:00:00Z`
          : `${dateOf(today + day)}T10:00:00Z`;
        await writeRecords(app, [{ user, on: project, start }]);
      }
      const before = late ? expected({ ...given, entries: [] }).longest : 0;
      if (late) {
        await setDays();
        await awardAll(app);
      }

      const want = expected(given);
      const read = async (path: string, by = user) => (await app.as(by).get(path).expect(200)).body.data;
      const statistics = await read('/api/stats');
      expect(statistics).toMatchObject({
        ...{ current_streak: want.streak, longest_streak: want.longest, total_hours: want.hours },
        study_days: given.studied.length,
      });
      expect((await read('/api/dashboard')).current_streak).toBe(want.streak);
      const steps = [3, 7, 30].filter((step) => Math.max(before, want.longest) >= step);
      expect((await earned(app, 'user', user.id)).filter((name) => name.startsWith('streak'))).toEqual(
        steps.map((step) => `streak_${step}`),
      );
      const forecast = await read(`/api/projects/${project}/forecast`);
      expect(forecast).toMatchObject(want.forecast);
      expect(forecast.pace_7d).toBeCloseTo(want.pace7, 1);

      const { users } = await read(`/api/admin/progress?search=${user.username}`, admin);
      expect(users).toHaveLength(1);
      expect(users[0].current_streak).toBe(want.streak);
      expect(users[0].state === 'silent').toBe(want.isSilent);
      const isFound = async (filter: string) =>
        (await read(`/api/admin/progress?search=${user.username}&${filter}`, admin)).users.length === 1;
      expect(await isFound('state=silent')).toBe(want.isSilent);
      for (const days of [1, 5, 12]) expect(await isFound(`inactive_days=${days}`)).toBe(want.isInactive(days));
      const due = await listDue(app.database, clock(), user.id - 1, 1, true);
      expect(due.some(({ user_id }) => user_id === user.id)).toBe(want.isReminded);
      const report = await read(`/api/reports/students/${user.id}?from=${dateOf(today - 45)}&to=${dateOf(today)}`);
      expect([report.total_hours, report.study_days]).toEqual([want.hours, given.studied.length]);
    }),
    { numRuns: Number(process.env['DAY_RUNS'] ?? 25) },
  );
});
