import { z } from 'zod';
import type { Clock } from '../../../../lib/clock.ts';
import type { Job } from '../../../../lib/jobs.ts';
import { type Locale, translate } from '../../../../texts/index.ts';
import type { Db, Tx } from '../../../../transactions/transactions.ts';
import { createQueueWorkers, type JobQueue } from '../../../operations/background-work/background-worker.ts';
import type { JobKind } from '../../../operations/background-work/job-kind.ts';
import type { MailOutbox } from '../../../operations/mail/mail-outbox.ts';
import { DeliveryError, type Sender } from '../../../operations/outgoing-requests/sender.ts';
import * as webhooks from '../webhook-repository.ts';
import { signedHeaders, type WebhookSecrets } from '../webhook-service.ts';
import * as webhookDeliveries from './delivery-repository.ts';

type Notice = 'mail_webhook_off' | 'mail_webhook_full';
/** Mails the administrators about a webhook, in the transaction of the change. */
export function createNotify({ mail, locale, ownUrl }: { mail: MailOutbox; locale: Locale; ownUrl: string }) {
  return async (tx: Tx, notice: Notice, url: string): Promise<void> => {
    if (!mail.enabled) return;
    const params = { url, page: `${ownUrl}/admin/webhooks` };
    const mails = (await webhooks.listAdministrators(tx)).map(({ email, locale: own }) => {
      const language = own ?? locale;
      const text = translate({ key: `${notice}_text`, params }, language);
      return { to: email, subject: translate({ key: notice }, language), text: `${text}\n` };
    });
    await mail.enqueueAll(tx, mails, 'notices');
  };
}

export type NotifyAdministrators = ReturnType<typeof createNotify>;

const minute = 60_000;
const maxFailures = 20;
/** After a failed attempt the whole webhook pauses: 20 consecutive failures take about 21 hours. */
const pause = { firstSeconds: 5, maxSeconds: 7200 };
/** Longer than the pause, so that other objects are attempted before the failed one. */
const retryAfter = (failures: number) => Math.min(2 ** (failures - 1) * 30_000, 120 * minute);

const deliveryJob = z.object({ delivery_id: z.int() });
export type DeliveryJob = z.infer<typeof deliveryJob>;
type Options = { store: Db; sender: Sender; secrets: WebhookSecrets; notify: NotifyAdministrators; clock: Clock };

/** Delivers one event to one webhook: at least once, in order per object, for up to 24 hours. */
export function createDeliveryKind({ store, sender, secrets, notify, clock }: Options): JobKind<DeliveryJob> {
  return {
    kind: 'webhook_delivery',
    name: 'deliver webhooks',
    everySeconds: 1,
    payload: deliveryJob,
    encrypted: false, // the content is in webhook_deliveries
    lease: minute, // an attempt takes at most 10 seconds
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter,

    async run({ delivery_id }) {
      const delivery = await webhookDeliveries.loadForAttempt(store, delivery_id);
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
          await webhookDeliveries.recordAttempt(tx, delivery_id, { now: clock(), state: 'delivered', status, text });
          await webhooks.recordSuccess(tx, delivery.webhook_id);
        },
      };
    },

    async failed(tx, { delivery_id }, job, { error, code, expired }) {
      if (expired) return webhookDeliveries.giveUp(tx, delivery_id);
      const now = clock();
      const { status, text } = error instanceof DeliveryError ? error : {};
      const nextAttemptAt = new Date(now.getTime() + retryAfter(job.failures + 1));
      const attempt = { now, state: 'waiting', nextAttemptAt, status, text, errorCode: code } as const;
      await webhookDeliveries.recordAttempt(tx, delivery_id, attempt);
      const webhookId = Number(job.queue);
      const failures = await webhooks.recordFailure(tx, webhookId, pause, now);
      if (failures !== undefined && failures >= maxFailures) {
        const url = await webhooks.switchOff(tx, webhookId, 'failures', now);
        if (url !== undefined) await notify(tx, 'mail_webhook_off', url);
      }
      return undefined;
    },
  };
}

/** Per webhook and process. After a failure only one, until one succeeds. */
const maxConcurrency = 3;

type DispatcherOptions = { store: Db; queue: JobQueue<DeliveryJob>; clock: Clock };

/** Each webhook has its own queue: a slow receiver does not delay other deliveries. */
export function createDispatcher({ store, queue, clock }: DispatcherOptions): Job {
  const workers = createQueueWorkers(queue);
  return {
    ...queue.job,
    async run() {
      const due = await webhooks.listDue(store, clock());
      workers.start(
        due.map(({ id, failures }) => ({ queue: `${id}`, concurrency: failures > 0 ? 1 : maxConcurrency })),
      );
    },
    stop: workers.stop,
  };
}
