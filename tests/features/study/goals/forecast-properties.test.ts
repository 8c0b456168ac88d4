import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, t } from '../../../../src/db/sql/sql.ts';
import { query } from '../../../../src/db/sql/statement.ts';
import type { DayRanges } from '../../../../src/features/study/calendar/day-kinds.ts';
import { type Forecast, type ForecastInput, forecast } from '../../../../src/features/study/goals/forecast.ts';
import { judgeGoal } from '../../../../src/features/study/goals/goal-sql.ts';
import { type GoalState, goalStates } from '../../../../src/features/study/goals/goal-states.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const today = 20_500;
/** The full range of the columns, and often close values to hit the edge cases. */
const seconds = (max: number) => fc.oneof(fc.nat(max), fc.nat(20_000), fc.constant(0));
const near = fc.integer({ min: today - 40, max: today + 40 });
const day = fc.oneof(fc.integer({ min: 10_957, max: 84_004 }), near, near);
const past = fc.integer({ min: 0, max: 60 }).map((days) => today - days);
/** Some holidays around today, in order and apart. */
const daysOff = fc
  .uniqueArray(fc.integer({ min: -40, max: 40 }), { maxLength: 6 })
  .map((bounds) => bounds.toSorted((a, b) => a - b))
  .map((bounds) => bounds.flatMap((from, index): DayRanges => (index % 2 === 1 ? [] : [[today + from, today + from]])))
  .chain((single) =>
    fc.boolean().map((long): DayRanges => (long ? single.map(([from]) => [from, from + 1] as const) : single)),
  )
  .map((ranges) => ranges.filter(([from], index) => from > (ranges[index - 1]?.[1] ?? -Infinity) + 1));
const facts = fc
  .record({
    status: fc.constantFrom('active', 'active', 'active', 'completed', 'paused'),
    target_seconds: seconds(1_000_000).map((hundredths) => hundredths * 36),
    current_seconds: seconds(500_000_000),
    pace_seconds: seconds(2_400_000),
    pace_days: fc.integer({ min: 7, max: 28 }),
    due_day: fc.option(day),
    today: fc.constant(today),
    began_day: past,
    assigned_day: past,
    weekly_goal_seconds: fc.option(fc.integer({ min: 1, max: 1_000_000 }).map((hundredths) => hundredths * 36)),
    week_began: fc.integer({ min: today - 6, max: today }),
    off: daysOff,
    today_seconds: seconds(86_400),
    week_seconds: seconds(600_000),
    last_7_days: seconds(600_000),
    last_28_days: seconds(2_400_000),
  })
  .map((given) => studied(given, 0, given.today_seconds))
  .map((given) => ({ ...given, began_day: Math.min(given.began_day, given.assigned_day) }));
type Facts = Omit<ForecastInput, 'state' | 'even_seconds' | 'days_left' | 'days_needed'> & {
  status: string;
  due_day: number | null;
  began_day: number;
  assigned_day: number;
};

/** Today's seconds are part of all the other totals. */
function studied<Given extends Facts>(given: Given, more: number, others = more): Given {
  return {
    ...given,
    current_seconds: given.current_seconds + others,
    today_seconds: given.today_seconds + more,
    week_seconds: given.week_seconds + others,
    last_7_days: given.last_7_days + others,
    last_28_days: given.last_28_days + others,
    pace_seconds: given.pace_seconds + others,
  };
}

const judged = { state: t.oneOf(goalStates), even: t.bigint.orNull, left: t.integer.orNull, needed: t.numeric.orNull };
const readJudged = query(
  'read_judged_goals',
  judged,
  (given: string) => sql`
    SELECT goal.state, goal.even_seconds AS even, goal.days_left AS left, goal.days_needed AS needed
    FROM jsonb_to_recordset(${t.text(given)}::jsonb) AS f (n integer, status text, target_seconds bigint,
      current_seconds bigint, pace_seconds bigint, pace_days integer, due_day integer, today integer, began_day integer,
      assigned_day integer, weekly_goal_seconds integer, off jsonb)
    CROSS JOIN LATERAL (SELECT f.status, date '1970-01-01' + f.due_day AS due_date,
      round(f.weekly_goal_seconds / 3600.0, 2) AS weekly_goal_hours) AS p
    CROSS JOIN LATERAL (SELECT f.target_seconds, f.current_seconds, f.pace_seconds, f.pace_days,
      date '1970-01-01' + f.today AS today, date '1970-01-01' + f.began_day AS began_on,
      date '1970-01-01' + f.assigned_day AS assigned_on, (
        SELECT coalesce(range_agg(daterange(date '1970-01-01' + (r ->> 0)::integer, date '1970-01-01' + (r ->> 1)::integer, '[]')), '{}')
        FROM jsonb_array_elements(f.off) AS r) AS off) AS figures
    ${judgeGoal}
    ORDER BY f.n`,
);

type Judged = Facts & ForecastInput & { result: Forecast };
async function judge(cases: readonly Facts[]): Promise<Judged[]> {
  const rows = await app.database.many(readJudged(JSON.stringify(cases.map((given, n) => ({ n, ...given })))));
  return cases.map((given, n) => {
    const row = rows[n];
    if (row === undefined) throw new Error('a case was not judged');
    const input = { ...given, state: row.state, even_seconds: row.even, days_left: row.left, days_needed: row.needed };
    return { ...input, result: forecast(input) };
  });
}
const sample = (seed: number) => fc.sample(facts, { numRuns: 4000, seed });

