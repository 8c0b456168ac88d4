import { z } from 'zod';
import { id, itemEtag } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { DeliveryRow } from './deliveries/delivery-repository.ts';
import { webhookEvents } from './webhook-events.ts';
import type { WebhookRow } from './webhook-repository.ts';
import { deliveryStates, deliveryTypes, disabledReasons, eventType, example } from './webhook-schemas.ts';

export const webhook = z
  .object({
    id,
    url: z.string().meta({ example: example.url }),
    events: z.array(eventType),
    active: z.boolean(),
    disabled_reason: z.enum(disabledReasons).nullable().meta({
      description: 'Why the service switched it off: `failures`, 20 consecutive failed attempts.',
    }),
    failures: z.int().meta({ description: 'Consecutive failed attempts.', example: 0 }),
    paused_until: timestamp.nullable().meta({ description: 'The time of the next attempt, after a failed one.' }),
    skips_since: timestamp.nullable().meta({
      description:
        'Since when no events are recorded, because 20,000 deliveries waited. Ends by itself, with an event `events.skipped`, when fewer than 10,000 wait.',
    }),
    waiting: z.int().meta({ description: 'The number of waiting deliveries.', example: 0 }),
    rotation_ends_at: timestamp
      .nullable()
      .meta({ description: 'Until when deliveries are also signed with the previous secret.' }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({
      description: 'For verifying signatures. Returned only once; empty when the `Idempotency-Key` is repeated.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const webhookList = z.object({ webhooks: z.array(webhook) });

export const webhookDelivery = z
  .object({
    id,
    message_id: z.string().meta({
      description: 'The header `webhook-id`: the same in every attempt and replay.',
      example: 'msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11',
    }),
    type: z.enum(deliveryTypes).meta({ example: 'project.deleted' }),
    object: z.string().meta({ description: 'The object of the event.', example: 'project:42' }),
    data: z.record(z.string(), z.unknown()).meta({ example: { id: 42 } }),
    state: z.enum(deliveryStates).meta({ example: 'delivered' }),
    attempts: z.int().meta({ example: 1 }),
    created_at: timestamp,
    last_attempt_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
    response_status: z.int().nullable().meta({ example: 200 }),
    response_text: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the response; at most 300 characters.', example: 'ok' }),
    error_code: z.string().nullable().meta({ description: 'Why the last attempt failed.', example: 'ECONNREFUSED' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryPage = z.object({
  deliveries: z.array(webhookDelivery).meta({ description: 'Newest first; deliveries are deleted after 30 days.' }),
  next_before: id.nullable().meta({ description: 'The `before` of the next page; null on the last one.' }),
});

export function toWebhookResponse(row: WebhookRow): z.input<typeof webhook> {
  const { events, previous_expires_at, row_version, ...others } = row;
  return {
    ...others,
    events: webhookEvents.filter((name) => events.includes(name)),
    rotation_ends_at: previous_expires_at,
    etag: itemTag(row_version),
  };
}

export function toDeliveryResponse({ message_id, ...row }: DeliveryRow): z.input<typeof webhookDelivery> {
  return { ...row, message_id: `msg_${message_id}` };
}
