import type { z } from 'zod';
import { dateOf, dayOfDate, firstDayOfWeek, secondsBetween } from '../statistics/study-figures.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import { forecast } from './forecast.ts';
import type { GoalRow } from './goal-read-model.ts';
import type { forecast as schema } from './goal-schemas.ts';

export function toForecastResponse(row: GoalRow): z.input<typeof schema> {
  const { studied, members, due_date } = row;
  const { today } = studied;
  const firstOfWeek = firstDayOfWeek(today, studied.week_start);
  const secondsSince = (first: number) => secondsBetween(studied, first, today) / members;
  const result = forecast({
    ...row,
    due_day: due_date === null ? null : dayOfDate(due_date),
    today,
    days_left_in_week: firstOfWeek + 7 - today,
    today_seconds: secondsSince(today),
    week_seconds: secondsSince(firstOfWeek),
    last_7_days: secondsSince(today - 6),
    last_28_days: secondsSince(today - 27),
  });
  return {
    state: result.state,
    target_scope: row.target_scope,
    hours_of: row.own ? 'caller' : row.target_scope === 'each' ? 'average' : 'all',
    remaining_hours: hoursOf(result.remaining),
    days_left: result.days_left,
    required_hours_per_day: hoursOf(result.required_per_day),
    pace_hours_per_day: hoursOf(result.pace),
    pace_days: row.pace_days,
    pace_7d: hoursOf(result.pace_7d),
    pace_28d: hoursOf(result.pace_28d),
    projected_completion: result.projected_completion === null ? null : dateOf(result.projected_completion),
    safe_days: result.safe_days,
    today_required_hours: hoursOf(result.today_required),
  };
}
