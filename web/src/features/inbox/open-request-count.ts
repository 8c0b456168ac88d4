import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** How many requests wait for an answer; 0 while unknown. */
export function useOpenRequestCount(enabled: boolean): number {
  const { data } = useQuery({
    queryKey: ['requests', 'count'],
    queryFn: async ({ signal }) => {
      const query = { status: 'pending', limit: 1 } as const;
      return (await api.get('/api/admin/contact-requests', { query, signal })).data.stats.pending;
    },
    enabled,
    refetchInterval: 60_000, // without a connection for events
  });
  return data ?? 0;
}
