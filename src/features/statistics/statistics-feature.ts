import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createStatisticsReadModel } from './statistics-read-model.ts';
import { createStatisticsRoutes } from './statistics-routes.ts';
import { createStatisticsService } from './statistics-service.ts';
import { createTimeZones } from './time-zones.ts';

export type StatisticsFeatureOptions = { database: Database; access: ProjectAccessCheck; clock: Clock };

/** Figures of projects and people. */
export function createStatisticsFeature({ database, access, clock }: StatisticsFeatureOptions) {
  const readModel = createStatisticsReadModel(database);
  const service = createStatisticsService({ readModel, timeZones: createTimeZones(readModel), clock });
  return { operations: createStatisticsRoutes({ service, access }) };
}
