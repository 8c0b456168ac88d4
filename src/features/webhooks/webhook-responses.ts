import type { z } from 'zod';
import { itemTag } from '../../http/reply.ts';
import type { DeliveryRow } from './deliveries/delivery-repository.ts';
import type { webhookDelivery } from './deliveries/delivery-schemas.ts';
import type { WebhookRow } from './webhook-repository.ts';
import { type webhook, webhookEvents } from './webhook-schemas.ts';

export function toWebhookResponse(row: WebhookRow): z.input<typeof webhook> {
  const { id, url, events, active, disabled_reason, failures, paused_until, waiting } = row;
  const { skips_since, created_at, updated_at } = row;
  return {
    id,
    url,
    events: webhookEvents.filter((name) => events.includes(name)),
    active,
    disabled_reason,
    failures,
    paused_until,
    skips_since,
    waiting,
    rotation_ends_at: row.previous_expires_at,
    created_at,
    updated_at,
    etag: itemTag(row.row_version),
  };
}

export function toDeliveryResponse({ message_id, ...row }: DeliveryRow): z.input<typeof webhookDelivery> {
  return { ...row, message_id: `msg_${message_id}` };
}
