import { z } from 'zod';
import type { Actor } from '../../../../actor.ts';
import { paginate } from '../../../../http/fields.ts';
import { type Operation, operation } from '../../../../http/operation.ts';
import type { SendUnpaged } from '../../../../http/reply.ts';
import { PermissionDeniedError } from '../../../../texts/access-errors.ts';
import { scopedFilter } from '../../../accounts/admin-scope/admin-scope.ts';
import type { Calendars } from '../../calendar/calendars.ts';
import { canFilterByAssignment } from '../../project-access/project-access.ts';
import {
  assignableUser,
  category,
  projectPage,
  toAssignableUserResponse,
  toCategoryResponses,
  toProjectResponse,
  toTrashedProjectResponse,
  trashPage,
} from '../project-responses.ts';
import {
  assignableUsersQuery,
  type ListProjectsQuery,
  listProjectsQuery,
  trashQuery,
  volatileSorts,
} from '../project-schemas.ts';
import type { AssignableReadModel, ProjectListReadModel } from './project-list-read-model.ts';

export type ProjectListRoutesOptions = {
  lists: ProjectListReadModel;
  assignable: AssignableReadModel;
  sendUnpaged: SendUnpaged;
  calendars: Calendars;
};

export function createProjectListRoutes({
  lists,
  assignable,
  sendUnpaged,
  calendars,
}: ProjectListRoutesOptions): Operation[] {
  const base = { tag: 'Projects' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/projects',
      id: 'listProjects',
      summary: 'List projects',
      description:
        'Administrators see all projects, those limited to groups their own and those of their students; others those that they own or that are assigned to them. Always current.',
      access: 'user',
      query: listProjectsQuery,
      data: projectPage,
      cached: { unless: ({ sort, state }) => volatileSorts.has(sort) || state !== 'all' },
      errors: ['PERMISSION_DENIED'],
      handler: async ({ actor, query }) => {
        requireFilters(actor, query);
        const calendar = calendars.of(actor);
        const { projects, total, dependsOn } = await lists.read(actor, { ...query, calendar });
        const pagination = paginate(query.page, query.limit, total);
        return { data: { projects: projects.map(toProjectResponse), pagination }, dependsOn };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/categories',
      id: 'listCategories',
      summary: 'List the categories',
      description: 'The four categories, with names in the language of the request.',
      access: 'user',
      data: z.array(category),
      handler: async ({ request }) => ({ data: toCategoryResponses(request.locale) }),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/users',
      id: 'listAssignableUsers',
      summary: 'List active ordinary users, for assignment',
      description: 'All of them, sorted by username, not paged.',
      access: 'admin',
      scoped: true,
      query: assignableUsersQuery,
      data: z.array(assignableUser),
      handler: async (context) => {
        const { store, actor, query } = context;
        const users = assignable.users(actor, await scopedFilter(store, actor, query));
        return sendUnpaged(users, toAssignableUserResponse, context);
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/projects/trash',
      id: 'listTrash',
      summary: 'List deleted projects',
      description: 'Your own; administrators see all.',
      access: 'user',
      query: trashQuery,
      data: trashPage,
      handler: async ({ actor, query: { page, limit } }) => {
        const { projects, total } = await lists.readTrash(actor, page, limit);
        const pagination = paginate(page, limit, total);
        return { data: { projects: projects.map(toTrashedProjectResponse), pagination } };
      },
    }),
  ];
}

function requireFilters(actor: Actor, { assigned, assigned_user_id }: ListProjectsQuery): void {
  const byAssignment = assigned !== 'all' || assigned_user_id !== undefined;
  if (byAssignment && !canFilterByAssignment(actor)) throw new PermissionDeniedError('assignment_filter_is_for_admins');
}
