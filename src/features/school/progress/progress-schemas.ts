import { z } from 'zod';
import { userStatuses } from '../../../actor.ts';
import { id, idText, pageQuery, pagination, queryInt, text } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { type AttentionState, attentionStates, silentDays } from './attention-sql.ts';

/** Computed from the days of study and the goals of each user. */
export const standingSorts = ['current_streak', 'goals_behind', 'goals_near', 'this_week', 'urgency'] as const;
const columnSorts = [
  ...(['username', 'total_hours', 'last_session', 'hours_7d', 'hours_28d'] as const),
  ...(['display_name', 'status', 'groups', 'projects_assigned', 'timer_started_at'] as const),
] as const;
export const progressSorts = [...columnSorts, ...standingSorts] as const;
/** Timers run in any state of attention. */
export const progressStates = [...attentionStates, 'studying'] as const;
export type ProgressState = (typeof progressStates)[number];
export type ProgressCounts = Record<ProgressState, number>;

/** More users are found and sorted by what is computed for each only within a group or a project. */
export const maxComputed = 2000;

/** These read several rows per user: for all users of a large installation that would take seconds. */
const costlySorts: ReadonlySet<string> = new Set([
  ...(['hours_7d', 'hours_28d', 'project_hours', 'groups', 'projects_assigned', 'timer_started_at'] as const),
  ...standingSorts,
]);

export const weeksShown = 8;
/** Today and the same weekday of the week before are the first and the last. */
export const daysShown = 8;

type Scope = { group_id?: number | undefined; project_id?: number | undefined };
const isScoped = ({ group_id, project_id }: Scope) => group_id !== undefined || project_id !== undefined;

export function refineSort({ sort, ...scope }: Scope & { sort: string }, context: z.RefinementCtx): void {
  if (costlySorts.has(sort) && !isScoped(scope))
    context.addIssue({ code: 'custom', path: ['sort'], message: 'sort_takes_group' });
}

/** Whether a state depends on the goals of a user. */
export const needsGoals = (state: string | undefined): state is AttentionState =>
  state !== undefined && state !== 'silent' && state !== 'studying';

/** The parameter that makes a list of all users costly. */
export function costlyField({ sort, state, ...scope }: Scope & { sort: string; state?: string | undefined }) {
  if (isScoped(scope)) return undefined;
  return costlySorts.has(sort) ? 'sort' : needsGoals(state) ? 'state' : undefined;
}

export const filters = {
  project_id: idText.optional().meta({ description: 'Users to whom this project is assigned.' }),
  group_id: idText.optional().meta({ description: 'Members of this group.' }),
  search: text({ max: 100 })
    .default('')
    .meta({ description: 'Part of the username, the e-mail address or the display name, ignoring case.' }),
  status: z
    .enum([...userStatuses, 'all'])
    .default('active')
    .meta({ description: 'Users in this state.' }),
  inactive_days: queryInt({ min: 1, max: 3650 }).optional().meta({
    description: 'Users without a finished record that ended within this many times 24 hours, without days off.',
  }),
};

export const order = z.enum(['asc', 'desc']).default('asc').meta({ description: 'The direction of the sort.' });

/** What the list and its export have in common. */
const listing = {
  ...filters,
  state: z
    .enum(progressStates)
    .optional()
    .meta({
      description: `Users in this state (see \`state\` of a user), or with a running timer (\`studying\`). With more than ${maxComputed} users, all except \`silent\` and \`studying\` require \`group_id\` or \`project_id\`.`,
    }),
  sort: z
    .enum(progressSorts)
    .default('username')
    .meta({
      description: `The field to sort by, then by id. \`this_week\`: the last of \`weeks\`; \`urgency\`: the states in their order, silent users first in descending order. With more than ${maxComputed} users, all except \`username\`, \`display_name\`, \`status\`, \`total_hours\` and \`last_session\` require \`group_id\` or \`project_id\`.`,
    }),
  order,
};

export const progressQuery = z.object({ ...pageQuery, ...listing });
export type ProgressQuery = z.output<typeof progressQuery>;

const format = z.enum(['csv']).default('csv').meta({ description: 'The format of the file.' });
export const exportProgressQuery = z.object({ format, ...listing });
export type ProgressListing = Omit<ProgressQuery, 'page' | 'limit'>;
export const exportProjectHoursQuery = z.object({ format, ...filters });
export type ProgressFilters = Omit<z.output<typeof exportProjectHoursQuery>, 'format'>;

