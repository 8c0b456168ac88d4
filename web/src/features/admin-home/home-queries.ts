import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useMarks } from '../../lib/marks.ts';
import { useIsLimited } from '../../lib/session.ts';

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

/** The names of administrators of the whole school, for those who are limited to classes; undefined for others. */
export function useWhomToAsk(): string | undefined {
  const { list } = useMarks();
  const { data = [] } = useQuery({
    queryKey: ['users', 'whole-school'],
    queryFn: async ({ signal }) => (await api.get('/api/auth/me', { signal })).data.whole_school_admins ?? [],
    enabled: useIsLimited(),
  });
  return data.length === 0 ? undefined : list(data.map(({ display_name }) => display_name));
}
