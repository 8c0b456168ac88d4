import { z } from 'zod';
import { userStatuses } from '../../../actor.ts';
import { id, itemEtag, pagination } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { GroupRow, MemberRow } from './group-repository.ts';

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
