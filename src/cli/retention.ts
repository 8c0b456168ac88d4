import { connect } from '../boot/composition/database.ts';
import type { RetainedKind } from '../features/accounts/retention/retention-repository.ts';
import { createRetentionService, perRun } from '../features/accounts/retention/retention-service.ts';
import * as unusedAccounts from '../features/accounts/retention/unused-account-repository.ts';
import { unusedPeriods } from '../features/accounts/retention/unused-accounts.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Removes what is kept for longer than AUDIT_RETENTION_DAYS and ADDRESS_RETENTION_DAYS, as the service does every hour.

  studytrack retention             removes it; safe while the service is running
  studytrack retention --dry-run   only counts it, and the accounts that ACCOUNT_RETENTION_DAYS concerns

The service alone announces unused accounts by mail and deactivates them later.
`;

const names: Readonly<Record<RetainedKind, string>> = {
  audit_log: 'entries of the audit log',
  sign_ins: 'network addresses of sign-ins',
  contact_requests: 'network addresses of contact requests',
};

export const command = defineCommand(usage, { 'dry-run': { type: 'boolean', default: false } }, ({ values }) =>
  withDatabase(async (database, { retention: settings }) => {
    const store = connect(database);
    const retention = createRetentionService({ store, settings, clock: () => new Date() });
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
    if (isDryRun && settings.accountDays > 0) {
      const { announced, deactivated } = unusedPeriods(settings.accountDays, new Date());
      process.stdout.write(
        `would announce to ${await unusedAccounts.count(store, announced)} accounts that they are unused\n`,
      );
      process.stdout.write(`would deactivate ${await unusedAccounts.count(store, deactivated)} unused accounts\n`);
    }
    if (!retention.isOn && settings.accountDays === 0)
      process.stdout.write(
        'AUDIT_RETENTION_DAYS, ADDRESS_RETENTION_DAYS and ACCOUNT_RETENTION_DAYS are 0: all is kept.\n',
      );
  }),
);
