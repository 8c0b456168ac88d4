import { z } from 'zod';
import { id, idParams, idsText, idText } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { requireReaderOf } from '../../accounts/admin-scope/admin-scope.ts';
import type { Calendars } from '../calendar/calendars.ts';
import { firstOfDaysOn } from '../calendar/day-kinds.ts';
import { dateOf, firstDayOfWeek, secondsBetween } from '../calendar/study-figures.ts';
import { targetScopes } from '../project-access/project-values.ts';
import { hoursOf, remainingHours } from '../study-sessions/session-times.ts';
import { forecast, todayReasons } from './forecast.ts';
import type { GoalRow } from './goal-read-model.ts';
import * as readModel from './goal-read-model.ts';
import { goalState } from './goal-states.ts';

const hours = z.number().min(0).meta({ example: 1.5 });

const forecastResponse = z
  .object({
    state: goalState,
    target_scope: z.enum(targetScopes),
    hours_of: z.enum(['caller', 'all', 'average']).meta({
      description:
        'Whose hours these are. `caller`: the target is a goal of the caller, or of `user_id`. `all`: all users count towards one target. `average`: each assigned user is to reach the target, and this is their mean.',
      example: 'caller',
    }),
    began_on: z.iso.date().meta({
      description:
        'The day from which an even pace to the due date counts: that of the creation, or of the first record of these hours, if that is earlier.',
      example: '2026-01-12',
    }),
    remaining_hours: hours.meta({ description: 'Hours left to the target.', example: 27.5 }),
    even_pace_hours: hours.nullable().meta({
      description:
        'What an even pace has today, from 0 on `began_on` to the target on the due date; without one, that of the weekly goal, and null without either. Days off are no days of pace and plan, here and below.',
      example: 14,
    }),
    behind_hours: hours.meta({ description: 'If `behind`: the hours that are missing to the even pace.', example: 0 }),
    days_left: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Days to the due date, including today; 0 after it, null without one.', example: 55 }),
    required_hours_per_day: hours.meta({
      description: 'Remaining hours divided by days left; without a due date, a seventh of the weekly goal.',
      example: 0.5,
    }),
    pace_hours_per_day: hours.meta({
      description: 'Hours per day over the last `pace_days`, on which the projection is based.',
      example: 0.6,
    }),
    pace_days: z.int().min(7).max(28).meta({
      description: '28, or the days since the plan or the study of these days began, but at least 7.',
      example: 28,
    }),
    pace_7d: hours.meta({ description: 'Hours per day over the last 7 days.', example: 0.75 }),
    pace_28d: hours.meta({ description: 'Hours per day over the last 28 days.', example: 0.6 }),
    projected_completion: z.iso.date().nullable().meta({
      description:
        'The day on which the target is reached at `pace_hours_per_day`. Null without study in these days, or if nothing remains or the project is paused.',
      example: '2026-03-19',
    }),
    safe_days: z.int().min(0).nullable().meta({
      description:
        'How many days may pass without study before the target is reached too late at this pace. Null without an open plan.',
      example: 0,
    }),
    today_required_hours: hours.meta({
      description:
        "The rest of today's even share towards the due date or the weekly goal, whichever is larger; 0 if that is done, or if nothing is asked.",
      example: 0.25,
    }),
    today_reason: z.enum(todayReasons).nullable().meta({
      description:
        'Which of them asks for it. Null if neither does: without due date and weekly goal, or if the goal is done or paused.',
      example: 'due_date',
    }),
  })
  .meta({ id: 'Forecast' });

const projectForecast = z.object({ project_id: id, forecast: forecastResponse }).meta({ id: 'ProjectForecast' });
const maxForecasts = 50;

function toForecastResponse(row: GoalRow): z.input<typeof forecastResponse> {
  const { studied, members } = row;
  const { today } = studied;
  const { off } = studied;
  const firstOfWeek = firstDayOfWeek(today, studied.week_start);
  const secondsSince = (first: number) => secondsBetween(studied, first, today) / members;
  const result = forecast({
    ...row,
    today,
    off,
    week_began: firstOfWeek,
    today_seconds: secondsSince(today),
    week_seconds: secondsSince(firstOfWeek),
    last_7_days: secondsSince(firstOfDaysOn(off, today, 7)),
    last_28_days: secondsSince(firstOfDaysOn(off, today, 28)),
  });
  return {
    state: row.state,
    target_scope: row.target_scope,
    hours_of: row.own ? 'caller' : row.target_scope === 'each' ? 'average' : 'all',
    began_on: row.began_on,
    remaining_hours: remainingHours(result.remaining),
    even_pace_hours: row.even_seconds === null ? null : hoursOf(row.even_seconds),
    behind_hours: hoursOf(result.behind),
    days_left: result.days_left,
    required_hours_per_day: remainingHours(result.required_per_day),
    pace_hours_per_day: hoursOf(result.pace),
    pace_days: row.pace_days,
    pace_7d: hoursOf(result.pace_7d),
    pace_28d: hoursOf(result.pace_28d),
    projected_completion: result.projected_completion === null ? null : dateOf(result.projected_completion),
    safe_days: result.safe_days,
    today_required_hours: remainingHours(result.today_required),
    today_reason: result.today_reason,
  };
}

export function createGoalRoutes({ store, calendars }: { store: Db; calendars: Calendars }): Operation[] {
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
        const goal = await readModel.read(store, actor, params.id, { ...calendars.of(actor), user_id });
        if (goal === undefined) throw new NotFoundError('project_not_found');
        if (!goal.visible) throw new PermissionDeniedError('project_not_visible');
        if (!goal.known) throw new NotFoundError('user_not_found');
        return { data: toForecastResponse(goal) };
      },
    }),
    operation({
      tag: 'Statistics',
      method: 'get',
      path: '/api/forecasts',
      id: 'listForecasts',
      summary: 'Get the forecasts of several projects',
      description: `As that of one project, for at most ${maxForecasts} in one request and in the order of \`project_ids\`. Projects that do not exist, or that the caller may not see, are left out.`,
      access: 'user',
      cost: 'statistics',
      query: z.object({
        project_ids: idsText(maxForecasts).meta({ description: 'The ids of the projects, separated by commas.' }),
        user_id: idText.optional().meta({ description: 'For administrators: the forecasts of this user.' }),
      }),
      data: z.array(projectForecast),
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
      handler: async ({ actor, query: { project_ids, user_id = actor.id } }) => {
        await requireReaderOf(store, actor, user_id, 'statistics_not_yours');
        const goals = await readModel.readMany(store, actor, project_ids, { ...calendars.of(actor), user_id });
        if (goals.some(({ known }) => !known)) throw new NotFoundError('user_not_found');
        return {
          data: goals.map((goal) => ({ project_id: goal.project_id, forecast: toForecastResponse(goal) })),
        };
      },
    }),
  ];
}
