import { z } from 'zod';
import { targetScopes } from '../projects/project-schemas.ts';
import { dateOf, dayOfDate, firstDayOfWeek, secondsBetween } from '../statistics/study-figures.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import { forecast, goalStates } from './forecast.ts';
import type { GoalRow } from './goal-read-model.ts';

const hours = z.number().min(0).meta({ example: 1.5 });

export const forecastResponse = z
  .object({
    state: z.enum(goalStates).meta({
      description:
        '`behind`: at `pace_hours_per_day` the target is reached after the due date, or there was no study; `ahead`: at least a tenth of the days left before it; else `on_track`. `overdue`: the due date has passed. Without a due date, an open target is `on_track`.',
      example: 'on_track',
    }),
    target_scope: z.enum(targetScopes),
    hours_of: z.enum(['caller', 'all', 'average']).meta({
      description:
        "Whose hours these are. `caller`: the target is the caller's own goal. `all`: all users count towards one target. `average`: each assigned user is to reach the target, and this is their mean.",
      example: 'caller',
    }),
    began_on: z.iso.date().meta({
      description:
        'The day from which an even pace to the due date counts: that of the creation, or of the first record of these hours, if that is earlier.',
      example: '2026-01-12',
    }),
    remaining_hours: hours.meta({ description: 'Hours left to the target.', example: 27.5 }),
    days_left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Days to the due date, including today; 0 after it, null without one.', example: 55 }),
    required_hours_per_day: hours.meta({
      description: 'Remaining hours divided by days left; without a due date, a seventh of the weekly goal.',
      example: 0.5,
    }),
    pace_hours_per_day: hours.meta({
      description: 'Hours per day over the last `pace_days`, on which the projection is based.',
      example: 0.6,
    }),
    pace_days: z.int().min(7).max(28).meta({
      description: '28, or the days since the plan or the study of these days began, but at least 7.',
      example: 28,
    }),
    pace_7d: hours.meta({ description: 'Hours per day over the last 7 days.', example: 0.75 }),
    pace_28d: hours.meta({ description: 'Hours per day over the last 28 days.', example: 0.6 }),
    projected_completion: z.iso.date().nullable().meta({
      description:
        'The day on which the target is reached at `pace_hours_per_day`. Null without study in these days, or if nothing remains or the project is paused.',
      example: '2026-03-19',
    }),
    safe_days: z.int().min(0).nullable().meta({
      description:
        'How many days may pass without study before the target is reached too late at this pace. Null without an open plan.',
      example: 0,
    }),
    today_required_hours: hours.meta({
      description:
        "The rest of today's even share towards the due date or the weekly goal, whichever is larger. 0 if paused or done.",
      example: 0.25,
    }),
  })
  .meta({ id: 'Forecast' });

export function toForecastResponse(row: GoalRow): z.input<typeof forecastResponse> {
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
    began_on: row.began_on,
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
