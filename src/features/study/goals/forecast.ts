import { type DayRanges, daysOn, lastOfDaysOn } from '../calendar/day-kinds.ts';
import type { GoalState } from './goal-states.ts';

export const todayReasons = ['due_date', 'weekly_goal'] as const;
type TodayReason = (typeof todayReasons)[number];

/** A judged goal; times in seconds, days as numbers, `days_left` and `days_needed` including today and without days off. */
export type ForecastInput = {
  state: GoalState;
  target_seconds: number;
  current_seconds: number;
  /** What an even pace has today; null without a due date or weekly goal. */
  even_seconds: number | null;
  /** Studied in the last `pace_days`. */
  pace_seconds: number;
  pace_days: number;
  days_left: number | null;
  /** At this pace; null without any. */
  days_needed: number | null;
  today: number;
  weekly_goal_seconds: number | null;
  /** Days off: nothing is asked of them. */
  off: DayRanges;
  week_began: number;
  today_seconds: number;
  week_seconds: number;
  last_7_days: number;
  last_28_days: number;
};

export type Forecast = {
  remaining: number;
  behind: number;
  days_left: number | null;
  required_per_day: number;
  pace: number;
  pace_7d: number;
  pace_28d: number;
  projected_completion: number | null;
  safe_days: number | null;
  today_required: number;
  today_reason: TodayReason | null;
};

/** Later completions are not reported. */
const maxDays = 36_500;

/** The figures that follow from a judged goal. */
export function forecast(input: ForecastInput): Forecast {
  const { state, target_seconds, current_seconds, even_seconds, days_left } = input;
  const remaining = state === 'done' ? 0 : Math.max(0, target_seconds - current_seconds);
  return {
    remaining,
    behind: state === 'behind' ? Math.max(0, (even_seconds ?? 0) - current_seconds) : 0,
    days_left: days_left === null ? null : Math.max(0, days_left),
    required_per_day: requiredPerDay(input, remaining),
    pace: input.pace_seconds / input.pace_days,
    pace_7d: input.last_7_days / 7,
    pace_28d: input.last_28_days / 28,
    projected_completion: projectedCompletion(input, remaining),
    safe_days: safeDays(input),
    ...requiredToday(input, remaining),
  };
}

/** The seconds a day that reach the target on the due date; without one, a seventh of the weekly goal. */
export function requiredPerDay(
  { state, days_left, weekly_goal_seconds }: Pick<ForecastInput, 'state' | 'days_left' | 'weekly_goal_seconds'>,
  remaining: number,
): number {
  if (state === 'done') return 0;
  if (days_left !== null && remaining > 0) return remaining / Math.max(1, days_left);
  return (weekly_goal_seconds ?? 0) / 7;
}

/** The day on which the target is reached at this pace, today included. */
function projectedCompletion(
  { state, today, off, days_needed: days }: ForecastInput,
  remaining: number,
): number | null {
  if (state === 'done' || state === 'paused' || remaining === 0 || days === null || days > maxDays) return null;
  return lastOfDaysOn(off, today, days);
}

/** How many days may pass without study before the target is reached too late at this pace. */
function safeDays({ state, days_left, days_needed }: ForecastInput): number | null {
  if (days_left === null || state === 'done' || state === 'paused' || state === 'no_target') return null;
  return days_needed === null ? 0 : Math.max(0, days_left - days_needed);
}

/**
 * The larger of what remains of the even share of today: towards the due date, or towards the weekly goal. Without
 * either, of a goal that is done or paused, and on a day off, nothing is asked.
 */
function requiredToday(input: ForecastInput, remaining: number): Pick<Forecast, 'today_required' | 'today_reason'> {
  const { state, days_left, today, off, week_began, today_seconds, week_seconds, weekly_goal_seconds } = input;
  const share = (seconds: number, days: number) =>
    Math.max(0, (seconds + today_seconds) / Math.max(1, days) - today_seconds);
  const shares: [TodayReason, number][] = [];
  if (state !== 'done' && state !== 'paused' && daysOn(off, today, today) > 0) {
    if (days_left !== null && remaining > 0) shares.push(['due_date', share(remaining, days_left)]);
    if (weekly_goal_seconds !== null) {
      const ofWeek = (weekly_goal_seconds * daysOn(off, week_began, week_began + 6)) / 7;
      shares.push(['weekly_goal', share(Math.max(0, ofWeek - week_seconds), daysOn(off, today, week_began + 6))]);
    }
  }
  const [largest] = shares.sort(([, a], [, b]) => b - a);
  return { today_required: largest?.[1] ?? 0, today_reason: largest?.[0] ?? null };
}
