import { z } from 'zod';
import { id, pageQuery, pagination, queryInt } from '../../../../http/fields.ts';
import { moment } from '../../../../http/time-fields.ts';
import { goalState } from '../../../study/goals/goal-states.ts';
import { colors, projectStatuses, targetScopes } from '../../../study/project-access/project-values.ts';
import { maxPeriodDays } from '../../../study/statistics/period-schemas.ts';
import { weeksShown } from '../progress-schemas.ts';

/** A term of the school fits. */
export const maxDays = maxPeriodDays;
export const maxProjects = 20;
const maxMembers = 100;

export const groupStatisticsQuery = z.object({
  from: moment.optional().meta({
    description: `The first day, or a time on it, by default that of the week eleven weeks before the last one; at most ${maxDays} days in all.`,
  }),
  to: moment.optional().meta({
    description:
      "The last day, which is included, by default the caller's current day. A time is not included: the last day is that of the moment before.",
  }),
  page: pageQuery.page.meta({ description: 'Page of `members`, from 1.' }),
  limit: queryInt({ min: 1, max: maxMembers })
    .default(maxMembers)
    .meta({
      override: { type: 'integer', minimum: 1, maximum: maxMembers, default: maxMembers },
      description: 'Members per page.',
    }),
});
export type GroupStatisticsQuery = z.output<typeof groupStatisticsQuery>;

const hours = z.number().min(0).meta({ example: 3.5 });
const count = z.int().min(0).meta({ example: 12 });
const date = z.iso.date().meta({ example: '2026-02-01' });
const middle = { lower_quartile: hours, median: hours, upper_quartile: hours };

const member = z
  .object({
    user_id: id.meta({ example: 7 }),
    username: z.string().meta({ example: 'lin' }),
    display_name: z.string().meta({ example: 'Lin Wei' }),
    total_hours: hours,
    study_days: count,
    daily: z.array(hours).meta({
      description: 'Hours per day from `from` to `to`, in the calendar of the member: those of their statistics.',
      example: [0, 1.5, 2],
    }),
    excused: z
      .array(z.object({ from: date, to: date }))
      .meta({ description: 'Days of the period on which the member is excused, as ranges in their order.' }),
  })
  .meta({ id: 'GroupMemberDays' });

const project = z
  .object({
    project_id: id.meta({ example: 42 }),
    project_name: z.string().meta({ example: 'Linear algebra' }),
    color: z.int().min(1).max(colors).meta({ example: 6 }),
    status: z.enum(projectStatuses),
    target_scope: z.enum(targetScopes),
    target_hours: z.number().meta({ example: 40 }),
    weekly_goal_hours: z.number().nullable().meta({ description: 'The target hours per week.', example: 5 }),
    due_date: date.nullable(),
    began_on: date.meta({
      description:
        'An even pace counts from this day: that of its creation, or of its first record if that is earlier.',
    }),
    state: goalState.meta({ description: 'Of the whole project, as in the forecast.' }),
    users_count: count.meta({ description: 'Members to whom it is assigned.' }),
    hours: hours.meta({ description: 'All hours of these members.' }),
    progress: z.number().min(0).max(100).nullable().meta({
      description:
        'In percent, 100 only if it is reached; null without a target: of a target for `each`, the mean of what these members have reached of it, and of a `shared` one, what they have reached together.',
      example: 31.25,
    }),
    done: count.meta({
      description:
        'Members by the state of their own goal, or of the shared target; these seven add up to `users_count`.',
    }),
    on_track: count.meta({ description: 'On track or ahead.' }),
    slowing: count,
    behind: count,
    overdue: count,
    not_started: count,
    without_goals: count.meta({ description: 'Without a target, or without due date and weekly goal, or paused.' }),
    weeks: z
      .array(hours)
      .length(weeksShown)
      .meta({
        description:
          'Hours of these members in each of the latest weeks by the preference of the caller, the current one last.',
        example: [0, 3, 4.5, 2, 6, 5, 3.5, 1],
      }),
  })
  .meta({ id: 'GroupProject' });

export const groupStatistics = z
  .object({
    group: z.object({ id: id.meta({ example: 3 }), name: z.string().meta({ example: 'Class 3b' }) }),
    from: date,
    to: date,
    members_count: count.meta({ description: 'Active ordinary members; all figures are theirs.' }),
    active_members: count.meta({ description: 'Members who studied in the period.' }),
    total_hours: hours,
    hours_per_week: z
      .object(middle)
      .meta({ description: 'Of the members: the median, and between the quartiles the middle half.' }),
    distribution: z
      .array(z.object({ from_hours: hours, to_hours: hours.nullable(), users: count }))
      .meta({ description: 'Members by hours a week: none, then from `from_hours` to less than `to_hours`.' }),
    weekly: z
      .array(z.object({ first_day: date, active_members: count, hours, ...middle }))
      .meta({ description: "Weeks by the caller's preference; the first and the last may be partly in the period." }),
    projects: z.array(project).meta({
      description: `Projects assigned to members, as of now: active ones first, then by members and name; at most ${maxProjects}.`,
    }),
    projects_total: count,
    members: z.array(member).meta({ description: 'By username.' }),
    pagination,
  })
  .meta({ id: 'GroupStatistics' });
