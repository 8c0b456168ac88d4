import { z } from 'zod';
import { flag, id } from '../../../http/fields.ts';
import { goalState } from '../../study/goals/goal-states.ts';
import { hoursOf } from '../../study/study-sessions/session-times.ts';
import type { Effect } from './effect.ts';

/** Of the lists of a preview; the numbers are those of all. */
const maxListed = 100;

export const dryRunQuery = z.object({
  dry_run: flag('false', 'With `true`, nothing is saved; the response says what would change.'),
});

const whole = z.int().min(0);
const person = {
  user_id: id.meta({ example: 12 }),
  display_name: z.string().meta({ example: 'Ava Johnson' }),
};
const streak = z.object({
  ...person,
  before: whole.meta({ description: 'Days of the current streak.', example: 3 }),
  after: whole.meta({ example: 5 }),
  week: z
    .array(
      z.object({
        date: z.iso.date().meta({ example: '2026-10-29' }),
        streak: whole.nullable().meta({
          description: 'Days of the current streak up to this one; null if the day is no part of it.',
          example: 12,
        }),
        off: z.boolean().meta({ description: 'Whether the day is off or excused.' }),
      }),
    )
    .length(7)
    .meta({ description: 'The week of the last day that the change makes another one, as it then is.' }),
});
const goal = z.object({
  ...person,
  project_id: id.meta({ example: 4 }),
  project_name: z.string().meta({ example: 'Algebra' }),
  state: z.object({ before: goalState, after: goalState }),
  minutes: z
    .object({ before: whole.meta({ example: 38 }), after: whole.meta({ example: 50 }) })
    .meta({ description: 'What is required a day, in minutes.' }),
});

export const effect = z
  .object({
    students: whole.meta({ description: 'Active students to whom these days apply.', example: 92 }),
    quiet_students: whole.meta({
      description: 'Of them, those who get no reminders any more on some of these days, from their today on.',
      example: 92,
    }),
    recorded_hours: z.number().min(0).meta({
      description: 'Hours already recorded on days that become days off. They stay as they are.',
      example: 23.5,
    }),
    streaks_count: whole.meta({ description: 'Students whose current streak changes.', example: 17 }),
    streaks: z.array(streak).meta({ description: `The ${maxListed} largest changes first.` }),
    goals_count: whole.meta({ description: 'Goals whose state or minutes a day change.', example: 4 }),
    goals: z.array(goal).meta({ description: `The ${maxListed} largest changes first.` }),
  })
  .meta({ id: 'EffectOfDays' });

export const toEffectResponse = ({ students, quiet, seconds, streaks, goals }: Effect): z.input<typeof effect> => ({
  students,
  quiet_students: quiet,
  recorded_hours: hoursOf(seconds),
  streaks_count: streaks.length,
  streaks: streaks.slice(0, maxListed),
  goals_count: goals.length,
  goals: goals.slice(0, maxListed),
});

/** The response of a dry run. */
export const toPreviewResponse = (found: Effect) => ({
  data: toEffectResponse(found),
  status: 200,
  message: { key: 'nothing_saved' } as const,
});