const count = z.int().meta({ example: 1 });

const attention = z.enum(attentionStates).meta({
  description: `Exactly one for each user, the first that applies. \`silent\`: no record in the last ${silentDays} × 24 hours without days off, but earlier ones, and no running timer; \`overdue\`, \`behind\`, \`slowing\`, \`not_started\`: one of the goals is; \`on_track\`: none is; \`without_goals\`.`,
  example: 'on_track',
});

export const progressEntry = z
  .object({
    user_id: id.meta({ example: 7 }),
    username: z.string().meta({ example: 'lin' }),
    display_name: z.string().meta({ example: 'Lin Wei' }),
    status: z.enum(userStatuses),
    timezone: z.string().meta({ description: "The zone of the user's days.", example: 'Asia/Shanghai' }),
    time_zone: z.string().meta({ description: 'The same as `timezone`.', example: 'Asia/Shanghai' }),
    day_start_hour: z.int().meta({ description: 'The local hour at which their days begin.', example: 0 }),
    groups: z
      .array(z.object({ id: id.meta({ example: 3 }), name: z.string().meta({ example: 'Class 3b' }) }))
      .meta({ description: 'The groups of the user, sorted by name.' }),
    projects_assigned: z.int().meta({ example: 3 }),
    hours_7d: z.number().meta({ description: 'Finished records that began in the last 7 × 24 hours.', example: 6.5 }),
    hours_28d: z.number().meta({ description: 'Finished records that began in the last 28 × 24 hours.', example: 21 }),
    total_hours: z.number().meta({ description: 'All finished records.', example: 148.25 }),
    project_hours: z.number().nullable().meta({
      description: 'Finished records on the project `project_id` of the filter; null without it.',
      example: null,
    }),
    weeks: z
      .array(z.number())
      .length(weeksShown)
      .meta({
        description: "Hours of the last eight weeks, the current one last, in the user's calendar and weeks.",
        example: [3, 4.5, 0, 6, 5.25, 7, 6.5, 2],
      }),
    last_week_so_far: z.number().meta({
      description: 'Hours of the week before the current one, up to the same time on the same weekday.',
      example: 1.5,
    }),
    days: z
      .array(z.number())
      .length(daysShown)
      .meta({
        description: 'Hours of the last eight days, today last.',
        example: [1, 0, 0.5, 2, 0, 1.5, 1, 0.5],
      }),
    days_studied: z
      .array(z.boolean())
      .length(daysShown)
      .meta({
        description: 'Whether these are days of study, by records of a minute or more.',
        example: [true, false, true, true, false, true, true, false],
      }),
    last_week_studied_by_now: z.boolean().meta({
      description: 'Whether the same weekday of the week before was a day of study by this time.',
      example: true,
    }),
    excused_today: z
      .boolean()
      .meta({ description: "Whether today, in the user's calendar, is one of their days off.", example: false }),
    state: attention,
    current_streak: z
      .int()
      .meta({ description: "In days of the user's calendar, as in `GET /api/stats`.", example: 4 }),
    goals: z
      .object({
        not_started: count,
        overdue: count,
        behind: count,
        slowing: count,
        on_track: count,
        ahead: count,
        done: count,
        near: z.int().meta({ description: 'At 80 % of the target or more, but below 100 %.', example: 0 }),
        total: z.int().meta({ description: 'The sum of all except `near`.', example: 3 }),
      })
      .meta({
        description:
          "Counts of the user's own goals by state, from their hours and on their current day: active projects that they own, and assigned ones whose target each user is to reach; without those without due date and weekly goal.",
      }),
    last_session: timestamp.nullable().meta({ description: 'The end of the latest finished record.' }),
    running_timer: z
      .object({
        project_id: id,
        project_name: z.string().meta({ example: 'Linear algebra' }),
        started_at: timestamp,
      })
      .nullable(),
  })
  .meta({ id: 'Progress' });

const stateCounts = z
  .object(Object.fromEntries(progressStates.map((state) => [state, count])) as Record<ProgressState, typeof count>)
  .meta({ id: 'ProgressCounts' });

export const progressPage = z.object({
  users: z.array(progressEntry),
  counts: stateCounts.nullable().meta({
    description: `How many of the users that the other filters find are in each state; all except \`studying\` add up to them. Null for more than ${maxComputed}.`,
  }),
  pagination,
});
