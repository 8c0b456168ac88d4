import { z } from 'zod';
import { idParams, idText } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { requireReaderOf } from '../../accounts/admin-scope/admin-scope.ts';
import type { Calendars } from '../calendar/calendars.ts';
import type { GoalReadModel } from './goal-read-model.ts';
import { forecastResponse, toForecastResponse } from './goal-schemas.ts';

export type GoalRoutesOptions = { store: Db; readModel: GoalReadModel; calendars: Calendars };

export function createGoalRoutes({ store, readModel, calendars }: GoalRoutesOptions): Operation[] {
  return [
    operation({
      tag: 'Statistics',
      method: 'get',
      path: '/api/projects/:id/forecast',
      id: 'getProjectForecast',
      summary: 'Get the forecast of a project',
      description:
        'Its progress towards target and due date, and the study time required per day, in days and weeks of the caller, or of `user_id`. Based on the finished records of that user if the target is their own goal, otherwise on those of all users. For users who can see the project.',
      access: 'user',
      cost: 'statistics',
      params: idParams,
      query: z.object({
        user_id: idText.optional().meta({ description: 'For administrators: the forecast of this user.' }),
      }),
      data: forecastResponse,
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, query: { user_id = actor.id } }) => {
        await requireReaderOf(store, actor, user_id, 'statistics_not_yours');
        const goal = await readModel.read(actor, params.id, { ...calendars.of(actor), user_id });
        if (goal === undefined) throw new NotFoundError('project_not_found');
        if (!goal.visible) throw new PermissionDeniedError('project_not_visible');
        if (!goal.known) throw new NotFoundError('user_not_found');
        return { data: toForecastResponse(goal) };
      },
    }),
  ];
}
