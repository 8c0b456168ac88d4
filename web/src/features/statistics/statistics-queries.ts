import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Statistics = Schemas['PersonalStatistics'];

type Person = { id: number; timezone: string };

/** Statistics over all projects: the user's own, or for administrators another user's, in that user's time zone. */
export function usePersonalStatistics(weeks = 12, of?: Person | 'unknown') {
  const person = of === 'unknown' ? undefined : of;
  return useQuery({
    queryKey: ['stats', person?.id ?? 'own', weeks],
    queryFn: async ({ signal }) => {
      const query = { weeks, ...(person !== undefined && { user_id: person.id, tz: person.timezone }) };
      return (await api.get('/api/stats', { query, signal })).data;
    },
    enabled: of !== 'unknown',
    placeholderData: keepPreviousData,
  });
}

export function useUser(id: number | undefined) {
  return useQuery({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => (await api.get('/api/admin/users/{id}', { params: { id: id ?? 0 }, signal })).data,
    enabled: id !== undefined && Number.isInteger(id),
  });
}
