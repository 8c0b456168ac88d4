import type { Actor } from '../../../../actor.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { ConflictError, NotFoundError } from '../../../../texts/errors.ts';
import type { Db, Tx } from '../../../../transactions/transactions.ts';
import type { JobQueue } from '../../../operations/background-work/background-worker.ts';
import * as webhooks from '../webhook-repository.ts';
import type { DeliveriesQuery } from '../webhook-schemas.ts';
import type { DeliveryJob, NotifyAdministrators } from './delivery-kind.ts';
import type { DeliveryRow } from './delivery-repository.ts';
import * as webhookDeliveries from './delivery-repository.ts';

/** May be exceeded only between two checks. */
const maxWaiting = 20_000;
const caughtUp = maxWaiting / 2;
/** Then the events of one user are left out, before those of the others are. */
const senderLimits = { usual: 5_000, crowd: 15_000, crowded: 500 };
/** Finished deliveries of a webhook that are kept, of each state. */
const maxKept = 10_000;
const day = 86_400_000;
const retentionDays = 30;
const deleteBatch = 5000;

type Options = { store: Db; queue: JobQueue<DeliveryJob>; notify: NotifyAdministrators; clock: Clock };
export type DeliveryService = ReturnType<typeof createDeliveryService>;

export function createDeliveryService({ store, queue, notify, clock }: Options) {
  async function lockActive(tx: Tx, id: number): Promise<void> {
    const row = await webhooks.lock(tx, id);
    if (row === undefined) throw new NotFoundError('webhook_not_found');
    if (!row.active) throw new ConflictError('CONFLICT', 'webhook_inactive');
    if (row.waiting >= maxWaiting) throw new ConflictError('CONFLICT', 'webhook_queue_full', { maximum: maxWaiting });
  }

  async function get(db: Db, webhookId: number, id: number): Promise<DeliveryRow> {
    const row = await webhookDeliveries.find(db, webhookId, id);
    if (row === undefined) throw new NotFoundError('webhook_delivery_not_found');
    return row;
  }

  const enqueue = (tx: Tx, webhookId: number, id: number, object: string) =>
    queue.enqueue(tx, { delivery_id: id }, { queue: `${webhookId}`, orderingKey: object });

  /** A delivery about the webhook itself, for every webhook. */
  async function announce(tx: Tx, webhook_id: number, type: 'ping' | 'events.skipped', data: object) {
    const object = `webhook:${webhook_id}`;
    const id = await webhookDeliveries.insert(tx, { webhook_id, type, object, data, created_at: clock() });
    await enqueue(tx, webhook_id, id, object);
    return id;
  }

  return {
    async list(webhookId: number, query: DeliveriesQuery) {
      if ((await webhooks.find(store, webhookId)) === undefined) throw new NotFoundError('webhook_not_found');
      const rows = await webhookDeliveries.list(store, webhookId, query);
      const page = rows.slice(0, query.limit);
      return { page, next_before: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
    },

    /** A delivery without an event, to test the receiver. */
    ping: (actor: Actor, webhookId: number): Promise<DeliveryRow> =>
      store.transaction(actor.context, async (tx) => {
        await lockActive(tx, webhookId);
        return get(tx, webhookId, await announce(tx, webhookId, 'ping', { webhook_id: webhookId }));
      }),

    /** Delivers it again with the same id, after the waiting deliveries of its object. */
    replay: (actor: Actor, webhookId: number, id: number): Promise<DeliveryRow> =>
      store.transaction(actor.context, async (tx) => {
        await lockActive(tx, webhookId);
        await get(tx, webhookId, id);
        const object = await webhookDeliveries.restart(tx, webhookId, id);
        if (object === undefined) throw new ConflictError('CONFLICT', 'webhook_delivery_waits');
        await enqueue(tx, webhookId, id, object);
        return get(tx, webhookId, id);
      }),

    /** A slow receiver does not fill the database: it catches up first, and learns for which time it has no events. */
    watchQueues: (): Promise<void> =>
      store.asService(async (tx) => {
        const now = clock();
        await webhooks.startSkippingSenders(tx, senderLimits, now);
        for (const { webhook_id, user_id, skips_since: from } of await webhooks.stopSkippingSenders(tx, senderLimits))
          await announce(tx, webhook_id, 'events.skipped', { webhook_id, user_id, from, until: now });
        for (const { url } of await webhooks.startSkipping(tx, maxWaiting, now))
          await notify(tx, 'mail_webhook_full', url);
        for (const { id, skips_since: from } of await webhooks.stopSkipping(tx, caughtUp))
          await announce(tx, id, 'events.skipped', { webhook_id: id, user_id: null, from, until: now });
      }),

    async deleteExcess(): Promise<void> {
      while ((await webhookDeliveries.deleteExcess(store, maxKept, deleteBatch)) === deleteBatch);
    },

    giveUpInactive: () => webhookDeliveries.giveUpInactive(store, new Date(clock().getTime() - day)),

    async deleteOld(): Promise<void> {
      const before = new Date(clock().getTime() - retentionDays * day);
      while ((await webhookDeliveries.deleteOld(store, before, deleteBatch)) === deleteBatch);
      // Deliveries wait for at most a day, even after the account was deleted.
      await webhookDeliveries.deleteOfDeletedUsers(store, new Date(before.getTime() - day));
    },
  };
}
