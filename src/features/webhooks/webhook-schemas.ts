import { z } from 'zod';
import { id, itemEtag, text, timestamp } from '../../http/validation/fields.ts';

export const maxWebhooks = 20;

export const webhookEvents = [
  'project.created',
  'project.updated',
  'project.deleted',
  'project.restored',
  'assignment.changed',
  'session.created',
  'session.updated',
  'session.deleted',
  'goal.reached',
  'contact.created',
  'contact.status_changed',
] as const;
export const disabledReasons = ['failures', 'queue_full'] as const;

/** Without credentials, which would appear in lists and logs, and without a fragment, which is never sent. */
function isWebhookUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash, href } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '' && href.length <= 2000;
}

const url = text({ min: 1, max: 2000 }).refine(isWebhookUrl, { error: 'webhook_url' }).meta({
  format: 'uri',
  description: 'Begins with `https://`, and leads to the public internet. Redirects are not followed.',
  example: 'https://example.org/hooks/studytrack',
});
const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(30)
  .transform((names) => webhookEvents.filter((name) => names.includes(name)))
  .meta({ description: 'Which events are sent.', example: ['project.created', 'session.created'] });
const active = z.boolean().meta({ description: 'Whether events are recorded and sent.' });

const example = { url: 'https://example.org/hooks/studytrack', events: ['project.created', 'session.created'] };
export const createWebhookBody = z.object({ url, events, active: active.default(true) }).meta({ example });
export type CreateWebhookInput = z.output<typeof createWebhookBody>;

export const updateWebhookBody = z
  .object({ url: url.exactOptional(), events: events.exactOptional(), active: active.exactOptional() })
  .meta({ example: { events: ['goal.reached'] } });
export type UpdateWebhookInput = z.output<typeof updateWebhookBody>;

export const webhook = z
  .object({
    id,
    url: z.string().meta({ example: example.url }),
    events: z.array(z.enum(webhookEvents)),
    active: z.boolean(),
    disabled_reason: z.enum(disabledReasons).nullable().meta({
      description:
        'Why the service switched it off: `failures`, 20 attempts in a row without success, or `queue_full`, 20,000 waiting deliveries.',
    }),
    failures: z.int().meta({ description: 'Attempts in a row without success.', example: 0 }),
    paused_until: timestamp.nullable().meta({ description: 'After a failed attempt: when the next one is made.' }),
    waiting: z.int().meta({ description: 'Deliveries that wait.', example: 0 }),
    rotation_ends_at: timestamp.nullable().meta({ description: 'Until when the former secret signs, too.' }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecret = webhook
  .extend({
    secret: z.string().optional().meta({
      description: 'Verifies signatures. Returned only here, and not again for a repeated `Idempotency-Key`.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const webhookList = z.object({ webhooks: z.array(webhook) });
