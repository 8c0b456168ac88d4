import type { Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { createPeriods } from '../../db/periods.ts';
import { createTimeZones } from '../../db/time-zones.ts';
import { purgeKeys } from '../../http/idempotency.ts';
import { createRateLimits } from '../../http/limits.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createExporter } from '../../lib/export/exporter.ts';
import type { Job, Lifecycle } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createSecurityLog } from '../../lib/log/security-log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createRedis } from '../../lib/redis.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import { openImageStorage } from '../../lib/storage/open-storage.ts';
import { createListCache } from '../../list-cache/list-cache.ts';
import { version } from '../../project-root.ts';
import type { Db } from '../../transactions/transactions.ts';
import { createAuditRoutes } from './audit/audit-routes.ts';
import { createExportAudit } from './audit/export-audit.ts';
import type { KindOfWork } from './background-work/background-job-repository.ts';
import * as backgroundJobs from './background-work/background-job-repository.ts';
import { createBackgroundWorkRoutes } from './background-work/background-work-routes.ts';
import { openBackupTarget } from './backups/backup-target.ts';
import { backupReadings, createScheduledBackups } from './backups/scheduled-backups.ts';
import { createEventHub } from './live-updates/event-hub.ts';
import { createEventRoutes } from './live-updates/event-routes.ts';
import { createLiveUpdateRepository } from './live-updates/live-update-repository.ts';
import * as health from './monitoring/health-repository.ts';
import { createHealthRoutes, createMetricsRoutes } from './monitoring/monitoring-routes.ts';
import { createDatabaseMonitor, createReadings } from './monitoring/readings.ts';

export type PlatformOptions = {
  config: Config;
  database: Database;
  /** The same database, with what follows from events. */
  store: Db;
  logger: Logger;
  secrets: readonly string[];
  /** In a worker: reads the metrics of all workers. */
  shareMetrics?: (own: Registry) => () => Promise<string>;
  clock?: Clock;
};

export type Platform = ReturnType<typeof createPlatform>;

/** Longer than the maximum age of every kind: older jobs are of a kind that is no longer configured. */
const jobRetention = 40 * 86_400_000;

/** What all features share. */
export function createPlatform({
  config,
  database,
  store,
  logger,
  secrets,
  shareMetrics,
  clock = systemClock,
}: PlatformOptions) {
  const redis = config.redisUrl === undefined ? undefined : createRedis({ url: config.redisUrl, logger });
  const securityLog = createSecurityLog(logger);
  const lifecycle: Lifecycle = { draining: false };
  const databaseMonitor = createDatabaseMonitor(() => health.ping(store), logger);
  const listCache = createListCache(clock);
  const periods = createPeriods(database);

  /** For the metrics, as of the last count: scrapes do not query the database. */
  let countedWork: KindOfWork[] = [];
  const countWork = async () => {
    countedWork = await backgroundJobs.summarize(store, clock());
  };
  const deleteAbandoned = () => backgroundJobs.deleteOlderThan(store, new Date(clock().getTime() - jobRetention));
  const backups = createBackups(config, store, clock, logger);
  const metrics = createMetrics(version, [
    ...createReadings({ database, databaseMonitor, countedWork: () => countedWork, listCache, clock }),
    ...backupReadings(backups),
  ]);

  const collect = shareMetrics?.(metrics.registry) ?? (() => metrics.registry.metrics());
  const hub = createEventHub({ updates: createLiveUpdateRepository(database), lifecycle, logger, clock });
  const jobs: Job[] = [
    { name: 'purge live updates', everySeconds: 30, run: hub.purge },
    { name: 'purge idempotency keys', everySeconds: 3600, run: () => purgeKeys(store) },
    { name: 'delete abandoned background jobs', everySeconds: 3600, run: deleteAbandoned },
    { name: 'count background jobs', everySeconds: 30, run: countWork },
    databaseMonitor.job,
    ...(backups === undefined ? [] : [backups.job]),
  ];
  return {
    config,
    database,
    store,
    redis,
    logger,
    secrets,
    securityLog,
    clock,
    lifecycle,
    databaseMonitor,
    listCache,
    metrics,
    jobs,
    rateLimits: createRateLimits(redis),
    timeZones: createTimeZones(database),
    periods,
    encryption: createEncryption(secrets, 'idempotency responses'),
    auditExport: createExportAudit({ store, securityLog }),
    exporter: createExporter({ folder: config.incomingDir, logger }),
    locale: config.http.defaultLocale,
    ownUrl: (config.publicUrl ?? `http://${config.host}:${config.port}`).replace(/\/$/, ''),
    operations: [
      ...createBackgroundWorkRoutes({ store, clock, backups: async () => (await backups?.overview()) ?? null }),
      ...createAuditRoutes({ store, periods }),
      ...createEventRoutes({ hub, clock }),
      ...createHealthRoutes({ store, lifecycle }),
      ...createMetricsRoutes({ metrics, collect, ...config.http }),
    ],
  };
}

function createBackups({ backups, database, dataDir, images }: Config, store: Db, clock: Clock, logger: Logger) {
  if (backups === undefined || database.url === undefined) return undefined;
  return createScheduledBackups({
    url: database.url,
    schedule: backups.schedule,
    keep: backups.keep,
    clock,
    logger,
    target: openBackupTarget({ to: backups.to, dataDir }),
    images: openImageStorage(images),
    db: store,
  });
}
