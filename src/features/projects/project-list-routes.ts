import { z } from 'zod';
import type { TakeRows } from '../../db/row-stream.ts';
import { PermissionDeniedError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { paginate } from '../../http/validation/fields.ts';
import type { Exporter } from '../../lib/exporter.ts';
import { jsonList } from '../../lib/json-export.ts';
import { translate } from '../../messages/index.ts';
import type { Actor } from '../auth/identity.ts';
import type { Calendars } from '../statistics/calendars.ts';
import type { AssignableReadModel, AssignableRow } from './assignable-read-model.ts';
import type { ProjectListReadModel } from './project-list-read-model.ts';
import { canFilterByAssignment } from './project-policy.ts';
import { assignableUser, category, projectPage, trashPage } from './project-response-schemas.ts';
import { toAssignableUserResponse, toCategoryResponses, toTrashedProjectResponse } from './project-responses.ts';
import {
  assignableUsersQuery,
  type ListProjectsQuery,
  listProjectsQuery,
  trashQuery,
  volatileSorts,
} from './project-schemas.ts';

export type ProjectListRoutesOptions = {
  lists: ProjectListReadModel;
  assignable: AssignableReadModel;
  exporter: Exporter;
  calendars: Calendars;
};

/** As many users are sent with an ETag; a longer list is written while it is read. */
const sentWhole = 1000;

export function createProjectListRoutes({
  lists,
  assignable,
  exporter,
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
      description: 'Administrators see all projects; others those they own and those assigned to them. Never stale.',
      access: 'user',
      query: listProjectsQuery,
      data: projectPage,
      cached: { unless: ({ sort, state }) => volatileSorts.has(sort) || state !== 'all' },
      errors: ['PERMISSION_DENIED'],
      handler: async ({ actor, query }) => {
        requireFilters(actor, query);
        const calendar = await calendars.of(actor);
        const { projects, total, dependsOn } = await lists.read(actor, { ...query, calendar });
        const pagination = paginate(query.page, query.limit, total);
        return { data: { projects, pagination }, dependsOn };
      },
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
      handler: async ({ request }) => ({ data: toCategoryResponses(request.locale) }),
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
      handler: async ({ actor, query, request }) => {
        const users = await assignable.list(query, sentWhole + 1);
        if (users.length <= sentWhole) return { data: users.map(toAssignableUserResponse) };
        const message = JSON.stringify(translate({ key: 'ok' }, request.locale));
        const read = (take: TakeRows<AssignableRow>) => assignable.export(query, take);
        const around = [`{"success":true,"message":${message},"data":[`, ']}'] as const;
        const work = jsonList(read, toAssignableUserResponse, around);
        const stream = await exporter.run(`user ${actor.id}`, work, request.closed());
        return { stream, contentType: 'application/json; charset=utf-8' };
      },
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
