import { type Operation, operation } from '../../../http/operation.ts';
import type { Calendars } from '../calendar/calendars.ts';
import type { DashboardReadModel } from './dashboard-read-model.ts';
import { dashboard, toDashboardResponse } from './dashboard-schemas.ts';

export type DashboardRoutesOptions = { readModel: DashboardReadModel; calendars: Calendars };

export function createDashboardRoutes({ readModel, calendars }: DashboardRoutesOptions): Operation[] {
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
        return { data: toDashboardResponse(await readModel.read(actor, calendar), calendar.zone) };
      },
    }),
  ];
}
