import type { RetainedKind } from '../features/retention/retention-repository.ts';
import { createRetentionService, perRun } from '../features/retention/retention-service.ts';
import { createStore } from '../store.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Removes what is kept for longer than AUDIT_RETENTION_DAYS and ADDRESS_RETENTION_DAYS, as the service does every hour.

  studytrack retention             removes it; safe while the service is running
  studytrack retention --dry-run   only counts it
`;

const names: Readonly<Record<RetainedKind, string>> = {
  audit_log: 'entries of the audit log',
  sign_ins: 'network addresses of sign-ins',
  contact_requests: 'network addresses of contact requests',
};

export const command = defineCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database, { retention: settings }) => {
    const retention = createRetentionService({ store: createStore(database), settings, clock: () => new Date() });
    const isDryRun = values['dry-run'] === true;
    let isMore = true;
    while (isMore) {
      const due = await (isDryRun ? retention.count() : retention.run());
      for (const { kind, days, count } of due)
        process.stdout.write(
          `${isDryRun ? 'would remove' : 'removed'} ${count} ${names[kind]} older than ${days} days\n`,
        );
      isMore = !isDryRun && due.some(({ count }) => count >= perRun);
    }
    if (!retention.isOn) process.stdout.write('AUDIT_RETENTION_DAYS and ADDRESS_RETENTION_DAYS are 0: all is kept.\n');
  }),
);
