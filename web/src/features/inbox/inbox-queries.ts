import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';

export type ContactRequest = Schemas['ContactRequest'];
export type RequestDetail = Schemas['ContactRequestDetail'];
type ManagedUser = Schemas['ManagedUser'];
export type Status = ContactRequest['status'];

export const statuses = ['pending', 'reviewed', 'resolved', 'all'] as const;
export const subjects = [
  'account_registration',
  'password_reset',
  'technical_support',
  'feature_request',
  'other',
] as const;

export type InboxFilter = {
  status: (typeof statuses)[number];
  subject: (typeof subjects)[number] | 'all';
  search: string;
};
const pageSize = 50;

const asQuery = ({ search, ...chosen }: InboxFilter) => ({ ...chosen, ...(search !== '' && { search }) });

export function useRequests(filter: InboxFilter, page: number) {
  return useQuery({
    queryKey: ['requests', 'list', filter, page],
    queryFn: async ({ signal }) => {
      // Of open requests, who has waited longest comes first.
      const order = filter.status === 'pending' ? 'asc' : 'desc';
      const query = { ...asQuery(filter), order, page, limit: pageSize } as const;
      return (await api.get('/api/admin/contact-requests', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000, // requests arrive at any time
  });
}

export async function readRequest(id: number, signal?: AbortSignal): Promise<RequestDetail> {
  const options = { params: { id }, ...(signal !== undefined && { signal }) };
  return (await api.get('/api/admin/contact-requests/{id}', options)).data;
}

export function useRequest(id: number) {
  return useQuery({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => readRequest(id, signal),
    enabled: Number.isInteger(id),
  });
}

export const exportRequests = (filter: InboxFilter): Promise<Blob> =>
  api.download('/api/admin/contact-requests/export', { query: asQuery(filter) });

export async function deleteRequest({ id, etag }: Pick<ContactRequest, 'id' | 'etag'>): Promise<void> {
  await api.delete('/api/admin/contact-requests/{id}', { params: { id }, ifMatch: etag });
  await changed('requests');
}

export type BulkChange = { status: 'reviewed' | 'resolved' } | { delete: true };
export type BulkResult = { id: number; outcome: 'updated' | 'unchanged' | 'status_backward' | 'deleted' | 'not_found' };

/** Changes the status of several requests, or deletes them; one that fails does not affect the others. */
export async function changeRequests(ids: readonly number[], change: BulkChange): Promise<readonly BulkResult[]> {
  const { data } = await api.post('/api/admin/contact-requests/bulk', { body: { ids: [...ids], ...change } });
  await changed('requests');
  return data.results;
}

/** The account with an e-mail address; null for none. */
export function useAccountOf(email: string) {
  return useQuery({
    queryKey: ['users', 'with', email],
    queryFn: async ({ signal }): Promise<ManagedUser | null> => {
      const query = { search: email.slice(0, 100), limit: 100 } as const;
      const { data: found } = await api.get('/api/admin/users', { query, signal });
      return found.users.find((user) => user.email.toLowerCase() === email.toLowerCase()) ?? null;
    },
  });
}
