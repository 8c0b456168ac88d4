import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import { idParams } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Calendars } from '../statistics/time-zones.ts';
import type { GoalReadModel } from './goal-read-model.ts';
import { forecastResponse, toForecastResponse } from './goal-schemas.ts';

export type GoalRoutesOptions = { readModel: GoalReadModel; calendars: Calendars };

export function createGoalRoutes({ readModel, calendars }: GoalRoutesOptions): Operation[] {
  return [
    operation({
      tag: 'Statistics',
      method: 'get',
      path: '/api/projects/:id/forecast',
      id: 'getProjectForecast',
      summary: 'Get the forecast of a project',
      description:
        "Its progress towards target and due date, and the study time required per day, in days and weeks of the caller. Based on the caller's finished records if the target is their own goal, otherwise on those of all users. For users who can see the project.",
      access: 'user',
      cost: 'statistics',
      params: idParams,
      data: forecastResponse,
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        const goal = await readModel.read(actor, params.id, calendars.of(actor));
        if (goal === undefined) throw new NotFoundError('project_not_found');
        if (!goal.visible) throw new PermissionDeniedError('project_not_visible');
        return { data: toForecastResponse(goal) };
      },
    }),
  ];
}
