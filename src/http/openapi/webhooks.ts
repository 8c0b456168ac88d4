import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** The schema of `data` of each type of event. */
export type WebhookData = Readonly<Record<string, z.ZodType>>;

const webhookHeaders = z.object({
  'webhook-id': z.string().max(64).meta({
    description: 'The same in every attempt to deliver the event.',
    example: 'msg_0b6ba3b6-2ed7-4f6c-9bd8-5cf01b6f2f11',
  }),
  'webhook-timestamp': z.string().max(16).meta({ description: 'Seconds since 1970.', example: '1769932800' }),
  'webhook-signature': z.string().max(256).meta({
    description: 'Signatures according to Standard Webhooks, separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

/** What is sent to the address of a webhook. */
export function describeEvent(type: string, data: z.ZodType): ZodOpenApiOperationObject {
  const body = z.object({ type: z.literal(type), timestamp: z.iso.datetime({ precision: 3 }), data });
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: `The event \`${type}\`, sent to the webhooks that select it`,
    description:
      '`data` is the object after the change. Delivered at least once, and in the order of the changes of each object; docs/webhooks.md describes the guarantees.',
    security: [],
    requestParams: { header: webhookHeaders },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '204': { description: 'Received. Every status except 2xx is a failure, and the delivery is retried.' },
    },
  };
}
