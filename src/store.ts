import type { Database, Executor, Transaction } from './db/database.ts';
import { isCancelled } from './db/errors.ts';
import type { RecordedEvent } from './events/event.ts';
import { createEventWriter } from './events/event-writer.ts';
import {
  createAccountLinkRepository,
  createResetRequestRepository,
} from './features/account-links/account-link-repository.ts';
import { createAccountNoticeRepository } from './features/account-notices/account-notice-repository.ts';
import { createAchievementRepository } from './features/achievements/achievement-repository.ts';
import { createAssignmentRepository } from './features/assignments/assignment-repository.ts';
import { createAuditRepository } from './features/audit/audit-read-model.ts';
import { createActorRepository, type WriteContext } from './features/auth/identity.ts';
import { createBackgroundJobRepository } from './features/background-work/background-job-repository.ts';
import { createBackupRepository } from './features/backups/backup-repository.ts';
import { createBulkUserRepository } from './features/bulk-users/bulk-user-repository.ts';
import { createCaptchaRepository } from './features/captcha/captcha-repository.ts';
import {
  createAttemptRepository,
  createContactMailRepository,
  createSubmissionRepository,
} from './features/contact/contact-repository.ts';
import { createEmailChangeRepository } from './features/email-change/email-change-repository.ts';
import { createGroupRepository } from './features/groups/group-repository.ts';
import { createImageRepository } from './features/images/image-repository.ts';
import { createInboxRepository } from './features/inbox/inbox-repository.ts';
import { createMessageRepository } from './features/messages/message-repository.ts';
import { createHealthRepository } from './features/monitoring/health-repository.ts';
import { createCredentialsRepository } from './features/passwords/credentials-repository.ts';
import { createPersonalExportRepository } from './features/personal-export/personal-export-repository.ts';
import { createPersonalTokenRepository } from './features/personal-tokens/personal-token-repository.ts';
import { createProjectRepository } from './features/projects/project-repository.ts';
import { createReminderRepository } from './features/reminders/reminder-repository.ts';
import { createReportLinkRepository } from './features/reports/report-link-repository.ts';
import { createRetentionRepository } from './features/retention/retention-repository.ts';
import { createUnusedAccountRepository } from './features/retention/unused-account-repository.ts';
import { createRosterRepository } from './features/roster/roster-repository.ts';
import { createRosterRowRepository } from './features/roster/roster-row-repository.ts';
import { createSecondFactorRepository } from './features/second-factor/second-factor-repository.ts';
import { createImportRepository } from './features/session-import/import-repository.ts';
import { createImportChunkRepository } from './features/session-import/rows/import-chunk-repository.ts';
import { createImportReportReadModel } from './features/session-import/rows/import-report-read-model.ts';
import { createImportRowsRepository } from './features/session-import/rows/import-rows-repository.ts';
import {
  createSignInAddressRepository,
  createSignInFailureRepository,
} from './features/sign-in-throttle/sign-in-failure-repository.ts';
import { createSignInRepository } from './features/sign-ins/sign-in-repository.ts';
import { createSingleSignOnRepository } from './features/single-sign-on/single-sign-on-repository.ts';
import { createTotalsRepository } from './features/statistics/totals-repository.ts';
import { createSessionRepository } from './features/study-sessions/session-repository.ts';
import { createTimerRepository } from './features/timer/timer-repository.ts';
import { createUserRemovalRepository } from './features/user-removal/user-removal-repository.ts';
import { createUserRepository } from './features/users/user-repository.ts';
import { createDeliveryRepository } from './features/webhooks/deliveries/delivery-repository.ts';
import { createWebhookRepository } from './features/webhooks/webhook-repository.ts';
import { createIdempotencyKeyRepository } from './http/idempotency-repository.ts';

