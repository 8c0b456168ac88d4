import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const minute = 60_000;
const hour = 60 * minute;
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

/** How many students were on track at this time of each of the last weeks; the figure of today is not in it. */
export function useTrend(group: string) {
  return useQuery({
    queryKey: ['progress', 'trend', group],
    queryFn: async ({ signal }) => {
      const query = group === '' ? {} : { group_id: Number(group) };
      return (await api.get('/api/admin/progress/trend', { query, signal })).data.weeks;
    },
    staleTime: hour,
  });
}
