import { z } from 'zod';
import { id, idText, pageQuery, text } from '../../../http/fields.ts';
import { goalStates } from '../goals/goal-states.ts';
import { changedFields, fieldsOfNew } from '../project-access/project-fields.ts';
import { colors, projectCategories, projectStatuses } from '../project-access/project-values.ts';

const color = z
  .int()
  .min(1)
  .max(colors)
  .meta({ description: 'The number of a color of the palette in `GET /api/meta`.', example: 3 });
const assignedUserIds = z
  .array(id)
  .max(1000)
  .meta({ description: 'In the order of assignment; duplicates are removed.', example: [7, 9] });

export const createProjectBody = z.object({
  ...fieldsOfNew,
  color: color
    .nullable()
    .default(null)
    .meta({ description: 'The number of a color; by default it follows from the id.' }),
  assigned_user_ids: z
    .unknown()
    .optional()
    .transform((): number[] => [])
    .meta({
      override: { type: 'array', items: { type: 'integer', minimum: 1 } },
      description: 'Required and not empty for administrators; ignored for ordinary users.',
      example: [7, 9],
    }),
});

export const createProjectBodyOfAdmin = createProjectBody.extend({ assigned_user_ids: assignedUserIds.min(1) });

const { name: newName, description: newDescription, ...otherChanges } = changedFields;
export const updateProjectBody = z
  .object({
    name: newName,
    description: newDescription,
    status: z.enum(projectStatuses).optional(),
    ...otherChanges,
    color: color.optional(),
    assigned_user_id: id.nullable().optional().meta({
      deprecated: true,
      description: 'Deprecated: use `assigned_user_ids`. The current value changes nothing.',
    }),
    assigned_user_ids: assignedUserIds
      .optional()
      .meta({ description: 'The complete new list of assigned users; may be empty.' }),
  })
  .meta({ example: { name: 'Linear algebra II', status: 'active', target_hours: 60 } });

const projectSorts = [
  'id',
  'name',
  'status',
  'category',
  'rating_standard',
  'target_hours',
  'current_hours',
  'progress',
  'due_date',
  'own_hours',
  'own_last_session',
  'created_at',
  'updated_at',
] as const;

/** Every study record changes these, so a cached list in their order would be stale before it is read again. */
export const volatileSorts: ReadonlySet<string> = new Set([
  'current_hours',
  'progress',
  'own_hours',
  'own_last_session',
  'updated_at',
]);

export const listProjectsQuery = z.object({
  ...pageQuery,
  status: z
    .enum([...projectStatuses, 'all'])
    .default('all')
    .meta({ description: 'Projects in this state.' }),
  category: z
    .enum([...projectCategories, 'all'])
    .default('all')
    .meta({ description: 'Projects of this category.' }),
  creator: z
    .union([z.enum(['me', 'all']), idText], { error: 'invalid_creator' })
    .default('all')
    .meta({ override: { type: 'string' }, description: 'The id of a user, `me` or `all`.' }),
  state: z
    .enum([...goalStates, 'all'])
    .default('all')
    .meta({ description: 'Projects whose forecast has this state on the current day of the caller.' }),
  assigned_user_id: idText.optional().meta({ description: 'Projects assigned to this user; only for administrators.' }),
  assigned: z
    .enum(['none', 'all'])
    .default('all')
    .meta({ description: '`none`: projects without assigned users; only for administrators.' }),
  search: text({ max: 100 })
    .optional()
    .meta({ description: 'Part of the name or description, ignoring case; `%` and `_` are not wildcards.' }),
  sort: z
    .enum(projectSorts)
    .default('created_at')
    .meta({ description: 'The field to sort by, then by id. Projects without a due date or own record come last.' }),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'The direction of the sort.' }),
});

export const trashQuery = z.object(pageQuery);

export const assignableUsersQuery = z.object({
  search: text({ max: 100 }).optional().meta({ description: 'Part of the username, display name or e-mail address.' }),
  group_id: idText.optional().meta({ description: 'Members of this group.' }),
});

export type AssignableUsersQuery = z.output<typeof assignableUsersQuery>;
export type CreateProjectInput = z.output<typeof createProjectBody>;
export type UpdateProjectInput = z.output<typeof updateProjectBody>;
export type ListProjectsQuery = z.output<typeof listProjectsQuery>;
