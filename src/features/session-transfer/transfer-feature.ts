import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Job } from '../../lib/jobs.ts';
import type { OverdueTimers } from '../study-sessions/overdue-timers.ts';
import { createImportCheck } from './import-check.ts';
import { createImportRecovery } from './import-recovery.ts';
import { createImportRoutes } from './import-routes.ts';
import { createImportService } from './import-service.ts';
import { createImportWriter } from './import-writer.ts';

export type TransferFeatureOptions = { database: Database; clock: Clock; overdue: OverdueTimers };

/** Imports of study records, put together. */
export function createTransferFeature({ database, clock, overdue }: TransferFeatureOptions) {
  const writer = createImportWriter({ database, clock });
  const check = createImportCheck({ database, clock });
  const recovery = createImportRecovery({ database, clock, writer });
  // Each that runs takes a connection and a core now and then; one of a user at a time, of all processes, as the table says.
  const queue = createFairQueue({ slots: 2, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 });
  const service = createImportService({ database, clock, overdue, queue, check, writer, recovery });
  const jobs: Job[] = [
    { name: 'undo interrupted imports', everySeconds: 30, run: recovery.undoAllLapsed },
    { name: 'remove old imports', everySeconds: 3600, run: recovery.sweep },
  ];
  return { operations: createImportRoutes(service), jobs };
}
