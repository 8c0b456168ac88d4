import type { Database, Executor, Transaction } from './db/database.ts';
import type { RecordedEvent } from './events/event.ts';
import { createEventWriter } from './events/event-writer.ts';
import { createAccountLinkRepository } from './features/account-links/account-link-repository.ts';
import { createResetRequestRepository } from './features/account-links/reset-request-repository.ts';
import { createAccountNoticeRepository } from './features/account-notices/account-notice-repository.ts';
import { createAchievementRepository } from './features/achievements/achievement-repository.ts';
import { createAssignmentRepository } from './features/assignments/assignment-repository.ts';
import { createAuditRepository } from './features/audit/audit-repository.ts';
import { createActorRepository } from './features/auth/actor-repository.ts';
import type { AuditContext } from './features/auth/audit-context.ts';
import { createBackgroundJobRepository } from './features/background-work/background-job-repository.ts';
import { createBulkUserRepository } from './features/bulk-users/bulk-user-repository.ts';
import { createCaptchaRepository } from './features/captcha/captcha-repository.ts';
import { createAttemptRepository } from './features/contact/attempt-repository.ts';
import { createContactMailRepository } from './features/contact/contact-mail-repository.ts';
import { createSubmissionRepository } from './features/contact/submission-repository.ts';
import { createEmailChangeRepository } from './features/email-change/email-change-repository.ts';
import { createGroupRepository } from './features/groups/group-repository.ts';
import { createImageRepository } from './features/images/image-repository.ts';
import { createInboxRepository } from './features/inbox/inbox-repository.ts';
import { createHealthRepository } from './features/monitoring/health-repository.ts';
import { createCredentialsRepository } from './features/passwords/credentials-repository.ts';
import { createPersonalExportRepository } from './features/personal-export/personal-export-repository.ts';
import { createPersonalTokenRepository } from './features/personal-tokens/personal-token-repository.ts';
import { createProjectRepository } from './features/projects/project-repository.ts';
import { createSecondFactorRepository } from './features/second-factor/second-factor-repository.ts';
import { createImportRepository } from './features/session-import/import-repository.ts';
import { createImportChunkRepository } from './features/session-import/rows/import-chunk-repository.ts';
import { createImportReportReadModel } from './features/session-import/rows/import-report-read-model.ts';
import { createImportRowsRepository } from './features/session-import/rows/import-rows-repository.ts';
import { createSignInAddressRepository } from './features/sign-in-throttle/sign-in-address-repository.ts';
import { createSignInFailureRepository } from './features/sign-in-throttle/sign-in-failure-repository.ts';
import { createSignInRepository } from './features/sign-ins/sign-in-repository.ts';
import { createTotalsRepository } from './features/statistics/totals-repository.ts';
import { createSessionRepository } from './features/study-sessions/session-repository.ts';
import { createTimerRepository } from './features/timer/timer-repository.ts';
import { createUserRemovalRepository } from './features/user-removal/user-removal-repository.ts';
import { createUserRepository } from './features/users/user-repository.ts';
import { createDeliveryRepository } from './features/webhooks/deliveries/delivery-repository.ts';
import { createWebhookRepository } from './features/webhooks/webhook-repository.ts';
import { createIdempotencyKeyRepository } from './http/idempotency-repository.ts';

const repositories = {
  achievements: createAchievementRepository,
  actors: createActorRepository,
  backgroundJobs: createBackgroundJobRepository,
  bulkUsers: createBulkUserRepository,
  captchas: createCaptchaRepository,
  contactAttempts: createAttemptRepository,
  contactMails: createContactMailRepository,
  health: createHealthRepository,
  assignments: createAssignmentRepository,
  images: createImageRepository,
  projects: createProjectRepository,
  groups: createGroupRepository,
  idempotencyKeys: createIdempotencyKeyRepository,
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
  resetRequests: createResetRequestRepository,
  secondFactors: createSecondFactorRepository,
  signInAddresses: createSignInAddressRepository,
  signInFailures: createSignInFailureRepository,
  signIns: createSignInRepository,
  userRemoval: createUserRemovalRepository,
  users: createUserRepository,
  webhookDeliveries: createDeliveryRepository,
  webhooks: createWebhookRepository,
};

const transactionRepositories = {
  ...repositories,
  audit: createAuditRepository,
  importChunks: createImportChunkRepository,
};

type Bound<Factories> = {
  readonly [Name in keyof Factories]: Factories[Name] extends (db: never) => infer Repository ? Repository : never;
};

export type Store = Bound<typeof repositories> & {
  /**
   * Rolls back when `work` throws. Inside a transaction it joins that one. With an audit context, the first statement verifies the
   * actor's rights and locks them until the commit.
   */
  transaction<Result>(work: (tx: TransactionStore) => Promise<Result>, context?: AuditContext): Promise<Result>;
  readonly executor: Executor;
};

export type TransactionStore = Store &
  Bound<typeof transactionRepositories> & {
    readonly executor: Transaction;
    /** Records what was changed, by the actor of the transaction unless the event names another one. */
    record(...events: readonly RecordedEvent[]): void;
    /** For side effects that cannot be rolled back, such as files, mail and log lines. */
    afterCommit(action: () => void): void;
  };

/** Getters create each repository at its first use, because most transactions use few of them. */
function bindable<Db>(factories: Readonly<Record<string, (db: Db) => unknown>>) {
  class Repositories {
    readonly executor: Db;
    readonly #created = new Map<string, unknown>();
    constructor(executor: Db) {
      this.executor = executor;
    }
    repository(name: string): unknown {
      if (!this.#created.has(name)) this.#created.set(name, factories[name]?.(this.executor));
      return this.#created.get(name);
    }
  }
  for (const name of Object.keys(factories))
    Object.defineProperty(Repositories.prototype, name, {
      get(this: Repositories) {
        return this.repository(name);
      },
    });
  return Repositories;
}

const PoolRepositories = bindable<Executor>(repositories);
const TransactionRepositories = bindable<Transaction>(transactionRepositories);

export function createStore(database: Database): Store {
  const store = {
    transaction<Result>(work: (tx: TransactionStore) => Promise<Result>, context?: AuditContext): Promise<Result> {
      return database.transaction(async (transaction) => joined(transaction).transaction(work, context));
    },
  };
  return Object.assign(new PoolRepositories(database), store) as unknown as Store; // the getters are not typed
}

function joined(transaction: Transaction): TransactionStore {
  const { afterCommit } = transaction;
  const writer = createEventWriter(transaction);
  let by: AuditContext | undefined;
  const tx = Object.assign(new TransactionRepositories(transaction), {
    record: (...events: readonly RecordedEvent[]) => writer.record(...events.map((event) => ({ by, ...event }))),
    afterCommit,
    async transaction<Result>(
      work: (tx: TransactionStore) => Promise<Result>,
      context?: AuditContext,
    ): Promise<Result> {
      if (context !== undefined) await tx.actors.verify(context);
      by = context ?? by;
      return work(tx);
    },
  }) as unknown as TransactionStore; // the getters are not typed
  return tx;
}
