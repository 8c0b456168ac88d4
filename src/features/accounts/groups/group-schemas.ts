import { z } from 'zod';
import { id, idText, pageQuery, text } from '../../../http/fields.ts';

export const maxMembers = 1000;

export const groupName = text({ min: 1, max: 50 }).meta({ description: 'Unique, ignoring case.', example: 'Class 3b' });

/** Duplicates are removed later, so that errors can name the index in the list as sent. */
const userIds = z
  .array(id)
  .max(maxMembers)
  .meta({ example: [7, 9] });

export const listGroupsQuery = z.object({
  ...pageQuery,
  search: text({ max: 50 }).default('').meta({ description: 'Part of the name, ignoring case.' }),
  user_id: idText.optional().meta({ description: 'Groups of which this user is a member.' }),
});
export type ListGroupsQuery = z.output<typeof listGroupsQuery>;

export const createGroupBody = z
  .object({
    name: groupName,
    user_ids: userIds.default([]).meta({ description: 'The members: ordinary users, active or not; at most 1,000.' }),
  })
  .meta({ example: { name: 'Class 3b', user_ids: [7, 9] } });
export type CreateGroupInput = z.output<typeof createGroupBody>;

export const updateGroupBody = z
  .object({
    name: groupName.exactOptional(),
    user_ids: userIds.exactOptional().meta({ description: 'The complete new list of members; may be empty.' }),
  })
  .meta({ example: { name: 'Class 4b' } });
export type UpdateGroupInput = z.output<typeof updateGroupBody>;

export const changeMembersBody = z
  .object({
    add: userIds.default([]).meta({ description: 'Users to add.' }),
    remove: userIds.default([]).meta({ description: 'Users to remove.' }),
  })
  .superRefine(({ add, remove }, context) => {
    const both = new Set(remove);
    for (const [index, userId] of add.entries())
      if (both.has(userId)) context.addIssue({ code: 'custom', path: ['add', index], message: 'also_removed' });
  })
  .meta({ example: { add: [7, 9], remove: [8] } });
export type ChangeMembersInput = z.output<typeof changeMembersBody>;
