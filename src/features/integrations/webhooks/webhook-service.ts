import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createEncryption } from '../../../lib/secrets/encryption.ts';
import { ConflictError, NotFoundError, PreconditionFailedError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { Sender } from '../../operations/outgoing-requests/sender.ts';
import type { WebhookRow } from './webhook-repository.ts';
import * as webhooks from './webhook-repository.ts';
import { type CreateWebhookInput, maxWebhooks, type UpdateWebhookInput } from './webhook-schemas.ts';

type Stored = { secret: string; previous_secret: string | null; previous_expires_at: string | null };

/** Webhook secrets are encrypted in the database: the service must be able to sign with them. */
export function createWebhookSecrets(secrets: readonly string[]) {
  const { encrypt, decrypt } = createEncryption(secrets, 'webhook secret');
  return {
    encrypt,
    /** The secrets that sign now; none if the secret of the service was replaced. */
    signing({ secret, previous_secret, previous_expires_at }: Stored, now: Date): string[] {
      const isRotating = previous_expires_at !== null && Date.parse(previous_expires_at) > now.getTime();
      const encrypted = isRotating && previous_secret !== null ? [secret, previous_secret] : [secret];
      return encrypted.map(decrypt).filter((text) => text !== undefined);
    },
  };
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** A new secret in the format of the Standard Webhooks specification. */
const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of an attempt, signed with each secret: during a rotation, receivers may verify with the former one. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

const rotation = 24 * 3_600_000;

type Options = { store: Db; sender: Sender; secrets: WebhookSecrets; clock: Clock };
export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService({ store, sender, secrets, clock }: Options) {
  /** Queries DNS, so it must not run within a transaction. Each attempt of a delivery checks again. */
  async function assertTarget(text: string | undefined): Promise<void> {
    const url = text === undefined ? undefined : new URL(text);
    if (url !== undefined && (!sender.isAllowed(url) || !(await sender.resolvesToPublic(url))))
      throw ValidationError.of('url', 'webhook_target');
  }

  async function get(db: Db, id: number): Promise<WebhookRow> {
    const row = await webhooks.find(db, id);
    if (row === undefined) throw new NotFoundError('webhook_not_found');
    return row;
  }

  async function lock(tx: Tx, id: number, expectedVersion: number | undefined) {
    const row = await webhooks.lock(tx, id);
    if (row === undefined) throw new NotFoundError('webhook_not_found');
    if (expectedVersion !== undefined && expectedVersion !== row.row_version) throw new PreconditionFailedError();
    return row;
  }

  async function changed(tx: Tx, before: WebhookRow): Promise<WebhookRow> {
    const after = await get(tx, before.id);
    tx.record({ type: 'webhook.updated', before, after });
    return after;
  }

  return {
    list: () => webhooks.list(store),
    get: (id: number) => get(store, id),
    assertTarget,

    /** Also returns the secret, which is encrypted in the database. */
    create(db: Db, actor: Actor, { url, events, active }: CreateWebhookInput) {
      const secret = createWebhookSecret();
      return db.transaction(actor.context, async (tx) => {
        if ((await webhooks.lockAndCount(tx)) >= maxWebhooks)
          throw new ConflictError('CONFLICT', 'too_many_webhooks', { maximum: maxWebhooks });
        const id = await webhooks.insert(tx, { url, events, active, secret: secrets.encrypt(secret), now: clock() });
        const row = await get(tx, id);
        tx.record({ type: 'webhook.created', webhook: row });
        return { row, secret };
      });
    },

    update(actor: Actor, id: number, change: UpdateWebhookInput, expectedVersion: number | undefined) {
      return store.transaction(actor.context, async (tx) => {
        const before = await lock(tx, id, expectedVersion);
        const { url, events, active } = before;
        await webhooks.update(tx, id, { url, events, active, ...change, now: clock() });
        return changed(tx, before);
      });
    },

    /** The previous secret also signs for another day. */
    rotateSecret(actor: Actor, id: number) {
      const secret = createWebhookSecret();
      return store.transaction(actor.context, async (tx) => {
        const before = await lock(tx, id, undefined);
        const now = clock();
        await webhooks.rotateSecret(tx, id, secrets.encrypt(secret), new Date(now.getTime() + rotation), now);
        return { row: await changed(tx, before), secret };
      });
    },

    delete: (actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        const webhook = await lock(tx, id, expectedVersion);
        await webhooks.remove(tx, id);
        tx.record({ type: 'webhook.deleted', webhook });
      }),
  };
}
