import { z } from 'zod';
import type { Reader } from '../../../actor.ts';
import { idParams, optionalPageQuery, paginate, pagination } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { renderInTurns } from '../../../http/rendering.ts';
import type { SendUnpaged } from '../../../http/reply.ts';
import type { ProjectAccessCheck } from '../project-access/project-access.ts';
import { assignment, batchAssignBody, batchAssignResult, member } from './assignment-schemas.ts';
import type { AssignmentService } from './assignment-service.ts';
import { batchMessage } from './batch-report.ts';
import type { MemberReadModel } from './member-read-model.ts';

export type AssignmentRoutesOptions = {
  service: AssignmentService;
  members: MemberReadModel;
  access: ProjectAccessCheck;
  sendUnpaged: SendUnpaged;
};

export function createAssignmentRoutes({
  service,
  members,
  access,
  sendUnpaged,
}: AssignmentRoutesOptions): Operation[] {
  const onOne = {
    tag: 'Assignments',
    access: 'user',
    params: idParams,
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  } as const;

  async function onePage(reader: Reader, projectId: number, { page, limit }: { page: number; limit: number }) {
    const { members: found, total } = await members.memberPage(reader, projectId, { page, limit });
    return {
      data: found.map(({ total: _, ...entry }) => entry),
      extraFields: { pagination: paginate(page, limit, total) },
    };
  }

  return [
    operation({
      method: 'post',
      path: '/api/projects/batch-assign',
      id: 'batchAssign',
      tag: 'Assignments',
      summary: 'Assign many projects to many users',
      description:
        'With `assign_type` and `user_ids`, `group_ids` or both, valid pairs are applied and the others are reported as failures. With `assigned_user_ids`, the list replaces the assignments of every project, or nothing changes.',
      access: 'admin',
      scoped: true,
      body: batchAssignBody,
      data: batchAssignResult,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, body, request }) => {
        const report = await service.batchAssign(actor, body, request.locale);
        return { bytes: await renderInTurns({ data: report, message: batchMessage(report) }, request.locale) };
      },
    }),
    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id/assignments',
      id: 'listAssignments',
      summary: 'List the assigned users in order',
      description: 'In the order of assignment. Only for the owner and administrators.',
      data: z.array(assignment),
      handler: async (context) => {
        await access.requireAssign(context.actor, context.params.id);
        return sendUnpaged(members.assignments(context.actor, context.params.id), (assignment) => assignment, context);
      },
    }),
    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id/members',
      id: 'listMembers',
      summary: 'List current and former members of a project',
      description:
        'All users who are assigned or have recorded study on it. With `page` or `limit`, a page of them, and its `pagination`.',
      query: z.object(optionalPageQuery),
      data: z.array(member),
      extraFields: { pagination: pagination.optional() },
      handler: async (context) => {
        await access.requireAssign(context.actor, context.params.id);
        const { page, limit } = context.query;
        if (page !== undefined || limit !== undefined)
          return onePage(context.actor, context.params.id, { page: page ?? 1, limit: limit ?? 10 });
        return sendUnpaged(members.members(context.actor, context.params.id), (member) => member, context);
      },
    }),
  ];
}
