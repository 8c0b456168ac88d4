import { z } from 'zod';
import { id, idText, itemEtag, pageQuery, pagination, text, timestamp } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { userStatuses } from '../users/user-schemas.ts';
import type { GroupRow, MemberRow } from './group-repository.ts';

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

export const group = z
  .object({
    id: id.meta({ example: 3 }),
    name: z.string().meta({ example: 'Class 3b' }),
    members_count: z.int().meta({ example: 28 }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Group' });

export const groupWithMembers = group
  .extend({
    members: z
      .array(
        z.object({
          user_id: id.meta({ example: 7 }),
          username: z.string().meta({ example: 'lin' }),
          display_name: z.string().meta({ example: 'Lin Wei' }),
          status: z.enum(userStatuses),
          added_at: timestamp,
        }),
      )
      .meta({ description: 'Sorted by username.' }),
  })
  .meta({ id: 'GroupWithMembers' });

export const groupPage = z.object({ groups: z.array(group), pagination });

export function toGroupResponse(row: GroupRow): z.input<typeof group> {
  const { id, name, members_count, created_at, updated_at } = row;
  return { id, name, members_count, created_at, updated_at, etag: itemTag(row.row_version) };
}

export function toGroupWithMembersResponse({
  group: row,
  members,
}: {
  group: GroupRow;
  members: readonly MemberRow[];
}): z.input<typeof groupWithMembers> {
  return {
    ...toGroupResponse(row),
    members: members.map(({ user_id, username, display_name, status, added_at }) => ({
      user_id,
      username,
      display_name,
      status,
      added_at,
    })),
  };
}
