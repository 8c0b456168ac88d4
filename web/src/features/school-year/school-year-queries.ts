import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import { queryClient } from '../../lib/query.ts';

export type Term = Schemas['Term'];
export type Entry = Schemas['SchoolDay'];
export type TermFields = Pick<Term, 'name' | 'from' | 'to'>;
export type EntryFields = Pick<Entry, 'name' | 'from' | 'to' | 'kind' | 'group_id'>;

export const useTerms = () =>
  useQuery({
    queryKey: ['school-year', 'terms'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/terms', { signal })).data,
  });

export const useEntries = () =>
  useQuery({
    queryKey: ['school-year', 'days'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/school-days', { signal })).data,
  });

export type Effect = Schemas['EffectOfDays'];
/** Days in the form; with an id, a change of an entry. */
export type Draft = EntryFields & { id?: number | undefined };
/** With what they have changed, if that was computed before; after a deletion, it is computed from the entry. */
export type SavedDays = Pick<Entry, 'name' | 'from' | 'to'> & { at: string } & (
    | { effect: Effect | undefined; deleted?: never }
    | { deleted: EntryFields }
  );

const keyOf = ({ id, from, to, kind, group_id }: Omit<Draft, 'name'>) => [
  ...['school-year', 'effect'],
  { id, from, to, kind, group_id },
];

/** What the days in the form would change. Their name changes nothing. */
export const useEffectOf = ({ id, ...dates }: Omit<Draft, 'name'>) =>
  useQuery({
    queryKey: keyOf({ id, ...dates }),
    enabled: dates.from !== '',
    gcTime: 0,
    queryFn: ({ signal }) => preview({ id, ...dates }, signal),
  });

async function preview({ id, ...dates }: Omit<Draft, 'name'>, signal: AbortSignal): Promise<Effect> {
  const sent = { query: { dry_run: 'true' }, body: { name: '–', ...dates }, signal } as const;
  const { data } =
    id === undefined
      ? await api.post('/api/admin/school-days', sent)
      : await api.put('/api/admin/school-days/{id}', { ...sent, params: { id } });
  if (!('streaks_count' in data)) throw new Error('the service has saved what was a preview');
  return data;
}

/** What the deletion of an entry has changed: the reverse of adding it again. The deletion does not wait for it. */
export const useEffectOfDeletion = ({ from, to, kind, group_id }: EntryFields, at: string) =>
  useQuery({
    queryKey: ['effect-of-deletion', at], // what changes afterwards does not change it
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }) => reverse(await preview({ from, to, kind, group_id }, signal)),
  });

const swap = <Value>({ before, after }: { before: Value; after: Value }) => ({ before: after, after: before });
const reverse = (effect: Effect): Effect => ({
  ...effect,
  quiet_students: 0,
  streaks: effect.streaks.map((streak) => ({ ...streak, ...swap(streak) })),
  goals: effect.goals.map((goal) => ({ ...goal, state: swap(goal.state), minutes: swap(goal.minutes) })),
});

/** What was shown of the days in the form. */
export const knownEffect = (draft: Draft) => queryClient.getQueryData<Effect>(keyOf(draft));

/** Streaks, paces and reminders depend on it. */
export const schoolYearChanged = () => changed('school-year', 'progress', 'stats');

/** `key` is the idempotency key, of a new one. */
export async function saveTerm(id: number | undefined, body: TermFields, key: string): Promise<void> {
  if (id === undefined) await api.post('/api/admin/terms', { body, idempotencyKey: key });
  else await api.put('/api/admin/terms/{id}', { params: { id }, body });
  await schoolYearChanged();
}

export async function deleteTerm(id: number): Promise<void> {
  await api.delete('/api/admin/terms/{id}', { params: { id } });
  await schoolYearChanged();
}

export async function saveEntry(id: number | undefined, body: EntryFields, key: string): Promise<void> {
  if (id === undefined) await api.post('/api/admin/school-days', { body, idempotencyKey: key });
  else await api.put('/api/admin/school-days/{id}', { params: { id }, body });
  await schoolYearChanged();
}

export async function deleteEntry(id: number): Promise<void> {
  await api.delete('/api/admin/school-days/{id}', { params: { id } });
  await schoolYearChanged();
}

/** Of a form: it changes with the fields, so that a retry after a lost response creates no duplicate. */
export const newKey = () => `school-year-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
