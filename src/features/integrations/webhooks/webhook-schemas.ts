import { z } from 'zod';
import { idText, maxPageSize, queryInt, text } from '../../../http/fields.ts';
import { deliveryData, webhookEvents } from './webhook-events.ts';

export const maxWebhooks = 20;

export const disabledReasons = ['failures'] as const;

/** Without credentials, which would appear in lists and logs, and without a fragment, which is not sent. */
function isWebhookUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash, href } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '' && href.length <= 2000;
}

const url = text({ min: 1, max: 2000 }).refine(isWebhookUrl, { error: 'webhook_url' }).meta({
  format: 'uri',
  description: 'Must begin with `https://` and resolve to public addresses. Redirects are not followed.',
  example: 'https://example.org/hooks/studytrack',
});
export const eventType = z.enum(webhookEvents).meta({ id: 'WebhookEvent' });
const events = z
  .array(eventType)
  .min(1)
  .max(30)
  .transform((names) => webhookEvents.filter((name) => names.includes(name)))
  .meta({ description: 'The events to send.', example: ['project.created', 'session.created'] });
const active = z.boolean().meta({ description: 'Whether events are recorded and sent.' });

export const example = { url: 'https://example.org/hooks/studytrack', events: ['project.created', 'session.created'] };
export const createWebhookBody = z.object({ url, events, active: active.default(true) }).meta({ example });
export type CreateWebhookInput = z.output<typeof createWebhookBody>;

export const updateWebhookBody = z
  .object({ url: url.exactOptional(), events: events.exactOptional(), active: active.exactOptional() })
  .meta({ example: { events: ['goal.reached'] } });
export type UpdateWebhookInput = z.output<typeof updateWebhookBody>;

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export const deliveryTypes = Object.keys(deliveryData) as (keyof typeof deliveryData)[]; // its keys

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
