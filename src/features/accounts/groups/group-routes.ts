import { z } from 'zod';
import { userStatuses } from '../../../actor.ts';
import { id, idParams, itemEtag, paginate, pagination } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag, itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { Locale } from '../../../texts/index.ts';
import type { GroupRow, MemberRow } from './group-repository.ts';
import { changeMembersBody, createGroupBody, listGroupsQuery, updateGroupBody } from './group-schemas.ts';
import type { GroupService } from './group-service.ts';

const group = z
  .object({
    id: id.meta({ example: 3 }),
    name: z.string().meta({ example: 'Class 3b' }),
    members_count: z.int().meta({ example: 28 }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Group' });

const groupWithMembers = group
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

const groupPage = z.object({ groups: z.array(group), pagination });

function toGroupResponse(row: GroupRow): z.input<typeof group> {
  const { id, name, members_count, created_at, updated_at } = row;
  return { id, name, members_count, created_at, updated_at, etag: itemTag(row.row_version) };
}

function toGroupWithMembersResponse({
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

type FoundGroup = Awaited<ReturnType<GroupService['get']>>;

function replyWith(found: FoundGroup, locale: Locale) {
  const data = toGroupWithMembersResponse(found);
  return { data, etag: contentVersionTag(found.group.row_version, data, locale) };
}

export function createGroupRoutes({ groups }: { groups: GroupService }): Operation[] {
  const base = { tag: 'Groups', access: 'admin' } as const;
  const scoped = { ...base, scoped: true } as const;
  const onOne = { ...scoped, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...scoped,
      method: 'get',
      path: '/api/admin/groups',
      id: 'listGroups',
      summary: 'List groups',
      description: 'Sorted by name, with the number of members.',
      query: listGroupsQuery,
      data: groupPage,
      handler: async ({ actor, query }) => {
        const { groups: page, total } = await groups.list(actor, query);
        return { data: { groups: page.map(toGroupResponse), pagination: paginate(query.page, query.limit, total) } };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/groups',
      id: 'createGroup',
      summary: 'Create a group',
      description:
        'A group is, for example, a class: `group_ids` assigns projects to all of its active members in one request.',
      body: createGroupBody,
      data: groupWithMembers,
      status: 201,
      message: 'group_created',
      idempotent: true,
      handler: async ({ actor, body, store, request }) => {
        const created = await groups.create(store, actor, body);
        return { ...replyWith(created, request.locale), location: `/api/admin/groups/${created.group.id}` };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/admin/groups/:id',
      id: 'getGroup',
      summary: 'Get a group with its members',
      description: 'Members are not paged: there are at most 1,000.',
      data: groupWithMembers,
      handler: async ({ actor, params, request }) => replyWith(await groups.get(actor, params.id), request.locale),
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/admin/groups/:id',
      id: 'updateGroup',
      summary: 'Rename a group, or replace its members',
      description: 'Both fields are optional. Existing assignments are not changed.',
      body: updateGroupBody,
      data: groupWithMembers,
      message: 'group_updated',
      conditional: true,
      guard: ({ actor, params }) => groups.get(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) =>
        replyWith(await groups.update(actor, params.id, body, expectedVersion), request.locale),
    }),

    operation({
      ...onOne,
      method: 'post',
      path: '/api/admin/groups/:id/members',
      id: 'changeGroupMembers',
      summary: 'Add and remove members',
      description: 'Adding a member or removing a non-member has no effect, so the request can be repeated.',
      body: changeMembersBody,
      data: groupWithMembers,
      message: 'group_updated',
      guard: ({ actor, params }) => groups.get(actor, params.id),
      handler: async ({ actor, params, body, request }) =>
        replyWith(await groups.changeMembers(actor, params.id, body), request.locale),
    }),

    operation({
      ...base,
      params: idParams,
      errors: ['RESOURCE_NOT_FOUND'],
      method: 'delete',
      path: '/api/admin/groups/:id',
      id: 'deleteGroup',
      summary: 'Delete a group',
      description: 'Its members and their assignments are not changed.',
      message: 'group_deleted',
      conditional: true,
      handler: async ({ actor, params, expectedVersion }) => {
        await groups.delete(actor, params.id, expectedVersion);
        return {};
      },
    }),
  ];
}
