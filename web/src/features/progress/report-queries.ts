import { api, isApiError } from '../../lib/api.ts';

type Asked = { id: number; from: string; to: string };

/** What a student has studied in a period. */
export const readReport = ({ id, from, to }: Asked) => ({
  queryKey: ['stats', id, 'report', from, to],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.get('/api/reports/students/{id}', { params: { id }, query: { from, to }, signal })).data,
  // A class is more reports than the service computes, or lets wait, for one caller.
  retry: (failures: number, error: unknown) => failures < 100 && isApiError(error, 'RATE_LIMITED'),
  retryDelay: () => 1000 + Math.random() * 2000,
});
