import { daysOfLead, type GoalState, goalState, type Plan } from './goal-state.ts';

/** What a forecast is made of; all times in seconds, days as numbers. */
export type GoalFacts = Plan & {
  weekly_goal_seconds: number | null;
  /** The present day included, as in the figures below. */
  days_left_in_week: number;
  today_seconds: number;
  week_seconds: number;
  last_7_days: number;
  last_28_days: number;
  /** The project was begun or first studied on. */
  first_day: number;
};

export type Forecast = {
  state: GoalState;
  remaining: number;
  days_left: number | null;
  required_per_day: number;
  pace_7d: number;
  pace_28d: number;
  projected_completion: number | null;
  safe_days: number | null;
  today_required: number;
};

/** Nobody plans further than this. */
const furthestDays = 36_500;

export function forecast(facts: GoalFacts): Forecast {
  const state = goalState(facts);
  const { target_seconds, current_seconds, due_day, today } = facts;
  const remaining = state === 'done' ? 0 : Math.max(0, target_seconds - current_seconds);
  return {
    state,
    remaining,
    days_left: due_day === null ? null : daysUntil(due_day, today),
    required_per_day: requiredPerDay(facts, state, remaining),
    pace_7d: facts.last_7_days / 7,
    pace_28d: facts.last_28_days / 28,
    projected_completion: projectedCompletion(facts, state, remaining),
    safe_days: safeDays(facts, state),
    today_required: state === 'done' || state === 'paused' ? 0 : requiredToday(facts, remaining),
  };
}

/** The present day and the last one count. */
const daysUntil = (day: number, today: number): number => Math.max(0, day - today + 1);

function requiredPerDay(
  { due_day, today, weekly_goal_seconds }: GoalFacts,
  state: GoalState,
  remaining: number,
): number {
  if (state === 'done') return 0;
  if (due_day !== null && remaining > 0) return remaining / Math.max(1, daysUntil(due_day, today));
  return (weekly_goal_seconds ?? 0) / 7;
}

/** At the pace of the last 28 days, or since the first day if the project is younger. */
function projectedCompletion({ last_28_days, first_day, today }: GoalFacts, state: GoalState, remaining: number) {
  if (state === 'done' || state === 'paused' || remaining === 0 || last_28_days <= 0) return null;
  const span = Math.min(28, Math.max(1, today - first_day + 1));
  const days = Math.ceil((remaining * span) / last_28_days);
  return days > furthestDays ? null : today + days;
}

/** How many days, from the present one on, may pass without study before the project is behind its plan. */
function safeDays(facts: GoalFacts, state: GoalState): number | null {
  const { due_day, today } = facts;
  if (due_day === null || state === 'done' || state === 'paused' || state === 'no_target') return null;
  return Math.min(Math.max(0, daysOfLead(facts, due_day)), daysUntil(due_day, today));
}

/** What is left of the day's even share, of the way to the due date and of the weekly goal; the larger one. */
function requiredToday(facts: GoalFacts, remaining: number): number {
  const { due_day, today, today_seconds, week_seconds, weekly_goal_seconds, days_left_in_week } = facts;
  const share = (seconds: number, days: number) => (seconds + today_seconds) / Math.max(1, days) - today_seconds;
  const ofTarget = due_day === null || remaining === 0 ? 0 : share(remaining, daysUntil(due_day, today));
  const ofWeek =
    weekly_goal_seconds === null ? 0 : share(Math.max(0, weekly_goal_seconds - week_seconds), days_left_in_week);
  return Math.max(0, ofTarget, ofWeek);
}
