export const goalStates = ['no_target', 'done', 'ahead', 'on_track', 'behind', 'overdue', 'paused'] as const;
export type GoalState = (typeof goalStates)[number];

/** The pace is the mean of the last four weeks, or since a younger plan or study began, but at least of a week. */
export const longestPace = 28;
export const shortestPace = 7;

/** A project and the pace of study. Days as numbers. */
export type Goal = {
  status: 'active' | 'completed' | 'paused';
  target_seconds: number;
  current_seconds: number;
  /** Studied in the last `pace_days`. */
  pace_seconds: number;
  pace_days: number;
  due_day: number | null;
  today: number;
};

/** Including today and the last day; 0 after it. */
const daysUntil = (day: number, today: number): number => Math.max(0, day - today + 1);

/** The days of study up to the target at this pace, from today on; null without any pace. */
function daysNeeded({ target_seconds, current_seconds, pace_seconds, pace_days }: Goal): number | null {
  if (pace_seconds <= 0) return null;
  return Math.ceil((Math.max(0, target_seconds - current_seconds) * pace_days) / pace_seconds);
}

/** Behind if the target is reached after the due date at this pace; ahead if a tenth of the days left would be left over. */
export function goalState(goal: Goal): GoalState {
  const { status, target_seconds, current_seconds, due_day, today } = goal;
  if (status === 'completed' || (target_seconds > 0 && current_seconds >= target_seconds)) return 'done';
  if (status === 'paused') return 'paused';
  if (target_seconds === 0) return 'no_target';
  if (due_day === null) return 'on_track';
  if (due_day < today) return 'overdue';
  const [left, needed] = [daysUntil(due_day, today), daysNeeded(goal)];
  if (needed === null || needed > left) return 'behind';
  return (left - needed) * 10 >= left ? 'ahead' : 'on_track';
}

/** The input of a forecast; times in seconds, days as numbers. */
export type ForecastInput = Goal & {
  weekly_goal_seconds: number | null;
  /** Including today, like the sums below. */
  days_left_in_week: number;
  today_seconds: number;
  week_seconds: number;
  last_7_days: number;
  last_28_days: number;
};

export type Forecast = {
  state: GoalState;
  remaining: number;
  days_left: number | null;
  required_per_day: number;
  pace: number;
  pace_7d: number;
  pace_28d: number;
  projected_completion: number | null;
  safe_days: number | null;
  today_required: number;
};

/** Later completions are not reported. */
const maxDays = 36_500;

export function forecast(input: ForecastInput): Forecast {
  const state = goalState(input);
  const { target_seconds, current_seconds, due_day, today } = input;
  const remaining = state === 'done' ? 0 : Math.max(0, target_seconds - current_seconds);
  return {
    state,
    remaining,
    days_left: due_day === null ? null : daysUntil(due_day, today),
    required_per_day: requiredPerDay(input, state, remaining),
    pace: input.pace_seconds / input.pace_days,
    pace_7d: input.last_7_days / 7,
    pace_28d: input.last_28_days / 28,
    projected_completion: projectedCompletion(input, state, remaining),
    safe_days: safeDays(input, state),
    today_required: state === 'done' || state === 'paused' ? 0 : requiredToday(input, remaining),
  };
}

function requiredPerDay(
  { due_day, today, weekly_goal_seconds }: ForecastInput,
  state: GoalState,
  remaining: number,
): number {
  if (state === 'done') return 0;
  if (due_day !== null && remaining > 0) return remaining / Math.max(1, daysUntil(due_day, today));
  return (weekly_goal_seconds ?? 0) / 7;
}

/** The day on which the target is reached at this pace, today included. */
function projectedCompletion(input: ForecastInput, state: GoalState, remaining: number): number | null {
  const days = daysNeeded(input);
  if (state === 'done' || state === 'paused' || remaining === 0 || days === null || days > maxDays) return null;
  return input.today + days - 1;
}

/** How many days may pass without study before the target is reached too late at this pace. */
function safeDays(input: ForecastInput, state: GoalState): number | null {
  const { due_day, today } = input;
  if (due_day === null || state === 'done' || state === 'paused' || state === 'no_target') return null;
  const [left, needed] = [daysUntil(due_day, today), daysNeeded(input)];
  return needed === null ? 0 : Math.max(0, left - needed);
}

/** The larger of what remains of the even share of today: towards the due date, or towards the weekly goal. */
function requiredToday(input: ForecastInput, remaining: number): number {
  const { due_day, today, today_seconds, week_seconds, weekly_goal_seconds, days_left_in_week } = input;
  const share = (seconds: number, days: number) => (seconds + today_seconds) / Math.max(1, days) - today_seconds;
  const ofTarget = due_day === null || remaining === 0 ? 0 : share(remaining, daysUntil(due_day, today));
  const ofWeek =
    weekly_goal_seconds === null ? 0 : share(Math.max(0, weekly_goal_seconds - week_seconds), days_left_in_week);
  return Math.max(0, ofTarget, ofWeek);
}
