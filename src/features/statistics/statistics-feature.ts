import type { Clock } from '../../lib/clock.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createCalendars } from './calendars.ts';
import type { PeriodReadModel } from './period-read-model.ts';
import type { StatisticsReadModel } from './statistics-read-model.ts';
import { createStatisticsRoutes } from './statistics-routes.ts';
import { createStatisticsService } from './statistics-service.ts';
import type { TimeZones } from './time-zones.ts';

export type StatisticsFeatureOptions = {
  readModel: StatisticsReadModel;
  periods: PeriodReadModel;
  access: ProjectAccessCheck;
  timeZones: TimeZones;
  clock: Clock;
};

export function createStatisticsFeature({ readModel, periods, access, timeZones, clock }: StatisticsFeatureOptions) {
  const service = createStatisticsService({ readModel, periods, timeZones, clock });
  return {
    operations: createStatisticsRoutes({ service, access }),
    calendars: createCalendars(clock),
  };
}
