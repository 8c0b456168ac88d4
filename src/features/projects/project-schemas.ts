import { z } from 'zod';
import { id, idText, pageQuery, pagination, text, timestamp } from '../../http/fields.ts';

export const projectStatuses = ['active', 'completed', 'paused'] as const;
export const projectCategories = ['academic', 'skill', 'hobby', 'other'] as const;
export const ratingStandards = ['excellent', 'good', 'normal'] as const;

const name = text({ min: 2, max: 50 }).meta({ example: 'Linear algebra' });
const description = text({ max: 500, multiline: true })
  .nullable()
  .transform((value) => value ?? '')
  .meta({
    override: { type: ['string', 'null'], maxLength: 500 },
    description: 'Null clears it.',
    example: 'Vectors, matrices, proofs',
  });
const targetHours = z
  .number()
  .min(0)
  .max(100_000)
  .nullable()
  .transform((value) => Math.round((value ?? 0) * 100) / 100)
  .meta({
    override: { type: ['number', 'null'], minimum: 0, maximum: 100_000 },
    description: 'Hours, kept with two decimals; 0 or null is no target.',
    example: 40,
  });
const assignedUserIds = z
  .array(id)
  .max(1000)
  .meta({ description: 'In the order of assignment; duplicates are dropped.', example: [7, 9] });

export const createProjectBody = z.object({
  name,
  description: description.default(''),
  category: z.enum(projectCategories).default('other'),
  target_hours: targetHours.default(0),
  rating_standard: z.enum(ratingStandards).default('normal'),
  assigned_user_ids: z
    .unknown()
    .optional()
    .transform((): number[] => [])
    .meta({
      override: { type: 'array', items: { type: 'integer', minimum: 1 } },
      description: 'Required and not empty when the caller is an administrator; ignored from an ordinary user.',
      example: [7, 9],
    }),
});

/** An administrator must say for whom the project is. */
export const createProjectBodyOfAdmin = createProjectBody.extend({ assigned_user_ids: assignedUserIds.min(1) });

export const updateProjectBody = z
  .object({
    name: name.optional(),
    description: description.optional(),
    status: z.enum(projectStatuses).optional(),
    category: z.enum(projectCategories).optional(),
    target_hours: targetHours.optional(),
    rating_standard: z.enum(ratingStandards).optional(),
    assigned_user_id: id
      .nullable()
      .optional()
      .meta({ description: 'The former single assignment. The present value changes nothing.' }),
    assigned_user_ids: assignedUserIds
      .optional()
      .meta({ description: 'The full new list of assigned users; may be empty.' }),
  })
  .meta({ example: { name: 'Linear algebra II', status: 'active', target_hours: 60 } });

export const projectSorts = [
  'id',
  'name',
  'status',
  'category',
  'rating_standard',
  'target_hours',
  'current_hours',
  'progress',
  'created_at',
  'updated_at',
] as const;

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
  search: text({ max: 100 })
    .optional()
    .meta({ description: 'Part of the name or description, without regard to case; `%` and `_` are just characters.' }),
  sort: z.enum(projectSorts).default('created_at').meta({ description: 'By which field; equal ones by id.' }),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Of the sort.' }),
});

export const trashQuery = z.object(pageQuery);

export const project = z
  .object({
    id: z.int().meta({ example: 42 }),
    name: z.string().meta({ example: 'Linear algebra' }),
    description: z.string().meta({ example: 'Vectors, matrices, proofs' }),
    status: z.enum(projectStatuses),
    category: z.enum(projectCategories),
    target_hours: z.number().meta({ example: 40 }),
    current_hours: z.number().meta({ example: 12.5 }),
    progress: z.number().min(0).max(100).meta({ example: 31.25 }),
    rating_standard: z.enum(ratingStandards),
    image: z.string().optional().meta({ description: 'The path of the cover image; absent when there is none.' }),
    user_id: z.int().meta({ description: 'The creator, who owns the project.', example: 1 }),
    assigned_user_id: z.int().nullable().meta({ description: 'The first assigned user.', example: 7 }),
    assigned_user_ids: z.array(z.int()).meta({
      description: 'All of them to the owner and administrators; others find at most themselves.',
      example: [7, 9],
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Project' });

export const earnedAchievement = z.object({
  id: z.int().meta({ example: 1 }),
  name: z.string().meta({ example: 'First step' }),
  description: z.string().meta({ example: 'Complete the first study record.' }),
  icon: z.string().meta({ description: 'The path of a picture.', example: '/achievements/first_record.svg' }),
  earned_at: timestamp,
});

export const projectDetail = project
  .extend({
    sessions_count: z.int().meta({ description: 'Finished records.', example: 9 }),
    last_session: timestamp.nullable().meta({ description: 'The end of the latest finished record.' }),
    achievements: z.array(earnedAchievement),
  })
  .meta({ id: 'ProjectDetail' });

export const projectPage = z.object({ projects: z.array(project), pagination });
export const trashPage = z.object({ projects: z.array(project.extend({ deleted_at: timestamp })), pagination });

export const category = z.object({
  id: z.enum(projectCategories),
  name: z.string().meta({ example: 'Academic' }),
  description: z.string().meta({ example: 'School and university subjects' }),
  icon: z.string().meta({ example: 'academic' }),
});

export const assignableUsersQuery = z.object({
  search: text({ max: 100 }).optional().meta({ description: 'Part of the username, display name or e-mail address.' }),
});
export const assignableUser = z.object({
  id: z.int().meta({ example: 7 }),
  user_id: z.int().meta({ description: 'The same as id.', example: 7 }),
  username: z.string().meta({ example: 'lin' }),
  display_name: z.string().meta({ example: 'Lin Wei' }),
  email: z.string().meta({ example: 'lin@example.org' }),
  status: z.literal('active'),
});

export type CreateProjectInput = z.output<typeof createProjectBody>;
export type UpdateProjectInput = z.output<typeof updateProjectBody>;
export type ListProjectsQuery = z.output<typeof listProjectsQuery>;
