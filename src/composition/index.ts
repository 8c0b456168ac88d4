import { createAuditNamesReadModel, createAuditReadModel } from '../features/audit/audit-read-model.ts';
import { createAuditRoutes } from '../features/audit/audit-routes.ts';
import { createMetaRoutes } from '../features/meta/meta-routes.ts';
import { createHealthRoutes, createMetricsRoutes } from '../features/monitoring/monitoring-routes.ts';
import { createStorageCheck } from '../features/monitoring/readings.ts';
import type { Operation } from '../http/operation.ts';
import { createFileReceiver } from '../http/upload.ts';
import { createAccounts } from './accounts.ts';
import { createContact } from './contact.ts';
import { createIntegrations, createPersonalExports } from './integrations.ts';
import { type ContainerOptions, createPlatform } from './platform.ts';
import { createStudy } from './study.ts';

export type Container = ReturnType<typeof createContainer>;

/** The composition root. It neither connects nor listens. */
export function createContainer(options: ContainerOptions) {
  const platform = createPlatform(options);
  const { config, database, store, lifecycle, logger, metrics } = platform;
  const study = createStudy(platform);
  const { projects, sessions, timer, imageStorage } = study;
  const contact = createContact(platform);
  const accounts = createAccounts(platform, study, contact.resolveContactRequest);
  const { users, auth, secondFactor, mail } = accounts;
  const parts = [
    ...[accounts, study, contact, createPersonalExports(platform, study, accounts)],
    ...[createIntegrations(platform, accounts), platform],
  ];

  const featureOperations: Operation[] = [
    ...parts.flatMap((part) => part.operations),
    ...createAuditRoutes({ readModel: createAuditReadModel(database), names: createAuditNamesReadModel(database) }),
    ...createHealthRoutes({ store, lifecycle }),
    ...createMetricsRoutes({ metrics, collect: platform.collectMetrics, ...config.http }),
  ];
  return {
    ...platform,
    services: { users, auth, secondFactor, projects, tokens: platform.tokens, sessions, timer },
    mail,
    imageStorage,
    receiveFile: createFileReceiver({ folder: config.incomingDir }),
    operations: [...featureOperations, ...createMetaRoutes({ config, operations: featureOperations })],
    jobs: [...parts.flatMap((part) => part.jobs), createStorageCheck(imageStorage, logger)],
  };
}
