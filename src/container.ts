import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createAchievementRoutes } from './features/achievements/achievement-routes.ts';
import { createAwardKind } from './features/achievements/award-kind.ts';
import { createAwardReadModel } from './features/achievements/award-read-model.ts';
import { createAssignmentFeature } from './features/assignments/assignment-feature.ts';
import { createAuditNamesReadModel } from './features/audit/audit-names-read-model.ts';
import { createAuditReadModel } from './features/audit/audit-read-model.ts';
import { createAuditRoutes } from './features/audit/audit-routes.ts';
import { createExportAudit } from './features/audit/export-audit.ts';
import { createIdentityReader } from './features/auth/identity.ts';
import { createPersonalTokenReader, createTokens } from './features/auth/tokens.ts';
import { createBackgroundWorkFeature } from './features/background-work/background-work-feature.ts';
import { createJobQueue } from './features/background-work/background-worker.ts';
import { createCalendarFeature } from './features/calendar/calendar-feature.ts';
import { createContactFeature } from './features/contact/contact-feature.ts';
import { createDashboardReadModel } from './features/dashboard/dashboard-read-model.ts';
import { createDashboardRoutes } from './features/dashboard/dashboard-routes.ts';
import { createEventFeature } from './features/events/event-feature.ts';
import { createGoalReadModel } from './features/goals/goal-read-model.ts';
import { createGoalRoutes } from './features/goals/goal-routes.ts';
import { createGroupRoutes } from './features/groups/group-routes.ts';
import { createGroupService } from './features/groups/group-service.ts';
import { createImageFeature } from './features/images/image-feature.ts';
import { createMetaRoutes } from './features/meta/meta-routes.ts';
import { createDatabaseMonitor } from './features/monitoring/database-monitor.ts';
import { createHealthRoutes, type Lifecycle } from './features/monitoring/health-routes.ts';
import { createMetricsRoutes } from './features/monitoring/metrics-routes.ts';
import { createReadings } from './features/monitoring/readings.ts';
import { createStorageCheck } from './features/monitoring/storage-check.ts';
import { createPersonalExportFeature } from './features/personal-export/personal-export-feature.ts';
import { createProgressFeature } from './features/progress/progress-feature.ts';
import { createProjectAccess } from './features/projects/project-access.ts';
import { createProjectFeature } from './features/projects/project-feature.ts';
import { createImportFeature } from './features/session-import/import-feature.ts';
import { createPeriodReadModel } from './features/statistics/period-read-model.ts';
import { createStatisticsFeature } from './features/statistics/statistics-feature.ts';
import { createStatisticsReadModel } from './features/statistics/statistics-read-model.ts';
import { createTimeZones } from './features/statistics/time-zones.ts';
import { createSessionListReadModel } from './features/study-sessions/list/session-list-read-model.ts';
import { createSessionFeature } from './features/study-sessions/session-feature.ts';
import { createSyncFeature } from './features/sync/sync-feature.ts';
import { createTimerFeature } from './features/timer/timer-feature.ts';
import { createAccountFeature } from './features/users/account-feature.ts';
import { createWebhookFeature } from './features/webhooks/webhook-feature.ts';
import { purgeKeys } from './http/idempotency.ts';
import type { Operation } from './http/operation.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createSendUnpaged } from './http/unpaged-list.ts';
import { createFileReceiver } from './http/upload.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createExporter } from './lib/export/exporter.ts';
import type { Job } from './lib/jobs.ts';
import type { Logger } from './lib/log/logger.ts';
import { createSecurityLog } from './lib/log/security-log.ts';
import { createMetrics } from './lib/metrics.ts';
import { createRedis } from './lib/redis.ts';
import { createSeal } from './lib/secrets/seal.ts';
import { version } from './lib/version.ts';
import { createListCache } from './list-cache/list-cache.ts';
import { createStore } from './store.ts';

export type ContainerOptions = {
  config: Config;
  database: Database;
  logger: Logger;
  secrets: readonly string[];
  /** In a worker: reads the metrics of all workers. */
  shareMetrics?: (own: Registry) => () => Promise<string>;
  clock?: Clock;
};

