import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { toDeliveryResponse } from '../webhook-responses.ts';
import { deliveriesQuery, deliveryPage, deliveryParams, webhookDelivery } from './delivery-schemas.ts';
import type { DeliveryService } from './delivery-service.ts';

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
      handler: async ({ actor, params }) => ({ data: toDeliveryResponse(await deliveries.ping(actor, params.id)) }),
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
