import { z } from 'zod';
import { id, issue, unlessInvalid } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { MessageKey } from '../../../texts/index.ts';

export const limits = { projects: 1000, users: 1000, pairs: 100_000, groups: 100 };

/** Duplicates are removed later, so that errors can name the index in the list as sent. */
const idList = (maximum: number) => z.array(id).max(maximum);
const sizeOf = (ids: readonly number[] | undefined) => new Set(ids).size;

export const assignTypes = ['add', 'remove', 'replace'] as const;
const fieldsOfShapes = ['user_ids', 'group_ids', 'assign_type', 'assigned_user_ids'];

/** One object for both shapes: the fields that are set decide which it is. */
export const batchAssignBody = z
  .object({
    project_ids: idList(limits.projects).meta({ description: 'The projects to change.', example: [1, 2] }),
    user_ids: idList(limits.users)
      .optional()
      .meta({
        description: 'Shape A: the users affected; may be empty only with `replace` or `group_ids`.',
        example: [7, 9],
      }),
    group_ids: idList(limits.groups)
      .optional()
      .meta({ description: 'Shape A: groups whose active members are appended to `user_ids`.' }),
    assign_type: z.enum(assignTypes).optional().meta({ description: 'Shape A: what to do with them.' }),
    assigned_user_ids: idList(limits.users)
      .optional()
      .meta({ description: 'Shape B: the resulting list of every project; may be empty.' }),
  })
  .refine(({ project_ids }) => project_ids.length > 0, {
    path: ['project_ids'],
    error: 'too_few_items',
    params: { minimum: 1 },
    ...unlessInvalid('project_ids'),
  })
  .superRefine(
    (body, context) => {
      const projects = sizeOf(body.project_ids);
      for (const field of ['user_ids', 'assigned_user_ids'] as const)
        if (sizeOf(body[field]) * projects > limits.pairs)
          context.addIssue({ ...issue('too_many_pairs', { maximum: limits.pairs }), path: [field] });
    },
    unlessInvalid('project_ids', ...fieldsOfShapes),
  )
  .superRefine(
    (body, context) => {
      const reject = (field: string, key: MessageKey, params?: Record<string, number>) =>
        context.addIssue({ ...issue(key, params), path: [field] });
      const namesUsers = body.user_ids !== undefined || body.group_ids !== undefined;
      const isShapeA = namesUsers || body.assign_type !== undefined;
      const isShapeB = body.assigned_user_ids !== undefined;
      if (isShapeA && isShapeB) reject('assigned_user_ids', 'batch_shapes_mixed');
      if (!isShapeA && !isShapeB) reject('user_ids', 'batch_shape_missing');
      if (isShapeA && !namesUsers) reject('user_ids', 'required');
      if (isShapeA && body.assign_type === undefined) reject('assign_type', 'required');
      const isEmpty = sizeOf(body.user_ids) + sizeOf(body.group_ids) === 0;
      if (namesUsers && isEmpty && body.assign_type !== undefined && body.assign_type !== 'replace') {
        reject('user_ids', 'too_few_items', { minimum: 1 });
      }
    },
    unlessInvalid(...fieldsOfShapes),
  )
  .meta({ example: { project_ids: [1, 2], user_ids: [7, 9], assign_type: 'add' } });

export type BatchAssignInput = z.output<typeof batchAssignBody>;

export const pairStatuses = ['assigned', 'already_assigned', 'removed', 'not_assigned'] as const;
export const failureCodes = [
  'PROJECT_NOT_FOUND',
  'USER_NOT_FOUND',
  'USER_INACTIVE',
  'USER_IS_ADMIN',
  'USER_BUSY',
  'OUT_OF_SCOPE',
] as const;

export const batchAssignResult = z
  .object({
    assigned_count: z.int().meta({ description: 'Pairs that are now as requested.', example: 1 }),
    failed_count: z.int().meta({ description: 'Pairs that could not be processed.', example: 1 }),
    details: z.array(
      z.object({
        project_id: id.meta({ example: 1 }),
        project_name: z.string().meta({ example: 'Linear algebra' }),
        assigned_users: z.array(
          z.object({
            user_id: id.meta({ example: 7 }),
            username: z.string().meta({ example: 'lin' }),
            status: z.enum(pairStatuses),
          }),
        ),
      }),
    ),
    failures: z.array(
      z.object({
        project_id: id.meta({ example: 2 }),
        user_id: z
          .int()
          .nullable()
          .meta({ description: 'Null if the project does not exist and no users were given.', example: 7 }),
        code: z.enum(failureCodes),
        message: z.string().meta({ example: 'There is no such project.' }),
      }),
    ),
  })
  .meta({ id: 'BatchAssignResult' });

const person = {
  user_id: id.meta({ example: 7 }),
  username: z.string().meta({ example: 'lin' }),
  display_name: z.string().meta({ example: 'Lin Wei' }),
  status: z.enum(['active', 'inactive']),
};

export const assignment = z.object({ ...person, assigned_at: timestamp }).meta({ id: 'Assignment' });

export const member = z
  .object({
    ...person,
    assigned_at: timestamp.nullable().meta({ description: 'Null for a user who is no longer assigned.' }),
    active_assignment: z.boolean().meta({ example: true }),
    sessions_count: z.int().meta({ example: 9 }),
    hours: z.number().meta({ example: 12.5 }),
    progress: z.number().min(0).max(100).nullable().meta({
      description: "The user's own hours in percent of the target: 100 only if it is reached; null without a target.",
      example: 31.25,
    }),
    last_session: timestamp.nullable(),
  })
  .meta({ id: 'Member' });
