import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createAchievementRepository } from './features/achievements/achievement-repository.ts';
import { createAchievementRoutes } from './features/achievements/achievement-routes.ts';
import { createAssignmentRoutes } from './features/assignments/assignment-routes.ts';
import { createAssignmentService } from './features/assignments/assignment-service.ts';
import { createAuditReadModel } from './features/audit/audit-read-model.ts';
import { createAuditRoutes } from './features/audit/audit-routes.ts';
import { createExportAudit } from './features/audit/export-audit.ts';
import { createAuthRoutes } from './features/auth/auth-routes.ts';
import { createAuthService } from './features/auth/auth-service.ts';
import { createEmailChangeService } from './features/auth/email-change-service.ts';
import { createIdentityReader } from './features/auth/identity.ts';
import { createNotices } from './features/auth/notices.ts';
import { createPasswordCheck } from './features/auth/password-check.ts';
import { createPasswords } from './features/auth/passwords.ts';
import { createRefreshTokens } from './features/auth/refresh-tokens.ts';
import { createSignInService } from './features/auth/sign-in-service.ts';
import { createSignInThrottle } from './features/auth/sign-in-throttle.ts';
import { createSignInsRoutes } from './features/auth/sign-ins-routes.ts';
import { createOwnSignInsService } from './features/auth/sign-ins-service.ts';
import { createTokens } from './features/auth/tokens.ts';
import { createContactFeature } from './features/contact/contact-feature.ts';
import { createImageFeature } from './features/images/image-feature.ts';
import { createMailFeature } from './features/mail/mail-feature.ts';
import { createHealthRoutes, type Lifecycle } from './features/operation/health-routes.ts';
import { createMetricsRoutes } from './features/operation/metrics-routes.ts';
import { createListCache } from './features/projects/list-cache.ts';
import { createProjectAccess } from './features/projects/project-access.ts';
import { createProjectListReadModel } from './features/projects/project-list-read-model.ts';
import { createProjectRoutes } from './features/projects/project-routes.ts';
import { createProjectService } from './features/projects/project-service.ts';
import { createSecondFactorRoutes } from './features/second-factor/second-factor-routes.ts';
import { createSecondFactorService } from './features/second-factor/second-factor-service.ts';
import { createTransferFeature } from './features/session-transfer/transfer-feature.ts';
import { createStatisticsFeature } from './features/statistics/statistics-feature.ts';
import { createRecordsFeature } from './features/study-sessions/records-feature.ts';
import { createUserRoutes } from './features/users/user-routes.ts';
import { createUserService } from './features/users/user-service.ts';
import { sweepIdempotencyKeys } from './http/idempotency.ts';
import type { Operation } from './http/operation.ts';
import { createFileReceiver } from './http/upload.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createExporter } from './lib/exporter.ts';
import type { Job } from './lib/jobs.ts';
import type { Logger } from './lib/logger.ts';
import { createMetrics } from './lib/metrics.ts';
import { createSeal } from './lib/seal.ts';
import { createSecurityLog } from './lib/security-log.ts';

export type ContainerOptions = {
  config: Config;
  database: Database;
  logger: Logger;
  /** The secrets of the tokens: the configured ones, or one generated for this installation. */
  secrets: readonly string[];
  /** Replaced in tests only. */
  clock?: Clock;
};

