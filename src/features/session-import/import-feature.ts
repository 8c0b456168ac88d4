import type { Clock } from '../../lib/clock.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Store } from '../../store.ts';
import type { Awards } from '../achievements/award-kind.ts';
import type { TimeZones } from '../statistics/time-zones.ts';
import type { OverdueTimers } from '../timer/overdue-timers.ts';
import { createImportCheck } from './import-check.ts';
import { createImportRecovery } from './import-recovery.ts';
import { createImportRoutes } from './import-routes.ts';
import { createImportService } from './import-service.ts';
import { createImportWriter } from './import-writer.ts';

export type ImportFeatureOptions = {
  store: Store;
  timeZones: TimeZones;
  clock: Clock;
  awards: Awards;
  overdue: OverdueTimers;
};

export function createImportFeature({ store, timeZones, clock, awards, overdue }: ImportFeatureOptions) {
  const writer = createImportWriter({ store, clock });
  const check = createImportCheck({ store, timeZones, clock });
  const recovery = createImportRecovery({ store, clock, writer });
  // Two per process; the table allows one per user in all processes.
  const queue = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 });
  const service = createImportService({ store, clock, awards, overdue, queue, check, writer, recovery });
  const jobs: Job[] = [
    { name: 'undo interrupted imports', everySeconds: 30, run: recovery.undoAllLapsed },
    { name: 'remove old imports', everySeconds: 3600, run: recovery.deleteOld },
  ];
  return { operations: createImportRoutes(service), jobs };
}
