import { type Actor, isAdministrator } from '../../../actor.ts';
import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag, versionTag } from '../../../http/reply.ts';
import type { Locale } from '../../../texts/index.ts';
import type { ProjectAccessCheck } from '../project-access/project-access.ts';
import type { ProjectRow } from '../project-access/project-sql.ts';
import { createProjectListRoutes, type ProjectListRoutesOptions } from './list/project-list-routes.ts';
import { project, projectDetail, toProjectDetailResponse, toProjectResponse } from './project-responses.ts';
import { createProjectBody, createProjectBodyOfAdmin, updateProjectBody } from './project-schemas.ts';
import type { ProjectService } from './project-service.ts';

export type ProjectRoutesOptions = ProjectListRoutesOptions & { service: ProjectService; access: ProjectAccessCheck };

export function createProjectRoutes({ service, access, ...lists }: ProjectRoutesOptions): Operation[] {
  const base = { tag: 'Projects' } as const;
  const onOne = { ...base, params: idParams, errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'] } as const;

  return [
    ...createProjectListRoutes(lists),

    operation({
      ...base,
      method: 'post',
      path: '/api/projects',
      id: 'createProject',
      scope: 'projects:write',
      summary: 'Create a project',
      description: 'Administrators specify the users to whom it is assigned; ordinary users create it for themselves.',
      access: 'user',
      body: createProjectBody,
      data: project,
      status: 201,
      message: 'project_created',
      idempotent: true,
      bodyFor: (actor) => (isAdministrator(actor) ? createProjectBodyOfAdmin : createProjectBody),
      replay: async ({ actor }, id) => replyWithNew(await service.getDetail(actor, id)),
      handler: async ({ actor, body, key }) => replyWithNew(await service.create(actor, body, key)),
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id',
      id: 'getProject',
      summary: 'Get a project',
      description:
        'Includes the number of records, the latest one and the achievements earned on it. For the owner, assigned users and administrators.',
      access: 'user',
      data: projectDetail,
      batched: true,
      handler: async ({ actor, params, request }) => {
        const detail = await service.getDetail(actor, params.id);
        return {
          data: toProjectDetailResponse(detail, request.locale),
          etag: versionTag(detail.row_version, actor.id, request.locale),
        };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/projects/:id',
      id: 'updateProject',
      scope: 'projects:write',
      summary: 'Update a project',
      description: 'Every field is optional; `{}` changes nothing. Only administrators may change assignments.',
      access: 'user',
      body: updateProjectBody,
      data: project,
      message: 'project_updated',
      deprecated: { fields: ['assigned_user_id'], since: '2026-11-22' },
      conditional: true,
      guard: ({ actor, params }) => access.requireAssign(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) => {
        return replyWith(actor, await service.update(actor, params.id, body, expectedVersion), request.locale);
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/projects/:id',
      id: 'deleteProject',
      scope: 'projects:write',
      summary: 'Delete a project',
      description: 'Its study records are not deleted. `POST /api/projects/{id}/restore` restores it.',
      access: 'user',
      message: 'project_deleted',
      conditional: true,
      handler: async ({ actor, params, expectedVersion }) => {
        await service.delete(actor, params.id, expectedVersion);
        return {};
      },
    }),

    operation({
      ...onOne,
      errors: [...onOne.errors, 'CONFLICT'],
      method: 'post',
      path: '/api/projects/:id/restore',
      id: 'restoreProject',
      scope: 'projects:write',
      summary: 'Restore a deleted project',
      description: 'Restores the assignments of users who can still be assigned.',
      access: 'user',
      data: project,
      message: 'project_restored',
      handler: async ({ actor, params, request }) => {
        return replyWith(actor, await service.restore(actor, params.id), request.locale);
      },
    }),
  ];
}

function replyWithNew(row: ProjectRow) {
  return { data: toProjectResponse(row), location: `/api/projects/${row.id}` };
}

function replyWith(actor: Actor, row: ProjectRow, locale: Locale) {
  const data = toProjectResponse(row);
  // What a limited administrator sees of a project also changes with their students.
  const isLimited = actor.role === 'class_admin';
  const { row_version } = row;
  return {
    data,
    etag: isLimited ? contentVersionTag(row_version, data, locale) : versionTag(row_version, actor.id, locale),
  };
}