const createRepositories = lazily({
  achievements: createAchievementRepository,
  actors: createActorRepository,
  audit: createAuditRepository,
  backgroundJobs: createBackgroundJobRepository,
  backups: createBackupRepository,
  bulkUsers: createBulkUserRepository,
  captchas: createCaptchaRepository,
  messages: createMessageRepository,
  contactAttempts: createAttemptRepository,
  contactMails: createContactMailRepository,
  health: createHealthRepository,
  assignments: createAssignmentRepository,
  images: createImageRepository,
  projects: createProjectRepository,
  groups: createGroupRepository,
  idempotencyKeys: createIdempotencyKeyRepository,
  importChunks: createImportChunkRepository,
  importReports: createImportReportReadModel,
  importRows: createImportRowsRepository,
  imports: createImportRepository,
  inbox: createInboxRepository,
  submissions: createSubmissionRepository,
  sessions: createSessionRepository,
  timers: createTimerRepository,
  totals: createTotalsRepository,
  accountLinks: createAccountLinkRepository,
  accountNotices: createAccountNoticeRepository,
  credentials: createCredentialsRepository,
  emailChanges: createEmailChangeRepository,
  personalExports: createPersonalExportRepository,
  personalTokens: createPersonalTokenRepository,
  reminders: createReminderRepository,
  reportLinks: createReportLinkRepository,
  resetRequests: createResetRequestRepository,
  retention: createRetentionRepository,
  rosterRows: createRosterRowRepository,
  rosters: createRosterRepository,
  secondFactors: createSecondFactorRepository,
  signInAddresses: createSignInAddressRepository,
  signInFailures: createSignInFailureRepository,
  signIns: createSignInRepository,
  singleSignOn: createSingleSignOnRepository,
  unusedAccounts: createUnusedAccountRepository,
  userRemoval: createUserRemovalRepository,
  users: createUserRepository,
  webhookDeliveries: createDeliveryRepository,
  webhooks: createWebhookRepository,
});

type Makers<Repositories> = { readonly [Name in keyof Repositories]: (db: Executor) => Repositories[Name] };

/** Each repository is made when it is first used: a transaction uses few of them. */
function lazily<Repositories>(makers: Makers<Repositories>): (db: Executor) => Repositories {
  const prototype = {};
  for (const name in makers)
    Object.defineProperty(prototype, name, {
      get(this: { db: Executor }) {
        const repository = makers[name](this.db);
        Object.defineProperty(this, name, { value: repository });
        return repository;
      },
    });
  return (db) => Object.create(prototype, { db: { value: db } });
}

type Repositories = ReturnType<typeof createRepositories>;

export type Store = Omit<Repositories, 'audit' | 'importChunks'> & {
  /**
   * Rolls back when `work` throws. Inside a transaction it joins that one. With a write context, the first statement verifies the
   * actor's rights and locks them until the commit.
   */
  transaction<Result>(work: (tx: TransactionStore) => Promise<Result>, context?: WriteContext): Promise<Result>;
  readonly executor: Executor;
};

export type TransactionStore = Store &
  Pick<Repositories, 'audit' | 'importChunks'> & {
    readonly executor: Transaction;
    /** Records what was changed, by the actor of the transaction unless the event names another one. */
    record(...events: readonly RecordedEvent[]): void;
    /** For side effects that cannot be rolled back, such as files, mail and log lines. */
    afterCommit(action: () => void): void;
  };

export function createStore(database: Database): Store {
  return Object.assign(createRepositories(database), {
    executor: database,
    async transaction<Result>(work: (tx: TransactionStore) => Promise<Result>, context?: WriteContext) {
      let actor: WriteContext | undefined;
      const setActor = (acting: WriteContext) => {
        actor = acting;
      };
      try {
        return await database.transaction(async (transaction) =>
          joined(transaction, setActor).transaction(work, context),
        );
      } catch (error) {
        // Revoking the actor's rights cancels the transaction. The error is then that of missing rights, not of a busy service.
        if (actor !== undefined && isCancelled(error)) await verifyAgain(database, actor);
        throw error;
      }
    },
  });
}

const verifyAgain = (database: Database, actor: WriteContext) =>
  database.transaction(async (transaction) => {
    const actors = createActorRepository(transaction);
    await actors.awaitChange(actor.actor_id);
    await actors.verify({ ...actor, changes: [] });
  });

function joined(transaction: Transaction, setActor: (context: WriteContext) => void): TransactionStore {
  const writer = createEventWriter(transaction);
  let by: WriteContext | undefined;
  const tx: TransactionStore = Object.assign(createRepositories(transaction), {
    executor: transaction,
    record: (...events: readonly RecordedEvent[]) => writer.record(...events.map((event) => ({ by, ...event }))),
    afterCommit: transaction.afterCommit,
    async transaction<Result>(
      work: (tx: TransactionStore) => Promise<Result>,
      context?: WriteContext,
    ): Promise<Result> {
      if (context !== undefined) {
        setActor(context); // before the verification, which can be cancelled, too
        await tx.actors.verify(context);
      }
      by = context ?? by;
      return work(tx);
    },
  });
  return tx;
}
