import type { z } from 'zod';
import { hoursOf } from '../study-sessions/session-times.ts';
import { forecast } from './forecast.ts';
import type { GoalRow } from './goal-read-model.ts';
import type { forecast as schema } from './goal-schemas.ts';

const millisecondsPerDay = 86_400_000;
const dayNumber = (date: string): number => Date.parse(date) / millisecondsPerDay;
const dateOf = (day: number): string => new Date(day * millisecondsPerDay).toISOString().slice(0, 10);

export function toForecastResponse(row: GoalRow): z.input<typeof schema> {
  const { plan_day, due_day, today, first_day, ...facts } = row;
  const found = forecast({
    ...facts,
    plan_day: dayNumber(plan_day),
    due_day: due_day === null ? null : dayNumber(due_day),
    today: dayNumber(today),
    first_day: dayNumber(first_day),
  });
  return {
    state: found.state,
    remaining_hours: hoursOf(found.remaining),
    days_left: found.days_left,
    required_hours_per_day: hoursOf(found.required_per_day),
    pace_7d: hoursOf(found.pace_7d),
    pace_28d: hoursOf(found.pace_28d),
    projected_completion: found.projected_completion === null ? null : dateOf(found.projected_completion),
    safe_days: found.safe_days,
    today_required_hours: hoursOf(found.today_required),
  };
}
