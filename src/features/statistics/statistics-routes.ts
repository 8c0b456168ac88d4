import { type Operation, operation } from '../../http/operation.ts';
import { idParams } from '../../http/validation/fields.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { toPersonalStatisticsResponse, toStatisticsResponse } from './statistics-responses.ts';
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
        'All finished records on it, by everybody; with `user_id` those of one user: oneself, or anybody for the owner and administrators. A record belongs to the local days it touches. When days begin and which are days of rest are preferences: of that user, or else of the caller.',
      params: idParams,
      data: statistics,
      // What others prefer may change without a change of the reader's list version.
      cached: { unless: ({ user_id }) => user_id !== undefined },
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: async ({ actor, params, query }) => {
        const { project, totals, dependsOn } = await service.ofProject(actor, params.id, query);
        return { data: toStatisticsResponse(project, totals), dependsOn };
      },
    }),

    operation({
      ...base,
      path: '/api/stats',
      id: 'getStatistics',
      summary: 'Statistics of a person',
      description:
        "The caller's own finished records over all projects; administrators may ask for another `user_id`. Days and weeks follow the preferences of that user.",
      data: personalStatistics,
      handler: async ({ actor, query }) => ({ data: toPersonalStatisticsResponse(await service.ofUser(actor, query)) }),
    }),
  ];
}
