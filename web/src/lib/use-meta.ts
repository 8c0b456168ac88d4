import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** The public settings of the service, which change only with a restart. */
export const useMeta = () =>
  useQuery({
    queryKey: ['meta'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.get('/api/meta', { signal })).data,
  });

/** Whether the service can send mails. */
export const useMail = (): boolean | undefined => useMeta().data?.mail;
