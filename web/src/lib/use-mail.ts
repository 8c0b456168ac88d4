import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** Whether the service can send mails. */
export function useMail(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['meta'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.get('/api/meta', { signal })).data.mail,
  });
  return data;
}
