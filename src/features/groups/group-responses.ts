import type { z } from 'zod';
import { itemTag } from '../../http/reply.ts';
import type { GroupRow, MemberRow } from './group-repository.ts';
import type { group, groupWithMembers } from './group-schemas.ts';

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
