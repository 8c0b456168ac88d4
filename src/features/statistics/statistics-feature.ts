import type { Clock } from '../../lib/clock.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createCalendars } from './calendars.ts';
import type { StatisticsReadModel } from './statistics-read-model.ts';
import { createStatisticsRoutes } from './statistics-routes.ts';
import { createStatisticsService } from './statistics-service.ts';
import type { TimeZones } from './time-zones.ts';

export type StatisticsFeatureOptions = {
  readModel: StatisticsReadModel;
  access: ProjectAccessCheck;
  timeZones: TimeZones;
  clock: Clock;
};

export function createStatisticsFeature({ readModel, access, timeZones, clock }: StatisticsFeatureOptions) {
  const service = createStatisticsService({ readModel, timeZones, clock });
  return {
    operations: createStatisticsRoutes({ service, access }),
    calendars: createCalendars(clock),
  };
}
