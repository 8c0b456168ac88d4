import type { Executor } from '../../db/executor.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/export/exporter.ts';
import type { AuditExport } from '../audit/export-audit.ts';
import type { Calendars } from '../statistics/calendars.ts';
import { createProgressReadModel } from './progress-read-model.ts';
import { createProgressRoutes } from './progress-routes.ts';
import { createProgressService } from './progress-service.ts';
import { createProjectHoursReadModel } from './project-hours-read-model.ts';
import { createProjectHoursService } from './project-hours-service.ts';

export type ProgressFeatureOptions = {
  database: Executor;
  calendars: Calendars;
  clock: Clock;
  exporter: Exporter;
  auditExport: AuditExport;
};

export function createProgressFeature({ database, calendars, clock, exporter, auditExport }: ProgressFeatureOptions) {
  const progress = createProgressService({ readModel: createProgressReadModel(database), clock });
  const projectHours = createProjectHoursService({ readModel: createProjectHoursReadModel(database), calendars });
  return { operations: createProgressRoutes({ progress, projectHours, exporter, auditExport }) };
}
