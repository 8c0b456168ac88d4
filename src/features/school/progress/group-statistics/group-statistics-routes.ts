import { idParams, paginate } from '../../../../http/fields.ts';
import { type Operation, operation } from '../../../../http/operation.ts';
import { dateOf } from '../../../study/calendar/study-figures.ts';
import { groupStatistics, groupStatisticsQuery } from './group-statistics-schemas.ts';
import type { GroupStatisticsService } from './group-statistics-service.ts';

export function createGroupStatisticsRoutes(service: GroupStatisticsService): Operation[] {
  return [
    operation({
      tag: 'Statistics',
      access: 'admin',
      scoped: true,
      cost: 'statistics',
      method: 'get',
      path: '/api/admin/groups/:id/statistics',
      id: 'getGroupStatistics',
      summary: 'Get the statistics of a group',
      description:
        'Of its active ordinary members: the distribution of hours, their trend by week, the hours of each member by day, and the assigned projects. Days are those of the calendar of each member.',
      params: idParams,
      query: groupStatisticsQuery,
      data: groupStatistics,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, query }) => {
        const { group, period, figures, total, ...rest } = await service.read(actor, params.id, query);
        const pagination = paginate(query.page, query.limit, total);
        const data = { group, from: dateOf(period.from), to: dateOf(period.to), ...figures, ...rest, pagination };
        return { data };
      },
    }),
  ];
}
