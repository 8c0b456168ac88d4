import { z } from 'zod';
import { id } from '../../../../http/fields.ts';
import { moment } from '../../../../http/time-fields.ts';
import { csvList, type WriteExport } from '../../../../lib/export/exporter.ts';
import { colors } from '../../../study/project-access/project-values.ts';
import { maxDays } from '../group-statistics/group-statistics-schemas.ts';

export const maxProjects = 20;

const from = moment.meta({
  description: `The first day of the period, or a time on it; at most ${maxDays} days in all.`,
});
const lastDay = 'Its last day, which is included. A time is not included: the last day is that of the moment before.';

export const comparisonQuery = z.object({
  from,
  to: moment.meta({ description: lastDay }),
  other_from: moment.meta({
    description: 'The first day of the period to compare it with, or a time on it.',
    example: '2026-01-01',
  }),
  other_to: moment.meta({ description: lastDay, example: '2026-01-31' }),
});
export type ComparisonQuery = z.output<typeof comparisonQuery>;

const date = z.iso.date().meta({ example: '2026-02-01' });
const hours = z.number().min(0).meta({ example: 3.5 });
const both = { hours, other_hours: hours };
const change = z.number().meta({ description: '`hours` minus `other_hours`.', example: -0.5 });

const byProject = z.array(
  z.object({
    project_id: id.meta({ example: 42 }),
    project_name: z.string().meta({ example: 'Linear algebra' }),
    color: z.int().min(1).max(colors).meta({ example: 6 }),
    ...both,
  }),
);
const byWeekday = z
  .array(z.object({ weekday: z.int().min(1).max(7).meta({ description: 'From 1 for Monday.' }), ...both }))
  .length(7)
  .meta({ example: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, hours: 0.5, other_hours: 0.5 })) });
const compared = z.object({
  from: date,
  to: date,
  days: z.int().min(0).meta({ description: 'Its days that are compared, in the calendar of the caller.', example: 7 }),
  school_days: z.int().min(0).meta({ description: 'Those of them with lessons of this group.', example: 5 }),
});

export const groupComparison = z
  .object({
    group: z.object({ id: id.meta({ example: 3 }), name: z.string().meta({ example: 'Class 3b' }) }),
    period: compared,
    other: compared,
    is_running: z.boolean().meta({
      description:
        'Whether the first period is not over. Then of both only the same part counts: up to the same time on the same day, in the calendar of each member.',
    }),
    total: z.object({ ...both, change }),
    median: z.object({ ...both, change }).meta({ description: 'The median of the members in each period.' }),
    by_project: byProject.meta({
      description: `Of all members, on any projects: those with the most hours in both periods, at most ${maxProjects}.`,
    }),
    by_weekday: byWeekday.meta({ description: 'Of all members.' }),
    members: z
      .array(
        z.object({
          user_id: id.meta({ example: 7 }),
          username: z.string().meta({ example: 'lin' }),
          display_name: z.string().meta({ example: 'Lin Wei' }),
          ...both,
          change,
          by_project: byProject.meta({ description: 'Of the listed projects, those with hours.' }),
          by_weekday: byWeekday,
        }),
      )
      .meta({ description: 'Active ordinary members by username, in their calendars.' }),
  })
  .meta({ id: 'GroupComparison' });
export type GroupComparison = z.input<typeof groupComparison>;

const csvColumns = ['user_id', 'username', 'display_name', 'hours', 'other_hours', 'change'] as const;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A line for each member, with the hours of each weekday. */
export const exportComparison = ({ members }: GroupComparison): WriteExport =>
  csvList<GroupComparison['members'][number]>(
    (take) => take(members),
    [...csvColumns, ...weekdays, ...weekdays.map((weekday) => `other_${weekday}`)],
    (member) => [
      ...csvColumns.map((name) => member[name]),
      ...member.by_weekday.map((weekday) => weekday.hours),
      ...member.by_weekday.map((weekday) => weekday.other_hours),
    ],
  );
