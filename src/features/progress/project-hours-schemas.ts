import { z } from 'zod';
import { id, idText, pageQuery, pagination } from '../../http/validation/fields.ts';
import { goalStates } from '../goals/goal-state.ts';
import { project } from '../projects/project-response-schemas.ts';
import { filters, order, progressEntry, refineSort } from './progress-schemas.ts';

export const projectHoursSorts = ['username', 'total_hours', 'last_session', 'project_hours'] as const;

/** Columns of a table that fits on a screen, or on a sheet of paper. */
export const mostProjects = 40;

export const projectHoursQuery = z
  .object({
    ...pageQuery,
    ...filters,
    sort: z.enum(projectHoursSorts).default('username').meta({
      description:
        'By which field; equal ones by id. `project_hours` takes `sort_project_id`, and `group_id` or `project_id`; users without that project are last.',
    }),
    sort_project_id: idText.optional().meta({ description: 'Of which project the hours are that are sorted by.' }),
    order,
  })
  .superRefine(refineSort)
  .superRefine(({ sort, sort_project_id }, context) => {
    if (sort === 'project_hours' && sort_project_id === undefined)
      context.addIssue({ code: 'custom', path: ['sort_project_id'], message: 'required' });
  });
export type ProjectHoursQuery = z.output<typeof projectHoursQuery>;

const column = project
  .pick({ id: true, name: true, status: true, target_hours: true, current_hours: true, progress: true, due_date: true })
  .extend({
    state: z.enum(goalStates).meta({
      description: "By everybody's hours, as in the forecast, on the present day of the reader.",
      example: 'on_track',
    }),
    users_count: z
      .int()
      .meta({ description: 'To how many members of the group, or users of this page, it is assigned.', example: 30 }),
  })
  .meta({ id: 'ProjectColumn' });

const row = progressEntry
  .pick({ username: true, display_name: true, status: true, total_hours: true, last_session: true })
  .extend({
    user_id: id.meta({ example: 7 }),
    hours: z.array(z.number().nullable()).meta({
      description: 'Finished records on each of `projects`, in the same order; null where it is not assigned.',
      example: [12.5, 0, null],
    }),
  })
  .meta({ id: 'ProjectHours' });

export const projectHoursPage = z.object({
  projects: z.array(column).meta({
    description: `Assigned to members of the group of \`group_id\`, on each page the same; without it, to the users of this page. Active ones first, then by \`users_count\` and name; at most ${mostProjects}.`,
  }),
  projects_total: z.int().meta({ description: 'How many there are with those left out.', example: 3 }),
  users: z.array(row),
  pagination,
});
export type ProjectHoursPage = z.input<typeof projectHoursPage>;
