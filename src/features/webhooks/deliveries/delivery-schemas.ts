import { z } from 'zod';
import { id, idText, maxPageSize, queryInt, timestamp } from '../../../http/fields.ts';
import { webhookEvents } from '../webhook-schemas.ts';

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export const deliveryTypes = [...webhookEvents, 'events.skipped', 'ping'] as const;

export const deliveriesQuery = z.object({
  state: z.enum(deliveryStates).optional().meta({ description: 'Deliveries in this state.' }),
  before: idText.optional().meta({ description: 'Deliveries before this id: `next_before` of the previous page.' }),
  limit: queryInt({ min: 1, max: maxPageSize })
    .default(20)
    .meta({
      override: { type: 'integer', minimum: 1, maximum: maxPageSize, default: 20 },
      description: 'Entries per page.',
    }),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;

export const deliveryParams = z.object({
  id: idText.meta({ description: 'The id of the webhook.' }),
  delivery_id: idText.meta({ description: 'The id of the delivery.' }),
});

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
