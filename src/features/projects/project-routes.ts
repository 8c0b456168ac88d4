import { z } from 'zod';
import { contentTag, versionTag } from '../../http/conditional.ts';
import { successText } from '../../http/envelope.ts';
import { idParams, paginate } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { translate } from '../../messages/index.ts';
import { describeAchievement } from '../achievements/achievement-catalogue.ts';
import type { ListCache } from './list-cache.ts';
import type { ProjectAccessCheck } from './project-access.ts';
import type { createProjectListReadModel } from './project-list-read-model.ts';
import {
  assignableUser,
  assignableUsersQuery,
  category,
  createProjectBody,
  createProjectBodyOfAdmin,
  listProjectsQuery,
  project,
  projectCategories,
  projectDetail,
  projectPage,
  trashPage,
  trashQuery,
  updateProjectBody,
} from './project-schemas.ts';
import type { ProjectService } from './project-service.ts';

export type ProjectRoutesOptions = {
  service: ProjectService;
  lists: ReturnType<typeof createProjectListReadModel>;
  cache: ListCache;
  access: ProjectAccessCheck;
};

/** Sorted by what every record changes, a list would be stale before it is read again. */
const notCached = new Set(['current_hours', 'progress', 'updated_at']);

export function createProjectRoutes({ service, lists, cache, access }: ProjectRoutesOptions): Operation[] {
  const base = { tag: 'Projects' } as const;
  const onOne = { ...base, params: idParams, errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/projects',
      id: 'listProjects',
      summary: 'List projects',
      description: 'Administrators see all projects; others those they own and those assigned to them. Never stale.',
      access: 'user',
      query: listProjectsQuery,
      data: projectPage,
      cachedVersionIds: (userId, request) => cache.idsOf(cache.key(userId, request)),
      handler: async ({ actor, query, request }) => {
        const key = cache.key(actor.id, request);
        const cached = cache.find(key, actor.stamp);
        if (cached !== undefined) return { bytes: cached.bytes, etag: cached.etag };
        const page = await lists.read(actor, query);
        const pagination = JSON.stringify(paginate(query.page, query.limit, page.total));
        const json = `{"projects":${page.json},"pagination":${pagination}}`;
        const bytes = Buffer.from(successText({ json }, { key: 'ok' }, request.locale));
        const etag = contentTag(bytes);
        if (!notCached.has(query.sort)) cache.store(actor.id, key, { bytes, etag, ids: page.ids, stamp: page.stamp });
        return { bytes, etag };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/projects',
      id: 'createProject',
      summary: 'Create a project',
      description: 'An administrator names the users it is assigned to; an ordinary user creates it for themselves.',
      access: 'user',
      body: createProjectBody,
      data: project,
      status: 201,
      message: 'project_created',
      idempotent: true,
      bodyFor: (actor) => (actor.role === 'admin' ? createProjectBodyOfAdmin : createProjectBody),
      handler: ({ actor, body, once }) =>
        once(async (db) => {
          const { id, json } = await service.create(db, actor, body);
          return { json, location: `/api/projects/${id}` };
        }),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/categories',
      id: 'listCategories',
      summary: 'List the categories',
      description: 'The four there are, named in the language of the reader.',
      access: 'user',
      data: z.array(category),
      handler: async ({ request }) => ({
        data: projectCategories.map((id) => ({
          id,
          name: translate({ key: `category_${id}` }, request.locale),
          description: translate({ key: `category_${id}_about` }, request.locale),
          icon: id,
        })),
      }),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/users',
      id: 'listAssignableUsers',
      summary: 'List the active ordinary users, for assignment',
      description: 'All of them by username, unpaged.',
      access: 'admin',
      query: assignableUsersQuery,
      data: z.array(assignableUser),
      handler: async ({ query }) => ({ data: await service.listAssignable(query.search) }),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/trash',
      id: 'listTrash',
      summary: 'List deleted projects',
      description: 'Own ones; administrators see all.',
      access: 'user',
      query: trashQuery,
      data: trashPage,
      handler: async ({ actor, query: { page, limit } }) => {
        const { json, total } = await lists.readTrash(actor, page, limit);
        return { json: `{"projects":${json},"pagination":${JSON.stringify(paginate(page, limit, total))}}` };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id',
      id: 'getProject',
      summary: 'Read one project',
      description:
        'With its count of records, the latest one and the achievements earned on it. For its owner, assigned users and administrators.',
      access: 'user',
      data: projectDetail,
      handler: async ({ actor, params, request }) => {
        const found = await service.getDetail(actor, params.id);
        const achievements = found.achievements.map(({ id, earned_at }) => ({
          ...describeAchievement(id, request.locale),
          earned_at,
        }));
        return {
          json: `${found.json},"achievements":${JSON.stringify(achievements)}}`,
          etag: versionTag(found.row_version, actor.id, request.locale),
        };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/projects/:id',
      id: 'updateProject',
      summary: 'Update a project',
      description: 'Every field is optional; `{}` changes nothing. Assignments are changed by administrators only.',
      access: 'user',
      body: updateProjectBody,
      data: project,
      message: 'project_updated',
      conditional: true,
      guard: ({ actor, params }) => access.requireManage(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) => {
        const { json, row_version } = await service.update(actor, params.id, body, expectedVersion);
        return { json, etag: versionTag(row_version, actor.id, request.locale) };
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/projects/:id',
      id: 'deleteProject',
      summary: 'Delete a project',
      description: 'Its study records are kept; `POST /api/projects/{id}/restore` brings it back.',
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
      summary: 'Restore a deleted project',
      description: 'With the assignments of users who can still be assigned.',
      access: 'user',
      data: project,
      message: 'project_restored',
      handler: async ({ actor, params, request }) => {
        const { json, row_version } = await service.restore(actor, params.id);
        return { json, etag: versionTag(row_version, actor.id, request.locale) };
      },
    }),
  ];
}
