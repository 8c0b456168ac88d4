import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const minute = 60_000;
/** Of these, the overdue ones are counted. */
const maxRequests = 100;

export function useOpenRequests() {
  return useQuery({
    queryKey: ['requests', 'open'],
    queryFn: async ({ signal }) => {
      const query = { status: 'pending', order: 'asc', limit: maxRequests } as const;
      return (await api.get('/api/admin/contact-requests', { query, signal })).data;
    },
    refetchInterval: minute,
  });
}
