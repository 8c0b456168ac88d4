import { z } from 'zod';
import { id, pagination } from '../../../http/fields.ts';
import { csvList, type WriteExport } from '../../../lib/export/exporter.ts';
import { goalState } from '../../study/goals/goal-states.ts';
import { project } from '../../study/projects/project-responses.ts';
import { progressEntry } from './progress-schemas.ts';
import type { PairRow, ProjectRow, UserRow } from './project-hours-read-model.ts';
import { maxProjects } from './project-hours-schemas.ts';

const column = project
  .pick({ id: true, name: true, status: true, target_hours: true, current_hours: true, progress: true, due_date: true })
  .extend({
    state: goalState.meta({
      description:
        "As in the forecast: based on the hours of all users, or on their mean if each is to reach the target, on the caller's current day.",
      example: 'on_track',
    }),
    users_count: z.int().meta({
      description: 'The number of group members, or of users on this page, to whom it is assigned.',
      example: 30,
    }),
  })
  .meta({ id: 'ProjectColumn' });

const row = progressEntry
  .pick({ username: true, display_name: true, status: true, total_hours: true, last_session: true })
  .extend({
    user_id: id.meta({ example: 7 }),
    hours: z.array(z.number().nullable()).meta({
      description: 'Hours of finished records per project, in the order of `projects`; null if it is not assigned.',
      example: [12.5, 0, null],
    }),
  })
  .meta({ id: 'ProjectHours' });

export const projectHoursPage = z.object({
  projects: z.array(column).meta({
    description: `Projects assigned to members of the group \`group_id\`, the same on every page; without it, to the users of this page. Active ones first, then by \`users_count\` and name; at most ${maxProjects}.`,
  }),
  projects_total: z.int().meta({ description: 'The number of projects, including those omitted.', example: 3 }),
  users: z.array(row),
  pagination,
});

type ProjectHoursPage = z.input<typeof projectHoursPage>;

export function toProjectHoursResponse(
  users: readonly UserRow[],
  rows: readonly ProjectRow[],
): Omit<ProjectHoursPage, 'pagination'> {
  return {
    projects: rows.map(({ hours: _hours, projects_total: _total, ...project }) => project),
    projects_total: rows[0]?.projects_total ?? 0,
    users: users.map((user) => ({ ...user, hours: rows.map(({ hours }) => hours[user.user_id] ?? null) })),
  };
}

const csvColumns = [
  'user_id',
  'username',
  'display_name',
  'project_id',
  'project_name',
  'project_status',
  'target_hours',
  'hours',
  'last_session',
] as const satisfies readonly (keyof PairRow)[];

type Read = (take: (pairs: readonly PairRow[]) => Promise<void>) => Promise<void>;

export const exportProjectHours = (read: Read): WriteExport =>
  csvList(read, csvColumns, (pair) => csvColumns.map((name) => pair[name]));
