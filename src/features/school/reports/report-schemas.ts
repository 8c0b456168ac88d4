import { z } from 'zod';
import { idText, linkToken, pageQuery } from '../../../http/fields.ts';
import { instant, moment } from '../../../http/time-fields.ts';
import { goalState } from '../../study/goals/goal-states.ts';

const hours = z.number().min(0).meta({ example: 12.5 });
const count = z.int().min(0).meta({ example: 12 });
export const date = z.iso.date().meta({ example: '2026-02-01' });

const period = {
  from: moment.meta({ description: 'The first local day of the student, or a time on it.', example: '2026-01-01' }),
  to: moment.meta({
    description:
      'The last day, which is included; at most 371 days in all. A time is not included: the last day is that of the moment before.',
    example: '2026-01-31',
  }),
};

export const reportQuery = z.object(period);

const reportProject = z.object({
  name: z.string().meta({ example: 'Linear algebra' }),
  hours: hours.meta({ description: 'In the period.' }),
  total_hours: hours.meta({ description: 'Of all time.' }),
  target_hours: z.number().min(0).nullable().meta({ description: 'Null without a target.', example: 40 }),
  is_shared_target: z.boolean().meta({ description: 'Whether the target is that of all users together.' }),
  progress: z.number().min(0).max(100).nullable().meta({
    description:
      'In percent of the target, 100 only if it is reached; null without a target, and for one of all users.',
    example: 31.25,
  }),
  due_date: date.nullable(),
  state: goalState.nullable().meta({
    description: 'Of the goal today, whatever the period; null if the student is not to reach a target alone.',
  }),
});

export const report = z
  .object({
    display_name: z.string().meta({ example: 'Lin' }),
    groups: z
      .array(z.string())
      .meta({ description: 'For administrators; empty for the student.', example: ['Class 3b'] }),
    from: date,
    to: date,
    days: count.meta({ description: 'The length of the period.' }),
    total_hours: hours,
    hours_per_week: hours,
    study_days: count,
    is_running: z.boolean().meta({ description: 'Whether the period is not over.' }),
    school_days: count.meta({ description: 'Days with lessons, those to come and excused ones left out.' }),
    previous_hours: hours.meta({
      description: 'In the period of the same length before; while the period is not over, in the same part of it.',
    }),
    previous_school_days: count.meta({ description: 'Days with lessons in that part, without excused ones.' }),
    projects: z
      .array(reportProject)
      .meta({ description: 'At most 12: those with the most hours in the period, then other active ones.' }),
    more_projects: count.meta({ description: 'Projects that are not listed.' }),
    weekly: z
      .array(z.object({ first_day: date, hours }))
      .meta({ description: 'The weeks of the period, by the preference of the student.' }),
  })
  .meta({ id: 'StudentReport' });
export type ReportData = z.input<typeof report>;

export const createLinkBody = z
  .object({
    ...period,
    expires_at: instant.meta({
      description: 'When it expires; at most a year from now.',
      example: '2026-06-01T08:00:00Z',
    }),
  })
  .meta({ example: { from: '2026-01-01', to: '2026-01-31', expires_at: '2026-06-01T08:00:00Z' } });
export type NewReportLink = z.output<typeof createLinkBody>;

export const listLinksQuery = z.object({
  ...pageQuery,
  user_id: idText.optional().meta({ description: 'Links to the reports of this student.' }),
});
export type ListLinksQuery = z.output<typeof listLinksQuery>;

export const sharedReportBody = z.object({ token: linkToken('The fragment of the link.') });
