import { idParams } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { personalStatistics, statistics, statisticsQuery } from './statistics-schemas.ts';
import type { StatisticsService } from './statistics-service.ts';

export type StatisticsRoutesOptions = { service: StatisticsService; access: ProjectAccessCheck };

export function createStatisticsRoutes({ service, access }: StatisticsRoutesOptions): Operation[] {
  const base = {
    tag: 'Statistics',
    method: 'get',
    access: 'user',
    query: statisticsQuery,
    cost: 'statistics',
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  } as const;

  return [
    operation({
      ...base,
      path: '/api/projects/:id/stats',
      id: 'getProjectStatistics',
      summary: 'Statistics of a project',
      description:
        'All finished records on it, by everybody; with `user_id` those of one user: oneself, or anybody for the owner and administrators. A record belongs to the local days it touches.',
      params: idParams,
      data: statistics,
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: async ({ actor, params, query }) => ({ json: await service.ofProject(actor, params.id, query) }),
    }),

    operation({
      ...base,
      path: '/api/stats',
      id: 'getStatistics',
      summary: 'Statistics of a person',
      description: "The caller's own finished records over all projects; administrators may ask for another `user_id`.",
      data: personalStatistics,
      handler: async ({ actor, query }) => ({ json: await service.ofUser(actor, query) }),
    }),
  ];
}
