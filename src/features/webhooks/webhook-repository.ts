import { type Executor, only } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { locales } from '../../messages/index.ts';
import { disabledReasons } from './webhook-schemas.ts';

const webhookColumns = {
  id: t.bigint,
  url: t.text,
  events: t.texts,
  active: t.boolean,
  disabled_reason: t.oneOf(disabledReasons).orNull,
  failures: t.integer,
  paused_until: t.timestamptz.orNull,
  skips_since: t.timestamptz.orNull,
  previous_expires_at: t.timestamptz.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
  waiting: t.bigint,
};

export type WebhookRow = RowOf<typeof webhookColumns>;
const columns = sql`w.id, w.url, w.events, w.active, w.disabled_reason, w.failures, w.paused_until, w.skips_since,
  w.previous_expires_at, w.created_at, w.updated_at, w.row_version, (
    SELECT count(*) FROM background_jobs b WHERE b.kind = 'webhook_delivery' AND b.queue = w.id::text) AS waiting`;

const listWebhooks = query('list_webhooks', webhookColumns, () => sql`SELECT ${columns} FROM webhooks w ORDER BY w.id`);
const findWebhook = query(
  'find_webhook',
  webhookColumns,
  (id: number) => sql`SELECT ${columns} FROM webhooks w WHERE w.id = ${t.bigint(id)}`,
);

const lockWebhook = query(
  'lock_webhook',
  webhookColumns,
  (id: number) => sql`SELECT ${columns} FROM webhooks w WHERE w.id = ${t.bigint(id)} FOR NO KEY UPDATE OF w`,
);

// Serialised, so that the count is exact.
const lockAll = command('lock_webhooks', () => sql`LOCK TABLE webhooks IN SHARE ROW EXCLUSIVE MODE`);
const countWebhooks = query('count_webhooks', { total: t.bigint }, () => sql`SELECT count(*) AS total FROM webhooks`);

export type NewWebhook = { url: string; events: readonly string[]; active: boolean; secret: string; now: Date };
export type WebhookChange = { url: string; events: readonly string[]; active: boolean; now: Date };
// A new address or reactivation resets earlier failures.
const updateWebhook = command('update_webhook', (id: number, { url, events, active, now }: WebhookChange) => {
  const [time, isActive, address] = [t.timestamptz(now), t.boolean(active), t.text(url)];
  return sql`
    UPDATE webhooks w SET url = ${address}, events = ${t.texts(events)}, active = ${isActive}, updated_at = ${time},
      disabled_reason = CASE WHEN ${isActive} THEN NULL ELSE w.disabled_reason END,
      failures = CASE WHEN ${isActive} AND NOT w.active OR w.url <> ${address} THEN 0 ELSE w.failures END,
      paused_until = CASE WHEN ${isActive} AND NOT w.active OR w.url <> ${address} THEN NULL ELSE w.paused_until END
    WHERE w.id = ${t.bigint(id)}`;
});

const rotateSecret = command(
  'rotate_webhook_secret',
  (id: number, secret: string, previousUntil: Date, now: Date) => sql`
    UPDATE webhooks SET previous_secret = secret, previous_expires_at = ${t.timestamptz(previousUntil)},
      secret = ${t.text(secret)}, updated_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)}`,
);

const deleteWebhook = command(
  'delete_webhook',
  (id: number) => sql`
    WITH jobs AS (
      DELETE FROM background_jobs WHERE kind = 'webhook_delivery' AND queue = ${t.bigint(id)}::text)
    DELETE FROM webhooks WHERE id = ${t.bigint(id)}`,
);

const listDue = query(
  'list_due_webhooks',
  { id: t.bigint, failures: t.integer },
  (now: Date) => sql`
    SELECT w.id, w.failures FROM webhooks w
    WHERE w.active AND (w.paused_until IS NULL OR w.paused_until <= ${t.timestamptz(now)}) AND EXISTS (
      SELECT FROM background_jobs b
      WHERE b.kind = 'webhook_delivery' AND b.queue = w.id::text AND b.next_at <= ${t.timestamptz(now)})`,
);

