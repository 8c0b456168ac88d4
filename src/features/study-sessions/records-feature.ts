import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/exporter.ts';
import type { Job } from '../../lib/jobs.ts';
import type { SecurityLog } from '../../lib/security-log.ts';
import type { NoteExport } from '../audit/export-audit.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import { createOverdueTimers } from './overdue-timers.ts';
import { createSessionListReadModel } from './session-list-read-model.ts';
import { createSessionRoutes } from './session-routes.ts';
import { createSessionService } from './session-service.ts';
import { createTimerRoutes } from './timer-routes.ts';
import { createTimerService } from './timer-service.ts';

export type RecordsFeatureOptions = {
  config: Config;
  database: Database;
  access: ProjectAccessCheck;
  exporter: Exporter;
  clock: Clock;
  securityLog: SecurityLog;
  noteExport: NoteExport;
};

/** Study records and the timer, put together. */
export function createRecordsFeature(options: RecordsFeatureOptions) {
  const { config, database, access, exporter, clock, securityLog, noteExport } = options;
  const maxSeconds = Math.max(1, Math.round(config.timer.maxHours * 3600));
  const overdue = createOverdueTimers({ database, clock, maxSeconds });
  const timers = createTimerService({ database, clock, overdue });
  const service = createSessionService({ database, clock, overdue, securityLog });
  const lists = createSessionListReadModel(database);
  const jobs: Job[] = [{ name: 'end overdue timers', everySeconds: 60, run: () => overdue.end(null) }];

  return {
    overdue,
    operations: [
      ...createSessionRoutes({ service, lists, overdue, access, exporter, clock, noteExport }),
      ...createTimerRoutes(timers),
    ],
    jobs,
    sessions: service,
    stopTimersOnProject: timers.stopOnProject,
    stopTimerOfUser: timers.stopOfUser,
  };
}