/** The composition root. It neither connects nor listens. */
export function createContainer(options: ContainerOptions) {
  const { config, database, logger, secrets, shareMetrics, clock = systemClock } = options;
  const store = createStore(database);
  const redis = config.redisUrl === undefined ? undefined : createRedis({ url: config.redisUrl, logger });
  const rateLimits = createRateLimits(redis);
  const lifecycle: Lifecycle = { draining: false };
  const tokens = createTokens({ secrets, accessSeconds: config.tokens.accessSeconds, clock });
  const personalTokens = createPersonalTokenReader({ store, clock });
  const identities = createIdentityReader(database);
  const seal = createSeal(secrets, 'kept answers');
  const securityLog = createSecurityLog(logger);
  const auditExport = createExportAudit({ store, securityLog });
  const base = { config, database, store, secrets, securityLog, clock, logger };

  const backgroundWork = createBackgroundWorkFeature({ database, store, clock });
  const databaseMonitor = createDatabaseMonitor(store.health.ping, logger);
  const listCache = createListCache(clock);
  const metrics = createMetrics(
    version,
    createReadings({ database, databaseMonitor, countedWork: backgroundWork.counted, listCache, clock }),
  );

  const exporter = createExporter({ folder: config.incomingDir, logger });
  const sendUnpaged = createSendUnpaged(exporter);
  const projectAccess = createProjectAccess({ store });
  const timer = createTimerFeature({ config, store, clock });
  const awardKind = createAwardKind({ store, readModel: createAwardReadModel(database), clock });
  const awards = createJobQueue(awardKind, seal, { store, clock, logger });
  const sessionLists = createSessionListReadModel(database);
  const sessions = createSessionFeature({
    ...{ ...base, lists: sessionLists, overdue: timer.overdue },
    ...{ access: projectAccess, exporter, auditExport },
  });
  const contact = createContactFeature({ ...base, exporter, auditExport, rateLimits });
  const statisticsReadModel = createStatisticsReadModel(database);
  const timeZones = createTimeZones(statisticsReadModel);
  const accounts = createAccountFeature({
    ...{ ...base, tokens, rateLimits, timeZones },
    resolveContactRequest: contact.resolveContactRequest,
    endTimers: timer.service.end,
    awards,
  });
  const imports = createImportFeature({ awards, store, timeZones, clock, overdue: timer.overdue });
  const webhooks = createWebhookFeature({ ...base, accounts });

  const statistics = createStatisticsFeature({
    readModel: statisticsReadModel,
    periods: createPeriodReadModel(database),
    access: projectAccess,
    timeZones,
    clock,
  });
  const projects = createProjectFeature({
    ...{ ...base, ...statistics, sendUnpaged, access: projectAccess },
    endTimers: timer.service.end,
  });
  const sync = createSyncFeature({ database, clock });
  const images = createImageFeature({ ...base, access: projectAccess, watchStorage: metrics.watchStorage });
  const personalExports = createPersonalExportFeature({
    ...{ ...base, images: images.storage, sessions: sessionLists },
    ...{ exporter, notify: accounts.notify },
  });

  const featureOperations: Operation[] = [
    ...accounts.operations,
    ...createCalendarFeature({ ...base, accounts }).operations,
    ...createGroupRoutes({ groups: createGroupService({ store }) }),
    ...projects.operations,
    ...images.operations,
    ...personalExports.operations,
    ...createAssignmentFeature({ ...base, endTimers: timer.service.end, access: projectAccess, sendUnpaged })
      .operations,
    ...contact.operations,
    ...sessions.operations,
    ...timer.operations,
    ...imports.operations,
    ...sync.operations,
    ...createEventFeature({ ...base, lifecycle }).operations,
    ...statistics.operations,
    ...createGoalRoutes({ readModel: createGoalReadModel(database), calendars: statistics.calendars }),
    ...createDashboardRoutes({ readModel: createDashboardReadModel(database), calendars: statistics.calendars }),
    ...createProgressFeature({ ...statistics, database, clock, exporter, auditExport }).operations,
    ...createAchievementRoutes({ store }),
    ...createAuditRoutes({ readModel: createAuditReadModel(database), names: createAuditNamesReadModel(database) }),
    ...webhooks.operations,
    ...backgroundWork.operations,
    ...createHealthRoutes({ store, lifecycle, assertStorage: createStorageCheck(images.storage, logger) }),
    ...createMetricsRoutes({
      metrics,
      collect: shareMetrics?.(metrics.registry) ?? (() => metrics.registry.metrics()),
      ...config.http,
    }),
  ];
  const operations = [...featureOperations, ...createMetaRoutes({ config, operations: featureOperations })];
  const jobs: Job[] = [
    ...timer.jobs,
    awards.job,
    ...imports.jobs,
    ...sync.jobs,
    { name: 'purge idempotency keys', everySeconds: 3600, run: () => purgeKeys(store) },
    ...accounts.jobs,
    ...contact.jobs,
    ...images.jobs,
    ...webhooks.jobs,
    ...backgroundWork.jobs,
    ...personalExports.jobs,
    databaseMonitor.job,
  ];

  return {
    config,
    database,
    store,
    redis,
    rateLimits,
    logger,
    clock,
    lifecycle,
    tokens,
    personalTokens,
    identities,
    securityLog,
    seal,
    listCache,
    metrics,
    databaseMonitor,
    services: {
      ...accounts.services,
      projects: projects.service,
      tokens,
      sessions: sessions.service,
      timer: timer.service,
    },
    mail: accounts.mail,
    receiveFile: createFileReceiver({ folder: config.incomingDir }),
    imageStorage: images.storage,
    operations,
    jobs,
  };
}

export type Container = ReturnType<typeof createContainer>;
