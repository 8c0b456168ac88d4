import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../../store.ts';
import type { JobKind } from '../../background-work/job-kind.ts';
import type { NotifyAdministrators } from '../webhook-notices.ts';
import type { WebhookSecrets } from '../webhook-secrets.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Sender } from './sender.ts';
import { signedHeaders } from './signature.ts';

const minute = 60_000;
const maxFailures = 20;
/** After a failed attempt the whole webhook pauses: 20 consecutive failures take about 21 hours. */
const pause = { firstSeconds: 5, maxSeconds: 7200 };
/** Longer than the pause, so that other objects are attempted before the failed one. */
const retryAfter = (failures: number) => Math.min(2 ** (failures - 1) * 30_000, 120 * minute);

const deliveryJob = z.object({ delivery_id: z.int() });
export type DeliveryJob = z.infer<typeof deliveryJob>;
type Options = { store: Store; sender: Sender; secrets: WebhookSecrets; notify: NotifyAdministrators; clock: Clock };

/** Delivers one event to one webhook: at least once, in order per object, for up to 24 hours. */
export function createDeliveryKind({ store, sender, secrets, notify, clock }: Options): JobKind<DeliveryJob> {
  return {
    kind: 'webhook_delivery',
    name: 'deliver webhooks',
    everySeconds: 1,
    payload: deliveryJob,
    sealed: false, // the content is in webhook_deliveries
    lease: minute, // an attempt takes at most 10 seconds
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter,

    async run({ delivery_id }) {
      const delivery = await store.webhookDeliveries.loadForAttempt(delivery_id);
      if (delivery === undefined || delivery.state !== 'waiting') return { done: true };
      if (!delivery.active) return { postponedUntil: new Date(clock().getTime() + minute) };
      const signing = secrets.signing(delivery, clock());
      if (signing.length === 0) throw new DeliveryError('SECRET_UNREADABLE');
      const { type, created_at, data } = delivery;
      const body = JSON.stringify({ type, timestamp: created_at, data });
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Studytrack-Webhooks',
        ...signedHeaders(`msg_${delivery.message_id}`, clock(), body, signing),
      };
      const { status, text } = await sender.post(new URL(delivery.url), headers, body);
      return {
        done: true,
        settle: async (tx) => {
          await tx.webhookDeliveries.recordAttempt(delivery_id, { now: clock(), state: 'delivered', status, text });
          await tx.webhooks.recordSuccess(delivery.webhook_id);
        },
      };
    },

    async failed(tx, { delivery_id }, job, { error, code, expired }) {
      if (expired) return tx.webhookDeliveries.giveUp(delivery_id);
      const now = clock();
      const { status, text } = error instanceof DeliveryError ? error : {};
      const nextAttemptAt = new Date(now.getTime() + retryAfter(job.failures + 1));
      const attempt = { now, state: 'waiting', nextAttemptAt, status, text, errorCode: code } as const;
      await tx.webhookDeliveries.recordAttempt(delivery_id, attempt);
      const webhookId = Number(job.queue);
      const failures = await tx.webhooks.recordFailure(webhookId, pause, now);
      if (failures !== undefined && failures >= maxFailures) {
        const url = await tx.webhooks.switchOff(webhookId, 'failures', now);
        if (url !== undefined) await notify(tx, 'mail_webhook_off', url);
      }
      return undefined;
    },
  };
}
