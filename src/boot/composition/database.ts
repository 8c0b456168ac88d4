import type { Database } from '../../db/database.ts';
import { deletions } from '../../features/integrations/sync/sync-projection.ts';
import { webhookDeliveries } from '../../features/integrations/webhooks/webhook-projection.ts';
import { auditLog } from '../../features/operations/audit/audit-projection.ts';
import { createLiveUpdates } from '../../features/operations/live-updates/live-update-projection.ts';
import { recalculations } from '../../features/study/achievements/award-projection.ts';
import type { AnyProjection } from '../../transactions/event-writer.ts';
import { listVersions } from '../../transactions/list-version-projection.ts';
import { createDb, type Db } from '../../transactions/transactions.ts';

/** Everything that follows from events, in the order in which rows are locked. */
const projections: readonly AnyProjection[] = [
  auditLog,
  deletions,
  webhookDeliveries,
  recalculations,
  listVersions,
  createLiveUpdates({ lists: listVersions, deletions, audit: auditLog }),
];

/** The database as services and commands use it. */
export const connect = (database: Database): Db => createDb(database, projections);
