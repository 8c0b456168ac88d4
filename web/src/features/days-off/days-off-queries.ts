import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';

export type DaysOff = Schemas['DaysOff'];
export type DaysOffFields = Pick<DaysOff, 'from' | 'to' | 'reason'>;

/** Of a user, for administrators; without one, the caller's own. */
export const useDaysOff = (user: number | undefined) =>
  useQuery({
    queryKey: ['school-year', 'days-off', user],
    queryFn: async ({ signal }) =>
      user === undefined
        ? (await api.get('/api/me/days-off', { signal })).data
        : (await api.get('/api/admin/users/{id}/days-off', { params: { id: user }, signal })).data,
  });

/** What days off in the form would change. Their reason changes nothing. */
export const useEffectOfDaysOff = (user: number | undefined, { id, from, to }: Dates) =>
  useQuery({
    queryKey: ['school-year', 'effect-of-days-off', user, id, from, to],
    enabled: from !== '',
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const sent = { query: { dry_run: 'true' }, body: { from, to, reason: '' }, signal } as const;
      const { data } = await previewOf(user, id, sent);
      if (!('streaks_count' in data)) throw new Error('the service has saved what was a preview');
      return data;
    },
  });
/** With an id, a change of days off. */
export type Dates = Pick<DaysOff, 'from' | 'to'> & { id: number | undefined };
type Sent = { query: { dry_run: 'true' }; body: DaysOffFields; signal: AbortSignal };

function previewOf(user: number | undefined, id: number | undefined, sent: Sent) {
  if (user === undefined)
    return id === undefined
      ? api.post('/api/me/days-off', sent)
      : api.put('/api/me/days-off/{id}', { ...sent, params: { id } });
  return id === undefined
    ? api.post('/api/admin/users/{id}/days-off', { ...sent, params: { id: user } })
    : api.put('/api/admin/users/{id}/days-off/{days_off_id}', { ...sent, params: { id: user, days_off_id: id } });
}

const daysOffChanged = () => changed('school-year', 'progress', 'stats');

/** `key` is the idempotency key, of a new one. */
export async function saveDaysOff(user: number | undefined, id: number | undefined, body: DaysOffFields, key: string) {
  if (user === undefined) {
    if (id === undefined) await api.post('/api/me/days-off', { body, idempotencyKey: key });
    else await api.put('/api/me/days-off/{id}', { params: { id }, body });
  } else if (id === undefined)
    await api.post('/api/admin/users/{id}/days-off', { params: { id: user }, body, idempotencyKey: key });
  else await api.put('/api/admin/users/{id}/days-off/{days_off_id}', { params: { id: user, days_off_id: id }, body });
  await daysOffChanged();
}

export async function deleteDaysOff(user: number | undefined, id: number): Promise<void> {
  if (user === undefined) await api.delete('/api/me/days-off/{id}', { params: { id } });
  else await api.delete('/api/admin/users/{id}/days-off/{days_off_id}', { params: { id: user, days_off_id: id } });
  await daysOffChanged();
}
