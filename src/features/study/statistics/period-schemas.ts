import { z } from 'zod';
import type { Moment } from '../../../db/periods.ts';
import { id, issue } from '../../../http/fields.ts';
import { moment } from '../../../http/time-fields.ts';
import { projectCategories } from '../project-access/project-values.ts';

/** As many days as statistics without a period show. */
export const maxPeriodDays = 371;

export const periodQuery = {
  from: moment
    .optional()
    .meta({ description: 'The first local day of a period, to which totals and lists are limited, or a time on it.' }),
  to: moment.optional().meta({
    description: `The last day, which is included, by default today; at most ${maxPeriodDays} days in all. A time is not included: the last day is that of the moment before.`,
  }),
  compare: z
    .enum(['previous'])
    .optional()
    .meta({ description: '`previous`: adds the totals of the period of the same length before.' }),
  other_from: moment.optional().meta({
    description: 'The first day of another period to compare it with, in the same calendar, or a time on it.',
  }),
  other_to: moment.optional().meta({ description: 'Its last day, which is included. A time is not included.' }),
};

type Name = 'from' | 'to' | 'other_from' | 'other_to';
type PeriodInput = { [End in Name]?: Moment | undefined } & { compare?: string | undefined };

/** The length is checked when the days are known. */
export function requireFrom(given: PeriodInput, context: z.RefinementCtx): void {
  const demand = (name: Name, ...others: (keyof PeriodInput)[]) => {
    if (given[name] === undefined && others.some((other) => given[other] !== undefined))
      context.addIssue({ code: 'custom', path: [name], message: 'required' });
  };
  demand('from', 'to', 'compare', 'other_from', 'other_to');
  demand('other_from', 'other_to');
  demand('other_to', 'other_from');
  if (given.compare !== undefined && given.other_from !== undefined)
    context.addIssue({ ...issue('not_combined', { other: 'other_from' }), path: ['compare'] });
}

const hours = z.number().min(0).meta({ example: 1.5 });
const count = z.int().min(0).meta({ example: 5 });
const date = z.iso.date().meta({ example: '2026-02-01' });

const periodTotals = {
  from: date,
  to: date,
  total_sessions: count,
  total_hours: hours,
  study_days: count,
  average_hours_per_day: hours.meta({ description: 'Without days to come.', example: 0.5 }),
};

const lengths = {
  days: count.meta({ description: 'The days that count, those to come left out.', example: 7 }),
  school_days: count.meta({ description: 'Those of them with lessons, without excused days.', example: 5 }),
};
const samePart =
  'With `compare` or `other_from`, the other period; otherwise null. While the first one is not over, the same part of it counts: up to the same time on the same day, by the clock of the calendar.';
const previous = z.object({ ...periodTotals, ...lengths }).nullable();

export const periodFields = {
  ...periodTotals,
  ...lengths,
  is_running: z.boolean(),
  average_session_length: hours,
  longest_session: hours,
  shortest_session: hours,
  weekly_progress: z.array(z.object({ week: z.string(), hours })),
  daily: z.array(z.object({ date, hours })),
  previous,
};

const projectHours = z.object({
  project_id: id,
  project_name: z.string().meta({ example: 'Linear algebra' }),
  hours,
});

/** A project in a list of those with the most hours. */
export const listedProject = projectHours.extend({
  category: z.enum(projectCategories),
  color: z.int().min(1).max(12).meta({ example: 6 }),
});

const personalPrevious = z.object({ ...periodTotals, ...lengths, by_project: z.array(listedProject) }).nullable();

export const personalPeriodFields = {
  ...periodFields,
  previous: personalPrevious,
  by_category: z.array(z.object({ category: z.enum(projectCategories), hours })),
  by_project: z.array(listedProject),
  by_tag: z.array(
    z.object({ tag: z.string().meta({ example: 'mock exam' }), hours, previous_hours: hours.nullable() }),
  ),
  tagged_hours: hours,
  untagged_hours: hours,
  weekly: z.array(z.object({ first_day: date, hours, by_project: z.array(projectHours) })),
  by_hour: z.array(
    z.object({
      weekday: z.int().min(1).max(7).meta({ description: 'Of the day of study, from 1 for Monday.' }),
      hour: z.int().min(0).max(23).meta({ description: 'The local hour.' }),
      hours,
    }),
  ),
};

/** What responses have in addition if a period was requested. */
export const addedByPeriod = {
  from: date.optional().meta({ description: 'With `from`: the period of totals and lists.' }),
  to: date.optional(),
  average_hours_per_day: periodTotals.average_hours_per_day.optional(),
  days: lengths.days.optional(),
  school_days: lengths.school_days.optional(),
  is_running: z.boolean().optional().meta({ description: 'With `from`: whether the period is not over.' }),
  previous: previous.optional().meta({ description: samePart }),
};
export const addedByPersonalPeriod = {
  ...addedByPeriod,
  previous: personalPrevious.optional().meta({ description: samePart }),
  by_tag: personalPeriodFields.by_tag.optional().meta({
    description:
      'With `from`: the most hours first. A record with several tags counts for each of them, so that the sum may exceed `tagged_hours`; `previous_hours` are those of `previous`.',
  }),
  tagged_hours: hours.optional().meta({ description: 'With `from`: of records with tags.' }),
  untagged_hours: hours.optional().meta({ description: 'With `from`: of records without tags.' }),
  weekly: personalPeriodFields.weekly
    .optional()
    .meta({ description: "With `from`: weeks by the user's preference, with the projects of `by_project`." }),
  by_hour: personalPeriodFields.by_hour
    .optional()
    .meta({ description: 'With `from`: hours with study, by weekday and local hour.' }),
};
