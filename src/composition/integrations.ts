import { createJobQueue, createQueueWorkers } from '../features/background-work/background-worker.ts';
import { createEventHub } from '../features/events/event-hub.ts';
import { createEventRoutes } from '../features/events/event-routes.ts';
import { createLiveUpdateRepository } from '../features/events/live-update-repository.ts';
import { openStorage } from '../features/images/image-storage.ts';
import { createExportContents } from '../features/personal-export/export-contents.ts';
import { createExportKind } from '../features/personal-export/personal-export-job.ts';
import { createExportReadModel } from '../features/personal-export/personal-export-repository.ts';
import { createPersonalExportRoutes } from '../features/personal-export/personal-export-routes.ts';
import { createPersonalExportService } from '../features/personal-export/personal-export-service.ts';
import { createSyncRepository } from '../features/sync/sync-repository.ts';
import { createSyncRoutes } from '../features/sync/sync-routes.ts';
import { createSyncService } from '../features/sync/sync-service.ts';
import { createDeliveryKind, createDispatcher, createNotify } from '../features/webhooks/deliveries/delivery-kind.ts';
import { createDeliveryService } from '../features/webhooks/deliveries/delivery-service.ts';
import { createSender } from '../features/webhooks/deliveries/sender.ts';
import { createDeliveryRoutes, createWebhookRoutes } from '../features/webhooks/webhook-routes.ts';
import { createWebhookSecrets, createWebhookService } from '../features/webhooks/webhook-service.ts';
import type { Job } from '../lib/jobs.ts';
import { createEncryption } from '../lib/secrets/encryption.ts';
import type { Accounts } from './accounts.ts';
import type { Platform } from './platform.ts';
import type { Study } from './study.ts';

/** Archives of personal data. */
export function createPersonalExports(platform: Platform, study: Study, accounts: Accounts) {
  const { config, database, store, locale } = platform;
  const encryption = createEncryption(platform.secrets, 'personal exports');
  // In the storage of the images, which all processes share.
  const storage = openStorage(config.images, 'exports');
  const contents = createExportContents({
    ...{ store, locale, sessions: study.lists, images: study.imageStorage },
    readModel: createExportReadModel(database),
  });
  const base = { ...platform, storage, encryption, notify: accounts.notify };
  const queue = createJobQueue(
    createExportKind({ ...base, contents, folder: config.incomingDir }),
    encryption,
    platform,
  );
  // Per process: a long export does not delay the others.
  const workers = createQueueWorkers(queue);
  const exports = createPersonalExportService({ ...base, queue });
  const jobs: Job[] = [
    { ...queue.job, run: async () => workers.start([{ queue: '', concurrency: 2 }]), stop: workers.stop },
    { name: 'delete personal exports', everySeconds: 600, run: exports.purge },
  ];
  return { operations: createPersonalExportRoutes({ exports }), jobs };
}

/** How other programs follow changes: sync, live events and webhooks. */
export function createIntegrations(platform: Platform, accounts: Accounts) {
  const { config, database, store, clock, lifecycle, logger, locale, ownUrl } = platform;
  const sync = createSyncService({ repository: createSyncRepository(database), clock });
  const hub = createEventHub({ updates: createLiveUpdateRepository(database), lifecycle, logger, clock });

  const sender = createSender({ anyTarget: config.webhookTargets === 'any' });
  const secrets = createWebhookSecrets(platform.secrets);
  const notify = createNotify({ mail: accounts.mail, locale, ownUrl });
  const kind = createDeliveryKind({ store, sender, secrets, notify, clock });
  const queue = createJobQueue(kind, createEncryption(platform.secrets, 'webhook delivery'), platform);
  const deliveries = createDeliveryService({ store, queue, notify, clock });

  const jobs: Job[] = [
    { name: 'purge sync deletions', everySeconds: 600, run: sync.purge },
    { name: 'purge live updates', everySeconds: 30, run: hub.purge },
    createDispatcher({ store, queue, clock }),
    { name: 'watch the queues of webhooks', everySeconds: 5, run: deliveries.watchQueues },
    { name: 'give up deliveries of inactive webhooks', everySeconds: 600, run: deliveries.giveUpInactive },
    { name: 'delete old webhook deliveries', everySeconds: 3600, run: deliveries.deleteOld },
  ];
  return {
    jobs,
    operations: [
      ...createSyncRoutes({ sync }),
      ...createEventRoutes({ hub, clock }),
      ...createWebhookRoutes({ webhooks: createWebhookService({ store, sender, secrets, clock }) }),
      ...createDeliveryRoutes({ deliveries }),
    ],
  };
}
