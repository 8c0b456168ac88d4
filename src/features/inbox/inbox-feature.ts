import type { Database } from '../../db/database.ts';
import type { Operation } from '../../http/operation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/export/exporter.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Store } from '../../store.ts';
import type { AuditExport } from '../audit/export-audit.ts';
import { createContactLink } from './contact-link.ts';
import { createInboxReadModel } from './inbox-read-model.ts';
import { createInboxRoutes } from './inbox-routes.ts';
import { createInboxService } from './inbox-service.ts';

export type InboxFeatureOptions = {
  store: Store;
  database: Database;
  clock: Clock;
  exporter: Exporter;
  auditExport: AuditExport;
  retentionDays: number;
};

export function createInboxFeature({
  store,
  database,
  clock,
  exporter,
  auditExport,
  retentionDays,
}: InboxFeatureOptions) {
  const inbox = createInboxService({ store, clock });
  const operations: Operation[] = createInboxRoutes({
    inbox,
    readModel: createInboxReadModel(database, clock),
    exporter,
    auditExport,
  });
  const jobs: Job[] = [];
  if (retentionDays > 0)
    jobs.push({ name: 'remove old contact requests', everySeconds: 3600, run: () => inbox.deleteOld(retentionDays) });
  return { operations, jobs, resolveContactRequest: createContactLink(clock) };
}
