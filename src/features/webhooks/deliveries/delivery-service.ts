import { ConflictError, NotFoundError } from '../../../errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Store, TransactionStore } from '../../../store.ts';
import type { Actor } from '../../auth/identity.ts';
import type { JobQueue } from '../../background-work/background-worker.ts';
import type { DeliveriesQuery } from '../webhook-schemas.ts';
import type { DeliveryJob, NotifyAdministrators } from './delivery-kind.ts';
import type { DeliveryRow } from './delivery-repository.ts';

/** May be exceeded only between two checks. */
const maxWaiting = 20_000;
const caughtUp = maxWaiting / 2;
const day = 86_400_000;
const retentionDays = 30;
const deleteBatch = 5000;

type Options = { store: Store; queue: JobQueue<DeliveryJob>; notify: NotifyAdministrators; clock: Clock };
export type DeliveryService = ReturnType<typeof createDeliveryService>;

export function createDeliveryService({ store, queue, notify, clock }: Options) {
  async function lockActive({ webhooks }: TransactionStore, id: number): Promise<void> {
    const row = await webhooks.lock(id);
    if (row === undefined) throw new NotFoundError('webhook_not_found');
    if (!row.active) throw new ConflictError('CONFLICT', 'webhook_inactive');
    if (row.waiting >= maxWaiting) throw new ConflictError('CONFLICT', 'webhook_queue_full', { maximum: maxWaiting });
  }

  async function get({ webhookDeliveries }: Store, webhookId: number, id: number): Promise<DeliveryRow> {
    const row = await webhookDeliveries.find(webhookId, id);
    if (row === undefined) throw new NotFoundError('webhook_delivery_not_found');
    return row;
  }

  const enqueue = (tx: TransactionStore, webhookId: number, id: number, object: string) =>
    queue.enqueue(tx, { delivery_id: id }, { queue: `${webhookId}`, orderingKey: object });

  /** A delivery about the webhook itself, for every webhook. */
  async function announce(tx: TransactionStore, webhook_id: number, type: 'ping' | 'events.skipped', data: object) {
    const object = `webhook:${webhook_id}`;
    const id = await tx.webhookDeliveries.insert({ webhook_id, type, object, data, created_at: clock() });
    await enqueue(tx, webhook_id, id, object);
    return id;
  }

  return {
    async list(webhookId: number, query: DeliveriesQuery) {
      if ((await store.webhooks.find(webhookId)) === undefined) throw new NotFoundError('webhook_not_found');
      const rows = await store.webhookDeliveries.list(webhookId, query);
      const page = rows.slice(0, query.limit);
      return { page, next_before: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
    },

    /** A delivery without an event, to test the receiver. */
    ping: (actor: Actor, webhookId: number): Promise<DeliveryRow> =>
      store.transaction(async (tx) => {
        await lockActive(tx, webhookId);
        return get(tx, webhookId, await announce(tx, webhookId, 'ping', { webhook_id: webhookId }));
      }, actor.context),

    /** Delivers it again with the same id, after the waiting deliveries of its object. */
    replay: (actor: Actor, webhookId: number, id: number): Promise<DeliveryRow> =>
      store.transaction(async (tx) => {
        await lockActive(tx, webhookId);
        await get(tx, webhookId, id);
        const object = await tx.webhookDeliveries.restart(webhookId, id);
        if (object === undefined) throw new ConflictError('CONFLICT', 'webhook_delivery_waits');
        await enqueue(tx, webhookId, id, object);
        return get(tx, webhookId, id);
      }, actor.context),

    /** A slow receiver does not fill the database: it catches up first, and learns for which time it has no events. */
    watchQueues: (): Promise<void> =>
      store.transaction(async (tx) => {
        const now = clock();
        for (const { url } of await tx.webhooks.startSkipping(maxWaiting, now))
          await notify(tx, 'mail_webhook_full', url);
        for (const { id, skips_since: from } of await tx.webhooks.stopSkipping(caughtUp))
          await announce(tx, id, 'events.skipped', { webhook_id: id, from, until: now });
      }),

    giveUpInactive: () => store.webhookDeliveries.giveUpInactive(new Date(clock().getTime() - day)),

    async deleteOld(): Promise<void> {
      const before = new Date(clock().getTime() - retentionDays * day);
      while ((await store.webhookDeliveries.deleteOld(before, deleteBatch)) === deleteBatch);
      // Deliveries wait for at most a day, even after the account was deleted.
      await store.webhookDeliveries.deleteOfDeletedUsers(new Date(before.getTime() - day));
    },
  };
}
