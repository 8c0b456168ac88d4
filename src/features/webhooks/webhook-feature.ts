import type { Config } from '../../config.ts';
import type { Operation } from '../../http/operation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Store } from '../../store.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import type { MailOutbox } from '../mail/mail-feature.ts';
import { createDeliveryKind } from './deliveries/delivery-kind.ts';
import { createDeliveryRoutes } from './deliveries/delivery-routes.ts';
import { createDeliveryService } from './deliveries/delivery-service.ts';
import { createDispatcher } from './deliveries/dispatcher.ts';
import { createSender } from './deliveries/sender.ts';
import { createNotify } from './webhook-notices.ts';
import { createWebhookRoutes } from './webhook-routes.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createWebhookService } from './webhook-service.ts';

export type WebhookFeatureOptions = {
  config: Pick<Config, 'http' | 'webhookTargets'>;
  store: Store;
  secrets: readonly string[];
  accounts: { mail: MailOutbox; ownUrl: string };
  clock: Clock;
  logger: Logger;
};

export function createWebhookFeature(options: WebhookFeatureOptions): { operations: Operation[]; jobs: Job[] } {
  const { config, store, accounts, clock, logger } = options;
  const { mail, ownUrl } = accounts;
  const sender = createSender({ anyTarget: config.webhookTargets === 'any' });
  const secrets = createWebhookSecrets(options.secrets);
  const notify = createNotify({ mail, locale: config.http.defaultLocale, ownUrl });
  const kind = createDeliveryKind({ store, sender, secrets, notify, clock });
  const queue = createJobQueue(kind, createSeal(options.secrets, 'webhook delivery'), { store, clock, logger });
  const deliveries = createDeliveryService({ store, queue, notify, clock });
  const jobs: Job[] = [
    createDispatcher({ store, queue, clock }),
    { name: 'watch the queues of webhooks', everySeconds: 5, run: deliveries.watchQueues },
    { name: 'give up deliveries of inactive webhooks', everySeconds: 600, run: deliveries.giveUpInactive },
    { name: 'delete old webhook deliveries', everySeconds: 3600, run: deliveries.deleteOld },
  ];
  return {
    operations: [
      ...createWebhookRoutes({ webhooks: createWebhookService({ store, sender, secrets, clock }) }),
      ...createDeliveryRoutes({ deliveries }),
    ],
    jobs,
  };
}
