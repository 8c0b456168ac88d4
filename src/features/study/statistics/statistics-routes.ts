import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ProjectAccessCheck } from '../project-access/project-access.ts';
import { toPersonalStatisticsResponse, toStatisticsResponse } from './statistics-responses.ts';
import { personalStatistics, statistics, statisticsQuery } from './statistics-schemas.ts';
import type { StatisticsService } from './statistics-service.ts';

export type StatisticsRoutesOptions = { service: StatisticsService; access: ProjectAccessCheck };

const noDays = { daily: [] };

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
      summary: 'Get the statistics of a project',
      description:
        'Covers the finished records of all users on it, or with `user_id` those of one user: the caller, or any user for the owner and administrators. A record of at least a minute counts for each local day it touches. The start of days and the days of rest follow the preferences of that user, or else of the caller.',
      params: idParams,
      data: statistics,
      // A change of another user's preferences does not change the list version of the reader.
      cached: { unless: ({ user_id }) => user_id !== undefined },
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: async ({ actor, params, query }) => {
        const { project, totals, zone, ofPeriod, dependsOn } = await service.ofProject(actor, params.id, query);
        const data = toStatisticsResponse(project, totals, { zone, weeks: query.weeks });
        return { data: { ...data, ...ofPeriod, ...(!query.daily && noDays) }, dependsOn };
      },
    }),

    operation({
      ...base,
      path: '/api/stats',
      id: 'getStatistics',
      summary: 'Get the statistics of a user',
      description:
        "Covers the caller's finished records on all projects; administrators may request another `user_id`. Days and weeks follow the preferences of that user.",
      data: personalStatistics,
      handler: async ({ actor, query }) => {
        const { statistics, zone, ofPeriod } = await service.ofUser(actor, query);
        const data = toPersonalStatisticsResponse(statistics, { zone, weeks: query.weeks });
        return { data: { ...data, ...ofPeriod, ...(!query.daily && noDays) } };
      },
    }),
  ];
}