/** How many of the days from the first to the last are not off. */
const on = (off: DayRanges, first: number, last: number): number => {
  const days = off.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  return Math.max(0, last - first + 1) - days.filter((day) => day >= first && day <= last).length;
};

/** The rules in words, one after the other. */
function expectedState(goal: Facts): GoalState {
  const { status, target_seconds: target, current_seconds: current, due_day, weekly_goal_seconds, off } = goal;
  const isDue = due_day !== null;
  if (status === 'completed' || (target > 0 && current >= target)) return 'done';
  if (status === 'paused') return 'paused';
  if (target === 0 || (!isDue && weekly_goal_seconds === null)) return 'no_target';
  if (isDue && due_day < today) return 'overdue';
  if (current === 0) return on(off, goal.assigned_day + 1, today) <= 7 ? 'not_started' : 'behind';
  if (!isDue) return 'on_track';
  const share = target / Math.max(1, on(off, goal.began_day + 1, due_day));
  const even = share * on(off, goal.began_day + 1, today);
  const isBelow = even - share - current > 1e-6;
  if (isBelow) return 'behind';
  const left = on(off, today, due_day);
  const needed = Math.ceil(((target - current) * goal.pace_days) / goal.pace_seconds - 1e-9);
  if (needed > left) return 'slowing';
  return current - even > 1e-6 && (left - needed) * 10 >= left ? 'ahead' : 'on_track';
}

test('each state is as the rules say', async () => {
  const goals = await judge(sample(11));
  expect(goals.map(({ state }) => state)).toEqual(goals.map(expectedState));
  expect(new Set(goals.map(({ state }) => state))).toEqual(new Set(goalStates));
});

test('every figure is finite and at least 0, and null only where it has no meaning', async () => {
  for (const { result, due_day } of await judge(sample(12))) {
    const { days_left, safe_days, projected_completion, today_reason: _, ...figures } = result;
    for (const figure of Object.values(figures)) {
      expect(Number.isFinite(figure)).toBe(true);
      expect(figure).toBeGreaterThanOrEqual(0);
    }
    for (const figure of [days_left, safe_days, projected_completion])
      if (figure !== null) expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
    expect(days_left === null).toBe(due_day === null);
    if (projected_completion !== null) expect(projected_completion).toBeGreaterThanOrEqual(today);
    if (safe_days !== null) expect(safe_days).toBeLessThanOrEqual(days_left ?? 0);
  }
});

test('what today asks has a reason, and without one nothing is asked', async () => {
  for (const goal of await judge(sample(13))) {
    const { today_required, today_reason } = goal.result;
    const isOpen = goal.state !== 'done' && goal.state !== 'paused' && on(goal.off, today, today) > 0;
    const reasons = [isOpen && goal.due_day !== null && goal.target_seconds > 0, isOpen && goal.weekly_goal_seconds];
    expect(today_reason !== null).toBe(reasons.some(Boolean));
    if (today_reason === null) expect(today_required).toBe(0);
  }
});

const rank: Record<GoalState, number> = {
  ...{ overdue: 0, behind: 1, not_started: 1, slowing: 2, on_track: 3, ahead: 4, done: 5, paused: 6, no_target: 6 },
};
const notMore = (of: (forecast: Forecast) => number | null, before: Forecast, after: Forecast) => {
  const [old, now] = [of(before), of(after)];
  if (old !== null && now !== null) expect(now).toBeLessThanOrEqual(old + 1e-6);
};

test('study today never makes a figure worse', async () => {
  const cases = sample(14);
  const more = fc.sample(fc.oneof(fc.nat(86_400), fc.nat(10_000_000)), { numRuns: cases.length, seed: 15 });
  const before = await judge(cases);
  const after = await judge(cases.map((given, n) => studied(given, more[n] ?? 0)));
  for (const [n, { state, result: old }] of before.entries()) {
    const goal = after[n];
    if (goal === undefined) throw new Error('a case is missing');
    if (rank[state] < 6) expect(rank[goal.state]).toBeGreaterThanOrEqual(rank[state]);
    notMore(({ remaining }) => remaining, old, goal.result);
    if (state !== 'not_started') notMore(({ behind }) => behind, old, goal.result);
    notMore(({ required_per_day }) => required_per_day, old, goal.result);
    notMore(({ today_required }) => today_required, old, goal.result);
    notMore(({ pace_28d }) => -pace_28d, old, goal.result);
    notMore(({ safe_days }) => safe_days && -safe_days, old, goal.result);
    notMore(({ projected_completion }) => projected_completion, old, goal.result);
  }
});

test('a day without study never makes the state better', async () => {
  const cases = sample(16);
  const now = await judge(cases);
  const next = await judge(cases.map((given) => ({ ...given, today: today + 1 })));
  for (const [n, { state }] of now.entries()) expect(rank[next[n]?.state ?? 'done']).toBeLessThanOrEqual(rank[state]);
});

test('slower than required is never on track', async () => {
  for (const { state, result } of await judge(sample(17))) {
    if (state !== 'on_track' && state !== 'ahead') continue;
    if (result.days_left !== null) expect(result.pace).toBeGreaterThanOrEqual(result.required_per_day - 1e-6);
  }
});
