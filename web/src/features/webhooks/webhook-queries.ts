import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookEvent = Webhook['events'][number];
export type WebhookFields = { url: string; events: WebhookEvent[] };

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
] as const satisfies readonly WebhookEvent[];

export function useWebhooks() {
  return useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/webhooks', { signal })).data.webhooks,
    staleTime: 0, // deliveries change the counts
    refetchInterval: 5_000,
  });
}

export function useDeliveries(id: number) {
  return useInfiniteQuery({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 20, ...(pageParam !== null && { before: pageParam }) };
      return (await api.get('/api/admin/webhooks/{id}/deliveries', { params: { id }, query, signal })).data;
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(({ state }) => state === 'waiting')) ? 1_000 : 5_000,
  });
}

const webhooksChanged = () => changed('webhooks');

/** Returns the secret; a retry after a lost response does not. */
export async function createWebhook(fields: WebhookFields, key: string): Promise<string | undefined> {
  const { data } = await api.post('/api/admin/webhooks', { body: fields, idempotencyKey: key });
  await webhooksChanged();
  return data.secret;
}

export async function updateWebhook(
  { id, etag }: Webhook,
  fields: Partial<WebhookFields & { active: boolean }>,
): Promise<void> {
  try {
    await api.put('/api/admin/webhooks/{id}', { params: { id }, body: fields, ifMatch: etag });
  } finally {
    await webhooksChanged(); // also after a conflict, to show the current version
  }
}

export async function rotateSecret({ id }: Webhook): Promise<string | undefined> {
  const { data } = await api.post('/api/admin/webhooks/{id}/rotate-secret', { params: { id } });
  await webhooksChanged();
  return data.secret;
}

export async function deleteWebhook({ id, etag }: Webhook): Promise<void> {
  try {
    await api.delete('/api/admin/webhooks/{id}', { params: { id }, ifMatch: etag });
  } finally {
    await webhooksChanged();
  }
}

export async function ping({ id }: Webhook): Promise<void> {
  await api.post('/api/admin/webhooks/{id}/ping', { params: { id } });
  await webhooksChanged();
}

export async function replay(id: number, delivery_id: number): Promise<void> {
  await api.post('/api/admin/webhooks/{id}/deliveries/{delivery_id}/replay', { params: { id, delivery_id } });
  await webhooksChanged();
}
