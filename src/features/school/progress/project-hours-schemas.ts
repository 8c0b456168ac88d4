import { z } from 'zod';
import { idText, pageQuery } from '../../../http/fields.ts';
import { filters, order, refineSort } from './progress-schemas.ts';

export const projectHoursSorts = ['username', 'total_hours', 'last_session', 'project_hours'] as const;

/** The columns of a table that fits on a screen or a sheet of paper. */
export const maxProjects = 40;

export const projectHoursQuery = z
  .object({
    ...pageQuery,
    ...filters,
    sort: z.enum(projectHoursSorts).default('username').meta({
      description:
        'The field to sort by, then by id. `project_hours` requires `sort_project_id`, and `group_id` or `project_id`; users without that project come last.',
    }),
    sort_project_id: idText.optional().meta({ description: 'The project whose hours `project_hours` sorts by.' }),
    order,
  })
  .superRefine(refineSort)
  .superRefine(({ sort, sort_project_id }, context) => {
    if (sort === 'project_hours' && sort_project_id === undefined)
      context.addIssue({ code: 'custom', path: ['sort_project_id'], message: 'required' });
  });
export type ProjectHoursQuery = z.output<typeof projectHoursQuery>;
