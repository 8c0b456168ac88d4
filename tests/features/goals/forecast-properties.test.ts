import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, t } from '../../../src/db/sql/sql.ts';
import { query } from '../../../src/db/sql/statement.ts';
import {
  type Forecast,
  type ForecastInput,
  forecast,
  type GoalState,
  goalState,
  goalStates,
} from '../../../src/features/goals/forecast.ts';
import { daysNeeded, stateOfGoal } from '../../../src/features/goals/goal-sql.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const today = 20_500;
/** The full range of the columns, and often close values to hit the edge cases. */
const seconds = (max: number) => fc.oneof(fc.nat(max), fc.nat(20_000), fc.constant(0));
const day = fc.oneof(fc.integer({ min: 10_957, max: 84_004 }), fc.integer({ min: today - 40, max: today + 40 }));
const facts: fc.Arbitrary<ForecastInput> = fc
  .record({
    status: fc.constantFrom('active', 'completed', 'paused'),
    target_seconds: seconds(10_000_000).map((hundredths) => hundredths * 36),
    current_seconds: seconds(500_000_000),
    pace_seconds: seconds(2_400_000),
    pace_days: fc.integer({ min: 7, max: 28 }),
    due_day: fc.option(day),
    today: fc.constant(today),
    weekly_goal_seconds: fc.option(fc.integer({ min: 36, max: 36_000_000 })),
    days_left_in_week: fc.integer({ min: 1, max: 7 }),
    today_seconds: seconds(86_400),
    week_seconds: seconds(600_000),
    last_7_days: seconds(600_000),
    last_28_days: seconds(2_400_000),
  })
  // Today's seconds are part of all the other totals.
  .map((given) => ({
    ...given,
    current_seconds: given.current_seconds + given.today_seconds,
    week_seconds: given.week_seconds + given.today_seconds,
    last_7_days: given.last_7_days + given.today_seconds,
    last_28_days: given.last_28_days + given.today_seconds,
    pace_seconds: given.pace_seconds + given.today_seconds,
  }));

const studied = (given: ForecastInput, more: number): ForecastInput => ({
  ...given,
  current_seconds: given.current_seconds + more,
  today_seconds: given.today_seconds + more,
  week_seconds: given.week_seconds + more,
  last_7_days: given.last_7_days + more,
  last_28_days: given.last_28_days + more,
  pace_seconds: given.pace_seconds + more,
});

test('every figure is finite and at least 0, and null only where it has no meaning', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { state, days_left, safe_days, projected_completion, ...figures } = forecast(given);
      expect(goalStates).toContain(state);
      for (const figure of Object.values(figures)) {
        expect(Number.isFinite(figure)).toBe(true);
        expect(figure).toBeGreaterThanOrEqual(0);
      }
      for (const figure of [days_left, safe_days, projected_completion]) {
        if (figure !== null) expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
      }
      expect(days_left === null).toBe(given.due_day === null);
      if (projected_completion !== null) expect(projected_completion).toBeGreaterThanOrEqual(today);
      if (safe_days !== null) expect(safe_days).toBeLessThanOrEqual(days_left ?? 0);
    }),
    { numRuns: 5000 },
  );
});

const rank: Record<GoalState, number> = {
  overdue: 0,
  behind: 1,
  on_track: 2,
  ahead: 3,
  done: 4,
  paused: 5,
  no_target: 5,
};
const notMore = (of: (forecast: Forecast) => number | null) => (before: Forecast, after: Forecast) => {
  const [old, now] = [of(before), of(after)];
  if (old !== null && now !== null) expect(now).toBeLessThanOrEqual(old + 1e-6);
};

test('study today never makes a figure worse', () => {
  fc.assert(
    fc.property(facts, fc.oneof(fc.nat(86_400), fc.nat(10_000_000)), (given, more) => {
      const [before, after] = [forecast(given), forecast(studied(given, more))];
      if (rank[before.state] < 5) expect(rank[after.state]).toBeGreaterThanOrEqual(rank[before.state]);
      notMore(({ remaining }) => remaining)(before, after);
      notMore(({ required_per_day }) => required_per_day)(before, after);
      notMore(({ today_required }) => today_required)(before, after);
      notMore(({ pace_7d }) => -pace_7d)(before, after);
      notMore(({ pace_28d }) => -pace_28d)(before, after);
      notMore(({ safe_days }) => safe_days && -safe_days)(before, after);
      notMore(({ projected_completion }) => projected_completion)(before, after);
    }),
    { numRuns: 5000 },
  );
});

test('a day without study never makes the state better', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const next = goalState({ ...given, today: today + 1 });
      expect(rank[next]).toBeLessThanOrEqual(rank[goalState(given)]);
    }),
    { numRuns: 5000 },
  );
});

test('studying today’s share leaves tomorrow’s share unchanged', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const plain = { ...given, weekly_goal_seconds: null, status: 'active' as const };
      const now = forecast(plain);
      fc.pre(now.today_required > 0 && (now.days_left ?? 0) > 1);
      const done = studied(plain, now.today_required);
      const tomorrow = forecast({ ...done, today: today + 1, today_seconds: 0 });
      expect(tomorrow.required_per_day).toBeCloseTo((now.remaining + plain.today_seconds) / (now.days_left ?? 1), 4);
    }),
  );
});

test('behind is later than the due date, or slower than required', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { state, pace, required_per_day, projected_completion, days_left } = forecast(given);
      fc.pre(['behind', 'on_track', 'ahead'].includes(state) && days_left !== null);
      expect(state === 'behind').toBe(pace === 0 || pace < required_per_day - 1e-9);
      if (projected_completion === null || given.due_day === null) return;
      expect(state === 'behind').toBe(projected_completion > given.due_day);
      expect(state === 'ahead').toBe((given.due_day - projected_completion) * 10 >= (days_left ?? 0));
    }),
    { numRuns: 5000 },
  );
});

test('the state in SQL is the same', async () => {
  const cases = fc.sample(facts, { numRuns: 4000, seed: 11 });
  const read = query(
    'read_goal_states',
    { state: t.oneOf(goalStates) },
    (given: string) => sql`
      SELECT ${stateOfGoal} AS state
      FROM jsonb_to_recordset(${t.text(given)}::jsonb) AS p (n integer, status text, target_seconds bigint,
        current_seconds bigint, pace_seconds bigint, pace_days integer, due_day integer, today integer)
      CROSS JOIN LATERAL (SELECT p.target_seconds, p.current_seconds, p.pace_seconds, p.pace_days,
        p.due_day - p.today + 1 AS days_left) AS figures
      CROSS JOIN LATERAL (SELECT figures.*, ${daysNeeded} AS days_needed) AS goal
      ORDER BY p.n`,
  );
  const rows = await app.database.many(read(JSON.stringify(cases.map((given, n) => ({ n, ...given })))));
  const expected = cases.map(goalState);
  expect(rows.map(({ state }) => state)).toEqual(expected);
  expect(new Set(expected)).toEqual(new Set(goalStates));
});
