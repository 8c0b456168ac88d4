import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { createExportAudit } from '../features/audit/export-audit.ts';
import { createIdentityReader } from '../features/auth/identity.ts';
import { createPersonalTokenReader, createTokens } from '../features/auth/tokens.ts';
import {
  createBackgroundWorkReadModel,
  type KindOfWork,
} from '../features/background-work/background-job-repository.ts';
import { createBackgroundWorkRoutes } from '../features/background-work/background-work-routes.ts';
import { openBackupTarget } from '../features/backups/backup-target.ts';
import { backupReadings, createScheduledBackups } from '../features/backups/scheduled-backups.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import type { Lifecycle } from '../features/monitoring/monitoring-routes.ts';
import { createDatabaseMonitor, createReadings } from '../features/monitoring/readings.ts';
import { createRetentionService } from '../features/retention/retention-service.ts';
import { purgeKeys } from '../http/idempotency.ts';
import { createRateLimits } from '../http/limits.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createExporter } from '../lib/export/exporter.ts';
import type { Job } from '../lib/jobs.ts';
import type { Logger } from '../lib/log/logger.ts';
import { createSecurityLog } from '../lib/log/security-log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { version } from '../lib/project-root.ts';
import { createRedis } from '../lib/redis.ts';
import { createEncryption } from '../lib/secrets/encryption.ts';
import { createListCache } from '../list-cache/list-cache.ts';
import { createStore, type Store } from '../store.ts';

export type ContainerOptions = {
  config: Config;
  database: Database;
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
  logger,
  secrets,
  shareMetrics,
  clock = systemClock,
}: ContainerOptions) {
  const store = createStore(database);
  const redis = config.redisUrl === undefined ? undefined : createRedis({ url: config.redisUrl, logger });
  const securityLog = createSecurityLog(logger);
  const lifecycle: Lifecycle = { draining: false };
  const databaseMonitor = createDatabaseMonitor(store.health.ping, logger);
  const listCache = createListCache(clock);

  const work = createBackgroundWorkReadModel(database);
  /** For the metrics, as of the last count: scrapes do not query the database. */
  let countedWork: KindOfWork[] = [];
  const countWork = async () => {
    countedWork = await work.summarize(clock());
  };
  const deleteAbandoned = () => store.backgroundJobs.deleteOlderThan(new Date(clock().getTime() - jobRetention));
  const backups = createBackups(config, store, clock, logger);
  const metrics = createMetrics(version, [
    ...createReadings({ database, databaseMonitor, countedWork: () => countedWork, listCache, clock }),
    ...backupReadings(backups),
  ]);

  const retention = createRetentionService({ store, settings: config.retention, clock });
  const removeOld = async () => {
    for (const { kind, count } of await retention.run())
      if (count > 0) logger.info({ kind, count }, 'data removed after their retention');
  };
  const jobs: Job[] = [
    { name: 'purge idempotency keys', everySeconds: 3600, run: () => purgeKeys(store) },
    { name: 'delete abandoned background jobs', everySeconds: 3600, run: deleteAbandoned },
    { name: 'count background jobs', everySeconds: 30, run: countWork },
    ...(retention.isOn ? [{ name: 'remove data after their retention', everySeconds: 3600, run: removeOld }] : []),
    databaseMonitor.job,
    ...(backups === undefined ? [] : [backups.job]),
  ];
  return {
    ...{ config, database, store, redis, logger, secrets, securityLog, clock },
    ...{ lifecycle, databaseMonitor, listCache, metrics, jobs },
    rateLimits: createRateLimits(redis),
    tokens: createTokens({ secrets, accessSeconds: config.tokens.accessSeconds, clock }),
    personalTokens: createPersonalTokenReader({ store, clock }),
    identities: createIdentityReader(database),
    encryption: createEncryption(secrets, 'idempotency responses'),
    auditExport: createExportAudit({ store, securityLog }),
    exporter: createExporter({ folder: config.incomingDir, logger }),
    collectMetrics: shareMetrics?.(metrics.registry) ?? (() => metrics.registry.metrics()),
    locale: config.http.defaultLocale,
    ownUrl: (config.publicUrl ?? `http://${config.host}:${config.port}`).replace(/\/$/, ''),
    operations: createBackgroundWorkRoutes({ work, clock, backups: async () => (await backups?.overview()) ?? null }),
  };
}

function createBackups({ backups, database, dataDir, images }: Config, store: Store, clock: Clock, logger: Logger) {
  if (backups === undefined || database.url === undefined) return undefined;
  return createScheduledBackups({
    ...{ url: database.url, schedule: backups.schedule, keep: backups.keep, clock, logger },
    target: openBackupTarget({ to: backups.to, dataDir }),
    images: openImageStorage(images),
    backups: store.backups,
  });
}
