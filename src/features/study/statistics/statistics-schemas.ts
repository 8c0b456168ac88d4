import { z } from 'zod';
import { idText, queryFlag, queryInt } from '../../../http/fields.ts';
import { timeZone } from '../../../http/time-fields.ts';
import { projectCategories } from '../project-access/project-values.ts';
import { runningTimer } from '../timer/timer-schemas.ts';
import { addedByPeriod, addedByPersonalPeriod, listedProject, periodQuery, requireFrom } from './period-schemas.ts';

export const maxWeeks = 104;

export const statisticsQuery = z
  .object({
    ...periodQuery,
    tz: timeZone.optional().meta({ description: "The time zone of days; defaults to the caller's." }),
    weeks: queryInt({ min: 1, max: maxWeeks })
      .default(12)
      .meta({
        override: { type: 'integer', minimum: 1, maximum: maxWeeks, default: 12 },
        description: 'The maximum number of weeks in `weekly_progress`.',
      }),
    user_id: idText.optional().meta({ description: 'The statistics of this user.' }),
    daily: queryFlag.default(true).meta({ description: '`false` leaves `daily` empty: it is most of the response.' }),
  })
  .superRefine(requireFrom);
export type StatisticsQuery = z.output<typeof statisticsQuery>;

const hours = z.number().min(0).meta({ example: 1.5 });
const count = z.int().min(0).meta({ example: 5 });

export const statistics = z
  .object({
    total_sessions: count,
    total_hours: hours.meta({ example: 7.5 }),
    average_session_length: hours,
    longest_session: hours.meta({ example: 2.25 }),
    shortest_session: hours.meta({ example: 0.5 }),
    study_days: count.meta({
      description: 'Local days with study, by records of a minute or more; as for streaks.',
      example: 4,
    }),
    current_streak: count.meta({
      description:
        'Consecutive days up to today or yesterday. For an inactive project, as of the day it became inactive. Days of a pause, and days of rest without study, neither break nor extend a streak.',
      example: 2,
    }),
    longest_streak: count.meta({ example: 3 }),
    completion_rate: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: '100 if completed, otherwise the progress.', example: 31.25 }),
    weekly_progress: z
      .array(
        z.object({
          week: z
            .string()
            .regex(/^\d{4}-W\d{2}$/)
            .meta({ example: '2026-W05' }),
          hours: hours.meta({ example: 7.5 }),
        }),
      )
      .meta({ description: 'ISO weeks up to the current one, oldest first.' }),
    daily: z
      .array(z.object({ date: z.iso.date().meta({ example: '2026-02-01' }), hours }))
      .meta({ description: 'The last 371 days, or those of the period, oldest first; empty with `daily=false`.' }),
    ...addedByPeriod,
  })
  .meta({ id: 'Statistics' });

export const personalStatistics = statistics
  .extend({
    completion_rate: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Mean progress of the active projects with a target, own and assigned.', example: 31.25 }),
    today_hours: hours,
    week_hours: hours.meta({ description: 'Since the first day of the week, Monday by default.', example: 7.5 }),
    by_category: z.array(z.object({ category: z.enum(projectCategories), hours: hours.meta({ example: 7.5 }) })),
    by_project: z
      .array(listedProject)
      .meta({ description: 'The 20 projects with the most hours, including deleted ones, whose records still count.' }),
    running_timer: runningTimer,
    ...addedByPersonalPeriod,
  })
  .meta({ id: 'PersonalStatistics' });
