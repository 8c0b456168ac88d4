import type { z } from 'zod';
import { hoursOf } from '../study-sessions/session-times.ts';
import { forecast } from './forecast.ts';
import type { GoalRow } from './goal-read-model.ts';
import type { forecast as schema } from './goal-schemas.ts';

const millisecondsPerDay = 86_400_000;
const dayNumber = (date: string): number => Date.parse(date) / millisecondsPerDay;
const dateOf = (day: number): string => new Date(day * millisecondsPerDay).toISOString().slice(0, 10);

export function toForecastResponse(row: GoalRow): z.input<typeof schema> {
  const { plan_day, due_day, today, first_day, ...input } = row;
  const result = forecast({
    ...input,
    plan_day: dayNumber(plan_day),
    due_day: due_day === null ? null : dayNumber(due_day),
    today: dayNumber(today),
    first_day: dayNumber(first_day),
  });
  return {
    state: result.state,
    remaining_hours: hoursOf(result.remaining),
    days_left: result.days_left,
    required_hours_per_day: hoursOf(result.required_per_day),
    pace_7d: hoursOf(result.pace_7d),
    pace_28d: hoursOf(result.pace_28d),
    projected_completion: result.projected_completion === null ? null : dateOf(result.projected_completion),
    safe_days: result.safe_days,
    today_required_hours: hoursOf(result.today_required),
  };
}
