import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { Calendars } from '../calendar/calendars.ts';
import { dateOf, studyFigures } from '../calendar/study-figures.ts';
import { targetScopes } from '../project-access/project-values.ts';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { hoursOf, remainingHours } from '../study-sessions/session-times.ts';
import { runningTimer } from '../timer/timer-schemas.ts';
import * as readModel from './dashboard-read-model.ts';
import { type Dashboard, riskStates } from './dashboard-read-model.ts';

const hours = z.number().min(0).meta({ example: 1.5 });
const named = {
  project_id: id,
  project_name: z.string().meta({ example: 'Linear algebra' }),
};

const dashboard = z
  .object({
    date: z.iso.date().meta({ description: "Today in the caller's time zone.", example: '2026-02-01' }),
    today_hours: hours,
    daily_goal_minutes: z.int().nullable().meta({ description: 'As in the preferences.', example: 90 }),
    weekly_goal_minutes: z.int().nullable().meta({ description: 'As in the preferences.', example: 420 }),
    week_hours: hours.meta({ description: "Since the first day of the caller's week.", example: 7.5 }),
    current_streak: z.int().min(0).meta({ description: "As in the caller's statistics.", example: 12 }),
    studied_today: z.boolean().meta({ description: 'Whether today already counts for the streak.', example: true }),
    running_timer: runningTimer,
    continue: z
      .array(
        z.object({
          ...named,
          own_hours: hours.meta({ example: 12.5 }),
          own_last_session: timestamp.meta({ description: "The end of the caller's latest record." }),
        }),
      )
      .meta({ description: 'The five active projects that the caller studied last, latest first.' }),
    goals_at_risk: z
      .array(
        z.object({
          ...named,
          state: z.enum(riskStates).meta({ description: 'As in the forecast of the project.', example: 'behind' }),
          target_scope: z.enum(targetScopes),
          due_date: z.iso
            .date()
            .nullable()
            .meta({ description: 'Null for a weekly goal without one.', example: '2026-06-30' }),
          days_left: z
            .int()
            .min(0)
            .nullable()
            .meta({ description: 'Including today; 0 after the due date, null without one.', example: 10 }),
          remaining_hours: hours.meta({ example: 12 }),
          required_hours_per_day: hours.meta({ example: 1.2 }),
        }),
      )
      .meta({
        description:
          "The caller's own goals that are overdue, behind or slowing: owned projects, and assigned ones whose target each user is to reach. The five that are due first, with the caller's hours.",
      }),
  })
  .meta({ id: 'Dashboard' });

function toDashboardResponse(
  { figures, daily_goal_minutes, weekly_goal_minutes, timer }: Dashboard,
  zone: string,
): z.input<typeof dashboard> {
  const { current_streak, seconds_today, seconds_this_week, studied_today } = studyFigures(figures, zone);
  return {
    date: dateOf(figures.today),
    today_hours: hoursOf(seconds_today),
    daily_goal_minutes,
    weekly_goal_minutes,
    week_hours: hoursOf(seconds_this_week),
    current_streak,
    studied_today,
    running_timer: timer === undefined ? null : toSessionResponse(timer),
    continue: figures.continue.map(({ own_seconds, last_session, ...project }) => ({
      ...project,
      own_hours: hoursOf(own_seconds),
      own_last_session: new Date(last_session).toISOString(), // PostgreSQL writes timestamps in JSON with an offset
    })),
    goals_at_risk: figures.goals_at_risk.map(({ remaining, weekly_goal_hours, ...goal }) => ({
      ...goal,
      remaining_hours: remainingHours(remaining),
      required_hours_per_day:
        goal.days_left === null
          ? hoursOf(((weekly_goal_hours ?? 0) * 3600) / 7)
          : remainingHours(remaining / Math.max(1, goal.days_left)),
    })),
  };
}

export function createDashboardRoutes({ store, calendars }: { store: Db; calendars: Calendars }): Operation[] {
  return [
    operation({
      tag: 'Statistics',
      method: 'get',
      path: '/api/dashboard',
      id: 'getDashboard',
      summary: 'Get the data of a start page',
      description:
        "The caller's hours of today and this week, streak, timer, recently studied projects and goals at risk, in one request. Days follow the caller's time zone and preferences.",
      access: 'user',
      data: dashboard,
      handler: async ({ actor }) => {
        const calendar = calendars.of(actor);
        return { data: toDashboardResponse(await readModel.read(store, actor, calendar), calendar.zone) };
      },
    }),
  ];
}
