import { empty, type RowOf, sql, t } from '../../../../db/sql/sql.ts';
import { execute, many, maybeOne, maybeValue, value } from '../../../../db/statements.ts';
import { type DeliveriesQuery, deliveryStates, deliveryTypes } from '../webhook-schemas.ts';

const deliveryColumns = {
  id: t.bigint,
  message_id: t.uuid,
  type: t.oneOf(deliveryTypes),
  object: t.text,
  data: t.json<Record<string, unknown>>(),
  state: t.oneOf(deliveryStates),
  attempts: t.integer,
  created_at: t.timestamptz,
  last_attempt_at: t.timestamptz.orNull,
  next_attempt_at: t.timestamptz.orNull,
  response_status: t.integer.orNull,
  response_text: t.text.orNull,
  error_code: t.text.orNull,
};
export type DeliveryRow = RowOf<typeof deliveryColumns>;
const columns = sql`d.id, d.message_id, d.type, d.object, d.data, d.state, d.attempts, d.created_at, d.last_attempt_at,
  d.next_attempt_at, d.response_status, d.response_text, d.error_code`;

/** Returns one more than the limit if there are more. */
export const list = many(
  'list_webhook_deliveries',
  deliveryColumns,
  (webhookId: number, { state, before, limit }: DeliveriesQuery) => sql`
    SELECT ${columns} FROM webhook_deliveries d
    WHERE d.webhook_id = ${t.bigint(webhookId)}
      ${before === undefined ? empty : sql`AND d.id < ${t.bigint(before)}`}
      ${state === undefined ? empty : sql`AND d.state = ${t.text(state)}`}
      ${state === 'waiting' || state === 'failed' ? sql`AND d.state <> 'delivered'` : empty}
    ORDER BY d.id DESC LIMIT ${t.integer(limit + 1)}`,
);
export const find = maybeOne(
  'find_webhook_delivery',
  deliveryColumns,
  (webhookId: number, id: number) => sql`
    SELECT ${columns} FROM webhook_deliveries d
    WHERE d.webhook_id = ${t.bigint(webhookId)} AND d.id = ${t.bigint(id)}`,
);
export type NewDelivery = { webhook_id: number; type: string; object: string; data: object; created_at: Date };
export const insert = value(
  'insert_webhook_delivery',
  { id: t.bigint },
  ({ webhook_id, type, object, data, created_at }: NewDelivery) => sql`
    INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
    VALUES (${t.bigint(webhook_id)}, ${t.text(type)}, ${t.text(object)}, ${t.jsonb(JSON.stringify(data))},
      ${t.timestamptz(created_at)}, 'waiting')
    RETURNING id`,
);
/** Queues it again; undefined if it is already waiting or does not exist. */
export const restart = maybeValue(
  'restart_webhook_delivery',
  { object: t.text },
  (webhookId: number, id: number) => sql`
    UPDATE webhook_deliveries SET state = 'waiting', next_attempt_at = NULL, error_code = NULL
    WHERE webhook_id = ${t.bigint(webhookId)} AND id = ${t.bigint(id)} AND state <> 'waiting' RETURNING object`,
);

export const loadForAttempt = maybeOne(
  'load_webhook_delivery',
  {
    webhook_id: t.bigint,
    message_id: t.uuid,
    type: t.text,
    data: t.json<unknown>(),
    created_at: t.timestamptz,
    state: t.oneOf(deliveryStates),
    url: t.text,
    active: t.boolean,
    secret: t.text,
    previous_secret: t.text.orNull,
    previous_expires_at: t.timestamptz.orNull,
  },
  (id: number) => sql`
    SELECT d.webhook_id, d.message_id, d.type, d.data, d.created_at, d.state, w.url, w.active, w.secret, w.previous_secret,
      w.previous_expires_at
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE d.id = ${t.bigint(id)}`,
);

export type Attempt = {
  now: Date;
  state: (typeof deliveryStates)[number];
  nextAttemptAt?: Date;
  status?: number | undefined;
  text?: string | undefined;
  errorCode?: string;
};
export const recordAttempt = execute('record_webhook_attempt', (id: number, attempt: Attempt) => {
  const { now, state, nextAttemptAt = null, status = null, text = null, errorCode = null } = attempt;
  return sql`
    UPDATE webhook_deliveries SET state = ${t.text(state)}, attempts = attempts + 1, last_attempt_at = ${t.timestamptz(now)},
      next_attempt_at = ${t.timestamptz(nextAttemptAt)}, response_status = ${t.integer(status)},
      response_text = ${t.text(text)}, error_code = ${t.text(errorCode)}
    WHERE id = ${t.bigint(id)}`;
});
export const giveUp = execute(
  'give_up_webhook_delivery',
  (id: number) => sql`
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, error_code = coalesce(error_code, 'EXPIRED')
    WHERE id = ${t.bigint(id)} AND state = 'waiting'`,
);
// The queues of inactive webhooks are not served.
export const giveUpInactive = execute(
  'give_up_deliveries_of_inactive_webhooks',
  (before: Date) => sql`
    WITH jobs AS (
      DELETE FROM background_jobs b USING webhooks w
      WHERE b.kind = 'webhook_delivery' AND b.queue = w.id::text AND NOT w.active AND b.created_at < ${t.timestamptz(before)}
      RETURNING (b.payload ->> 'delivery_id')::bigint AS delivery_id)
    UPDATE webhook_deliveries d SET state = 'failed', next_attempt_at = NULL, error_code = coalesce(d.error_code, 'EXPIRED')
    FROM jobs j WHERE d.id = j.delivery_id AND d.state = 'waiting'`,
);
export const deleteOld = execute(
  'delete_old_webhook_deliveries',
  (before: Date, limit: number) => sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at < ${t.timestamptz(before)} AND state <> 'waiting'
      ORDER BY created_at LIMIT ${t.integer(limit)})`,
);
/** The oldest of those of each webhook and state of which there are more than `maximum`. */
export const deleteExcess = execute(
  'delete_excess_webhook_deliveries',
  (maximum: number, limit: number) => sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT d.id FROM webhooks w CROSS JOIN unnest(ARRAY['delivered', 'failed']) AS s (state)
      CROSS JOIN LATERAL (
        SELECT e.id FROM webhook_deliveries e WHERE e.webhook_id = w.id AND e.state = s.state
        ORDER BY e.id DESC OFFSET ${t.integer(maximum)} LIMIT ${t.integer(limit)}) AS d
      LIMIT ${t.integer(limit)})`,
);
// Waiting deliveries are deleted here after they are delivered or given up.
/** Deliveries about users who were deleted since then. */
export const deleteOfDeletedUsers = execute(
  'delete_webhook_deliveries_of_deleted_users',
  (deletedSince: Date) => sql`
    DELETE FROM webhook_deliveries d USING users u
    WHERE u.deleted_at >= ${t.timestamptz(deletedSince)} AND d.data ->> 'user_id' = u.id::text AND d.state <> 'waiting'`,
);
