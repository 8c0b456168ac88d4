import { z } from 'zod';
import { id, itemEtag, text, timestamp } from '../../http/fields.ts';

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
  'session.imported',
  'goal.reached',
  'contact.created',
  'contact.status_changed',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
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
const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(30)
  .transform((names) => webhookEvents.filter((name) => names.includes(name)))
  .meta({ description: 'The events to send.', example: ['project.created', 'session.created'] });
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
    secret: z.string().optional().meta({
      description: 'For verifying signatures. Returned only once; omitted when the `Idempotency-Key` is repeated.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const webhookList = z.object({ webhooks: z.array(webhook) });
