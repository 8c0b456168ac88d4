import { type Executor, only } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, maybeValue, one } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';
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

export const list = many('list_webhooks', webhookColumns, () => sql`SELECT ${columns} FROM webhooks w ORDER BY w.id`);
export const find = maybeOne(
  'find_webhook',
  webhookColumns,
  (id: number) => sql`SELECT ${columns} FROM webhooks w WHERE w.id = ${t.bigint(id)}`,
);

export const lock = maybeOne(
  'lock_webhook',
  webhookColumns,
  (id: number) => sql`SELECT ${columns} FROM webhooks w WHERE w.id = ${t.bigint(id)} FOR NO KEY UPDATE OF w`,
);

// Serialised, so that the count is exact.
const lockAll = execute('lock_webhooks', () => sql`LOCK TABLE webhooks IN SHARE ROW EXCLUSIVE MODE`);
const countWebhooks = one('count_webhooks', { total: t.bigint }, () => sql`SELECT count(*) AS total FROM webhooks`);

export type NewWebhook = { url: string; events: readonly string[]; active: boolean; secret: string; now: Date };
export type WebhookChange = { url: string; events: readonly string[]; active: boolean; now: Date };
// A new address or reactivation resets earlier failures.
export const update = execute('update_webhook', (id: number, { url, events, active, now }: WebhookChange) => {
  const [time, isActive, address] = [t.timestamptz(now), t.boolean(active), t.text(url)];
  return sql`
    UPDATE webhooks w SET url = ${address}, events = ${t.texts(events)}, active = ${isActive}, updated_at = ${time},
      disabled_reason = CASE WHEN ${isActive} THEN NULL ELSE w.disabled_reason END,
      failures = CASE WHEN ${isActive} AND NOT w.active OR w.url <> ${address} THEN 0 ELSE w.failures END,
      paused_until = CASE WHEN ${isActive} AND NOT w.active OR w.url <> ${address} THEN NULL ELSE w.paused_until END
    WHERE w.id = ${t.bigint(id)}`;
});

export const rotateSecret = execute(
  'rotate_webhook_secret',
  (id: number, secret: string, previousUntil: Date, now: Date) => sql`
    UPDATE webhooks SET previous_secret = secret, previous_expires_at = ${t.timestamptz(previousUntil)},
      secret = ${t.text(secret)}, updated_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)}`,
);

export const remove = execute(
  'delete_webhook',
  (id: number) => sql`
    WITH jobs AS (
      DELETE FROM background_jobs WHERE kind = 'webhook_delivery' AND queue = ${t.bigint(id)}::text)
    DELETE FROM webhooks WHERE id = ${t.bigint(id)}`,
);

/** Active webhooks that are not paused and have due deliveries. */
export const listDue = many(
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
/** The number of consecutive failures; undefined if the webhook is paused or inactive. */
export const recordFailure = maybeValue(
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
/** From now on no events are recorded for active webhooks with at least this many waiting deliveries. */
export const startSkipping = many(
  'start_skipping_webhook_events',
  { id: t.bigint, url: t.text },
  (maxWaiting: number, now: Date) => sql`
    UPDATE webhooks w SET skips_since = ${t.timestamptz(now)}
    WHERE w.active AND w.skips_since IS NULL AND ${hasWaiting(maxWaiting)} RETURNING w.id, w.url`,
);
/** Events are recorded again for webhooks with fewer waiting deliveries. */
export const stopSkipping = many(
  'stop_skipping_webhook_events',
  { id: t.bigint, skips_since: t.timestamptz },
  (fewWaiting: number) => sql`
    WITH caught_up AS (
      SELECT w.id, w.skips_since FROM webhooks w
      WHERE w.active AND w.skips_since IS NOT NULL AND NOT ${hasWaiting(fewWaiting)} FOR NO KEY UPDATE)
    UPDATE webhooks w SET skips_since = NULL FROM caught_up c WHERE w.id = c.id RETURNING w.id, c.skips_since`,
);

/** When a sender has too many waiting deliveries: `crowded` holds once a webhook has `crowd` of all senders. */
export type SenderLimits = { usual: number; crowd: number; crowded: number };
const waitingOfSenders = sql`
  SELECT w.id AS webhook_id, b.sender, count(*) AS waiting, sum(count(*)) OVER (PARTITION BY w.id) AS of_all
  FROM webhooks w JOIN background_jobs b ON b.kind = 'webhook_delivery' AND b.queue = w.id::text
  WHERE w.active GROUP BY w.id, b.sender`;
const limitOf = ({ usual, crowd, crowded }: SenderLimits) =>
  sql`CASE WHEN q.of_all >= ${t.integer(crowd)} THEN ${t.integer(crowded)} ELSE ${t.integer(usual)} END`;

/** From now on no events of these senders are recorded for the webhook. */
export const startSkippingSenders = execute(
  'start_skipping_senders_of_webhook_events',
  (limits: SenderLimits, now: Date) => sql`
    INSERT INTO webhook_skipped_senders (webhook_id, user_id, skips_since)
    SELECT q.webhook_id, u.id, ${t.timestamptz(now)} FROM (${waitingOfSenders}) AS q JOIN users u ON u.id = q.sender
    WHERE q.waiting >= ${limitOf(limits)} ON CONFLICT DO NOTHING`,
);
/** Events are recorded again of senders with less than half as many waiting deliveries. */
export const stopSkippingSenders = many(
  'stop_skipping_senders_of_webhook_events',
  { webhook_id: t.bigint, user_id: t.bigint, skips_since: t.timestamptz },
  (limits: SenderLimits) => sql`
    DELETE FROM webhook_skipped_senders s USING webhooks w
    WHERE w.id = s.webhook_id AND w.active AND NOT EXISTS (
      SELECT FROM (${waitingOfSenders}) AS q
      WHERE q.webhook_id = s.webhook_id AND q.sender = s.user_id AND q.waiting * 2 >= ${limitOf(limits)})
    RETURNING s.webhook_id, s.user_id, s.skips_since`,
);

export const listAdministrators = many(
  'list_administrators_to_notify',
  { email: t.text, locale: t.oneOf(locales).orNull },
  () => sql`
    SELECT u.email, u.locale FROM users u
    WHERE u.role = 'admin' AND u.admin_scope = 'all' AND u.status = 'active' AND u.email IS NOT NULL ORDER BY u.id LIMIT 100`,
);

/** The lock is held until the commit, so that the count stays valid. */
export const lockAndCount = async (db: Executor) => {
  await lockAll(db);
  return (await countWebhooks(db)).total;
};
export async function insert(db: Executor, { now, ...webhook }: NewWebhook): Promise<number> {
  const row = { ...webhook, created_at: now, updated_at: now };
  return only(await db.table('webhooks', 'insert_webhook').insert(row, ['id'])).id;
}
export const recordSuccess = async (db: Executor, id: number) =>
  db
    .table('webhooks', 'record_webhook_success')
    .where({ id })
    .where('failures', '>', 0)
    .update({ failures: 0, paused_until: null });
/** Returns its address; undefined if it is already inactive. */
export async function switchOff(
  db: Executor,
  id: number,
  disabled_reason: (typeof disabledReasons)[number],
  now: Date,
) {
  const active = db.table('webhooks', 'switch_webhook_off').where({ id, active: true });
  return (await active.update({ active: false, disabled_reason, updated_at: now }, ['url']))[0]?.url;
}
