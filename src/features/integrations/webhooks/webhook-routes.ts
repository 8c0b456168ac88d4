import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag } from '../../../http/reply.ts';
import type { Locale } from '../../../texts/index.ts';
import type { DeliveryService } from './deliveries/delivery-service.ts';
import type { WebhookRow } from './webhook-repository.ts';
import {
  deliveryPage,
  toDeliveryResponse,
  toWebhookResponse,
  webhook,
  webhookDelivery,
  webhookList,
  webhookWithSecret,
} from './webhook-responses.ts';
import { createWebhookBody, deliveriesQuery, deliveryParams, updateWebhookBody } from './webhook-schemas.ts';
import type { WebhookService } from './webhook-service.ts';

function replyWith(row: WebhookRow, locale: Locale) {
  const data = toWebhookResponse(row);
  return { data, etag: contentVersionTag(row.row_version, data, locale) };
}

export function createWebhookRoutes({ webhooks }: { webhooks: WebhookService }): Operation[] {
  const base = { tag: 'Webhooks', access: 'admin' } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/webhooks',
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Not paged, since there are at most 20. Secrets are not returned.',
      data: webhookList,
      handler: async () => ({ data: { webhooks: (await webhooks.list()).map(toWebhookResponse) } }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/webhooks',
      id: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events are sent to its address with POST, signed according to the Standard Webhooks specification, at least once and in order per object. The secret is returned only once.',
      body: createWebhookBody,
      data: webhookWithSecret,
      status: 201,
      secrets: ['secret'],
      message: 'webhook_created',
      idempotent: true,
      errors: ['CONFLICT'],
      outside: ({ body }) => webhooks.assertTarget(body.url),
      handler: async ({ actor, body, store }) => {
        const { row, secret } = await webhooks.create(store, actor, body);
        return { data: { ...toWebhookResponse(row), secret }, location: `/api/admin/webhooks/${row.id}` };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/admin/webhooks/:id',
      id: 'getWebhook',
      summary: 'Get a webhook',
      description: 'Includes its state, but not its secret.',
      data: webhook,
      handler: async ({ params, request }) => replyWith(await webhooks.get(params.id), request.locale),
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/admin/webhooks/:id',
      id: 'updateWebhook',
      summary: 'Update a webhook, or switch it on or off',
      description:
        'All fields are optional. While it is off, no events are recorded for it; waiting deliveries continue if it is switched on within 24 hours.',
      body: updateWebhookBody,
      data: webhook,
      message: 'webhook_updated',
      conditional: true,
      guard: ({ params }) => webhooks.get(params.id),
      outside: ({ body }) => webhooks.assertTarget(body.url),
      handler: async ({ actor, params, body, expectedVersion, request }) =>
        replyWith(await webhooks.update(actor, params.id, body, expectedVersion), request.locale),
    }),

    operation({
      ...onOne,
      method: 'post',
      path: '/api/admin/webhooks/:id/rotate-secret',
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'For another 24 hours, deliveries are also signed with the previous secret: the header contains both signatures, so that no delivery is rejected.',
      data: webhookWithSecret,
      secrets: ['secret'],
      message: 'webhook_updated',
      handler: async ({ actor, params }) => {
        const { row, secret } = await webhooks.rotateSecret(actor, params.id);
        return { data: { ...toWebhookResponse(row), secret } };
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/admin/webhooks/:id',
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Also deletes its deliveries, including waiting ones.',
      message: 'webhook_deleted',
      conditional: true,
      handler: async ({ actor, params, expectedVersion }) => {
        await webhooks.delete(actor, params.id, expectedVersion);
        return {};
      },
    }),
  ];
}

export function createDeliveryRoutes({ deliveries }: { deliveries: DeliveryService }): Operation[] {
  const base = { tag: 'Webhooks', access: 'admin' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/webhooks/:id/deliveries',
      id: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description: 'Deliveries of the last 30 days, newest first, with the outcome of the last attempt.',
      params: idParams,
      query: deliveriesQuery,
      data: deliveryPage,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ params, query }) => {
        const { page, next_before } = await deliveries.list(params.id, query);
        return { data: { deliveries: page.map(toDeliveryResponse), next_before } };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/webhooks/:id/ping',
      id: 'pingWebhook',
      summary: 'Send a test delivery',
      description: 'Queues a `ping` event, which is delivered like any other; its state is in the list of deliveries.',
      params: idParams,
      data: webhookDelivery,
      status: 201,
      message: 'webhook_delivery_queued',
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      handler: async ({ actor, params }) => ({
        data: toDeliveryResponse(await deliveries.ping(actor, params.id)),
        location: `/api/admin/webhooks/${params.id}/deliveries`,
      }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/webhooks/:id/deliveries/:delivery_id/replay',
      id: 'replayWebhookDelivery',
      summary: 'Redeliver an event',
      description: 'Uses the same `webhook-id`, so that receivers that have processed the event can ignore it.',
      params: deliveryParams,
      data: webhookDelivery,
      message: 'webhook_delivery_queued',
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      handler: async ({ actor, params }) => ({
        data: toDeliveryResponse(await deliveries.replay(actor, params.id, params.delivery_id)),
      }),
    }),
  ];
}
