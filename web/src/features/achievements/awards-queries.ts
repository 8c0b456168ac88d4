import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { useSettings } from '../../lib/settings.ts';

export type Award = Schemas['Achievement'];
export type Earned = Award & { earned_at: string };

export const isEarned = (award: Award): award is Earned => award.earned_at !== null;

/** Names and descriptions come from the service in the requested language. */
export function useAwards() {
  const { locale } = useSettings();
  return useQuery({
    queryKey: ['stats', 'awards', locale],
    queryFn: async ({ signal }) => (await api.get('/api/achievements', { signal })).data,
  });
}