export type Pause = { firstSeconds: number; maxSeconds: number };
// Attempts that were in progress when another one failed are not counted again.
const recordFailure = query(
  'record_webhook_failure',
  { failures: t.integer },
  (id: number, { firstSeconds, maxSeconds }: Pause, at: Date) => {
    const now = t.timestamptz(at);
    return sql`
      UPDATE webhooks SET failures = failures + 1, paused_until = ${now}
        + least(${t.integer(firstSeconds)} * 2 ^ least(failures, 20), ${t.integer(maxSeconds)}) * interval '1 second'
      WHERE id = ${t.bigint(id)} AND active AND (paused_until IS NULL OR paused_until <= ${now}) RETURNING failures`;
  },
);

const hasWaiting = (count: number) => sql`
  EXISTS (SELECT FROM background_jobs b WHERE b.kind = 'webhook_delivery' AND b.queue = w.id::text
    OFFSET ${t.integer(count - 1)} LIMIT 1)`;
const startSkipping = query(
  'start_skipping_webhook_events',
  { id: t.bigint, url: t.text },
  (maxWaiting: number, now: Date) => sql`
    UPDATE webhooks w SET skips_since = ${t.timestamptz(now)}
    WHERE w.active AND w.skips_since IS NULL AND ${hasWaiting(maxWaiting)} RETURNING w.id, w.url`,
);
const stopSkipping = query(
  'stop_skipping_webhook_events',
  { id: t.bigint, skips_since: t.timestamptz },
  (fewWaiting: number) => sql`
    WITH caught_up AS (
      SELECT w.id, w.skips_since FROM webhooks w
      WHERE w.active AND w.skips_since IS NOT NULL AND NOT ${hasWaiting(fewWaiting)} FOR NO KEY UPDATE)
    UPDATE webhooks w SET skips_since = NULL FROM caught_up c WHERE w.id = c.id RETURNING w.id, c.skips_since`,
);

const listAdministrators = query(
  'list_administrators_to_notify',
  { email: t.text, locale: t.oneOf(locales).orNull },
  () => sql`
    SELECT u.email, u.locale FROM users u
    WHERE u.role = 'admin' AND u.status = 'active' AND u.email IS NOT NULL ORDER BY u.id LIMIT 100`,
);

export function createWebhookRepository(db: Executor) {
  return {
    list: () => db.many(listWebhooks()),
    find: (id: number) => db.maybeOne(findWebhook(id)),
    lock: (id: number) => db.maybeOne(lockWebhook(id)),
    /** The lock is held until the commit, so that the count stays valid. */
    lockAndCount: async () => {
      await db.execute(lockAll());
      return (await db.one(countWebhooks())).total;
    },
    async insert({ now, ...webhook }: NewWebhook): Promise<number> {
      const row = { ...webhook, created_at: now, updated_at: now };
      return only(await db.table('webhooks', 'insert_webhook').insert(row, ['id'])).id;
    },
    update: (id: number, change: WebhookChange) => db.execute(updateWebhook(id, change)),
    rotateSecret: (id: number, secret: string, previousUntil: Date, now: Date) =>
      db.execute(rotateSecret(id, secret, previousUntil, now)),
    delete: (id: number) => db.execute(deleteWebhook(id)),
    /** Active webhooks that are not paused and have due deliveries. */
    listDue: (now: Date) => db.many(listDue(now)),
    recordSuccess: async (id: number) =>
      db
        .table('webhooks', 'record_webhook_success')
        .where({ id })
        .where('failures', '>', 0)
        .update({ failures: 0, paused_until: null }),
    /** The number of consecutive failures; undefined if the webhook is paused or inactive. */
    recordFailure: async (id: number, pause: Pause, now: Date) =>
      (await db.maybeOne(recordFailure(id, pause, now)))?.failures,
    /** Returns its address; undefined if it is already inactive. */
    async switchOff(id: number, disabled_reason: (typeof disabledReasons)[number], now: Date) {
      const active = db.table('webhooks', 'switch_webhook_off').where({ id, active: true });
      return (await active.update({ active: false, disabled_reason, updated_at: now }, ['url']))[0]?.url;
    },
    /** From now on no events are recorded for active webhooks with at least this many waiting deliveries. */
    startSkipping: (maxWaiting: number, now: Date) => db.many(startSkipping(maxWaiting, now)),
    /** Events are recorded again for webhooks with fewer waiting deliveries. */
    stopSkipping: (fewWaiting: number) => db.many(stopSkipping(fewWaiting)),
    listAdministrators: () => db.many(listAdministrators()),
  };
}