/** The composition root: plain calls, from the outside in. Nothing is connected or listening yet. */
export function createContainer({ config, database, logger, secrets, clock = systemClock }: ContainerOptions) {
  const lifecycle: Lifecycle = { draining: false };
  const tokens = createTokens({ secrets, accessSeconds: config.tokens.accessSeconds, clock });
  const identities = createIdentityReader(database);
  const seal = createSeal(secrets, 'kept answers');
  const securityLog = createSecurityLog(logger);
  const noteExport = createExportAudit(database, securityLog);

  const exporter = createExporter({ folder: config.incomingDir, logger });
  const projectAccess = createProjectAccess(database);
  const records = createRecordsFeature({
    config,
    database,
    access: projectAccess,
    exporter,
    clock,
    securityLog,
    noteExport,
  });
  const transfer = createTransferFeature({ database, clock, overdue: records.overdue });

  const mail = createMailFeature({ config, database, secrets, clock, logger });
  const notify = createNotices({ mail, locale: config.http.defaultLocale, clock });
  const passwords = createPasswords();
  const throttle = createSignInThrottle({ database, clock, passwords, notify });
  const signIns = createSignInService({ database, tokens, refreshTokens: createRefreshTokens(secrets), clock, notify });
  const secondFactor = createSecondFactorService({
    database,
    seal: createSeal(secrets, 'second factor'),
    securityLog,
    clock,
    notify,
  });
  const contact = createContactFeature({ config, database, secrets, clock, logger, exporter, noteExport });
  const users = createUserService({
    database,
    passwords,
    signIns,
    throttle,
    clock,
    resolveContactRequest: contact.resolveContactRequest,
    stopTimerOfUser: records.stopTimerOfUser,
    securityLog,
  });
  const auth = createAuthService({ database, passwords, signIns, throttle, secondFactor, securityLog });
  const withPassword = createPasswordCheck({ database, passwords, throttle });

  const emailChanges = createEmailChangeService({
    database,
    passwords,
    throttle,
    mail,
    publicUrl: (config.publicUrl ?? `http://${config.host}:${config.port}`).replace(/\/$/, ''),
    clock,
  });

  const listCache = createListCache();
  const projects = createProjectService({ database, stopRunningTimers: records.stopTimersOnProject });

  const images = createImageFeature({ config, database, logger, access: projectAccess });

  const metrics = createMetrics([
    { name: 'database_connections_used', help: 'Connections in use.', read: () => database.pool().used },
    { name: 'database_connections_free', help: 'Idle connections of the pool.', read: () => database.pool().free },
    {
      name: 'database_requests_waiting',
      help: 'Requests waiting for a connection.',
      read: () => database.pool().waiting,
    },
    { name: 'list_cache_hits', help: 'Lists answered from memory.', read: () => listCache.figures().hits },
    { name: 'list_cache_misses', help: 'Lists read from the database.', read: () => listCache.figures().misses },
  ]);

  const ownSignIns = createOwnSignInsService({ database, securityLog, clock });

  const operations: Operation[] = [
    ...createAuthRoutes({ auth, signIns, users, emailChanges, ownSignIns }),
    ...createSignInsRoutes(ownSignIns),
    ...createSecondFactorRoutes({ database, secondFactor, withPassword, users }),
    ...createUserRoutes(users),
    ...createProjectRoutes({
      service: projects,
      lists: createProjectListReadModel(database),
      cache: listCache,
      access: projectAccess,
    }),
    ...images.operations,
    ...createAssignmentRoutes(createAssignmentService(database), projectAccess),
    ...contact.operations,
    ...records.operations,
    ...transfer.operations,
    ...createStatisticsFeature({ database, access: projectAccess, clock }).operations,
    ...createAchievementRoutes(createAchievementRepository(database)),
    ...createAuditRoutes(createAuditReadModel(database)),
    ...createHealthRoutes(database, lifecycle),
    ...createMetricsRoutes(metrics, config.http),
  ];
  const jobs: Job[] = [
    ...records.jobs,
    ...transfer.jobs,
    { name: 'purge idempotency keys', everySeconds: 3600, run: () => sweepIdempotencyKeys(database) },
    { name: 'purge sign-in failures', everySeconds: 600, run: throttle.sweep },
    { name: 'delete expired second factor setups', everySeconds: 600, run: secondFactor.sweep },
    { name: 'purge expired sign-ins', everySeconds: 3600, run: signIns.sweep },
    { name: 'purge expired e-mail changes', everySeconds: 3600, run: emailChanges.sweep },
    ...contact.jobs,
    ...mail.jobs,
    ...images.jobs,
  ];

  return {
    config,
    database,
    logger,
    clock,
    lifecycle,
    tokens,
    identities,
    securityLog,
    seal,
    listCache,
    metrics,
    /** For commands, which work through the same services as requests. */
    services: { users, projects, auth, tokens, secondFactor, sessions: records.sessions },
    mail,
    receiveFile: createFileReceiver({ folder: config.incomingDir }),
    imageStorage: images.storage,
    operations,
    jobs,
  };
}

export type Container = ReturnType<typeof createContainer>;
