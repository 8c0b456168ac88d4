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
export const daysUntil = (day: number, today: number): number => Math.max(0, day - today + 1);

/** The days of study up to the target at this pace, from today on; null without any pace. */
export function daysNeeded({ target_seconds, current_seconds, pace_seconds, pace_days }: Goal): number | null {
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
