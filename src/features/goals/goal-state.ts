export const goalStates = ['no_target', 'done', 'ahead', 'on_track', 'behind', 'overdue', 'paused'] as const;
export type GoalState = (typeof goalStates)[number];

/**
 * A project and its plan: an even pace from `plan_seconds` on `plan_day` to the target on `due_day`. Days as numbers.
 */
export type Plan = {
  status: 'active' | 'completed' | 'paused';
  target_seconds: number;
  current_seconds: number;
  plan_seconds: number;
  plan_day: number;
  due_day: number | null;
  today: number;
};

export function goalState(plan: Plan): GoalState {
  const { status, target_seconds, current_seconds, due_day, today } = plan;
  if (status === 'completed' || (target_seconds > 0 && current_seconds >= target_seconds)) return 'done';
  if (status === 'paused') return 'paused';
  if (target_seconds === 0) return 'no_target';
  if (due_day === null) return 'on_track';
  if (due_day < today) return 'overdue';
  const lead = daysOfLead(plan, due_day);
  if (lead < 0) return 'behind';
  return lead === 0 ? 'on_track' : 'ahead';
}

/**
 * How many days of the plan are covered beyond those that have passed; today has not passed. Only for a target that
 * is not reached. Integers only, so that SQL gets the same result.
 */
export function daysOfLead({ target_seconds, current_seconds, plan_seconds, plan_day, today }: Plan, dueDay: number) {
  const base = plan_seconds < target_seconds ? plan_seconds : 0;
  const days = Math.max(1, dueDay - plan_day + 1);
  const covered = Math.floor((Math.max(0, current_seconds - base) * days) / (target_seconds - base));
  return covered - Math.max(0, today - plan_day);
}
