import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/export/exporter.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import type { Store } from '../../store.ts';
import type { AuditExport } from '../audit/export-audit.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import type { OverdueTimers } from '../timer/overdue-timers.ts';
import type { SessionListReadModel } from './list/session-list-read-model.ts';
import { createSessionRoutes } from './session-routes.ts';
import { createSessionService } from './session-service.ts';

export type SessionFeatureOptions = {
  store: Store;
  lists: SessionListReadModel;
  overdue: OverdueTimers;
  access: ProjectAccessCheck;
  exporter: Exporter;
  clock: Clock;
  securityLog: SecurityLog;
  auditExport: AuditExport;
};

export function createSessionFeature(options: SessionFeatureOptions) {
  const service = createSessionService(options);
  return { service, operations: createSessionRoutes({ ...options, service }) };
}
