import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';

export type Roster = Schemas['Roster'];
export const kinds = ['new', 'changed', 'moved', 'missing', 'left_out', 'problem'] as const;
export type Kind = (typeof kinds)[number];
/** `missingCount`: of the difference, which the administrator has seen. */
export type RosterOptions = { missing: Roster['missing']; missingCount?: number; invite: boolean };

export const isRunning = (roster: Roster | undefined): boolean => roster?.finished_at === null;

/** Sends a file, whose difference is then computed, or applied. */
export async function sendRoster(
  file: File,
  { missing, missingCount, invite }: RosterOptions,
  isDry: boolean,
): Promise<Roster> {
  const form = {
    ...(missingCount !== undefined && { deactivate_at_most: missingCount }),
    missing,
    dry_run: isDry ? ('true' as const) : ('false' as const),
    invite: invite ? ('true' as const) : ('false' as const),
    file, // last: the service needs the options before it
  };
  const { data } = await api.post('/api/admin/roster', { form });
  await changed('rosters', 'users');
  return data;
}

const interval = 1000;
const pageSize = 20;

/** A roster with a page of its changes, read every second until it has ended. */
export function useRoster(id: number | undefined, kind: Kind | undefined, page: number) {
  const { data } = useQuery({
    queryKey: ['rosters', id, kind, page],
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { page, limit: pageSize, ...(kind !== undefined && { kind }) };
      return (await api.get('/api/admin/roster/{id}', { params: { id: id ?? 0 }, query, signal })).data;
    },
    refetchInterval: ({ state }) => isRunning(state.data?.roster) && interval,
  });
  return data?.roster.id === id ? data : undefined;
}
export type RosterWithChanges = NonNullable<ReturnType<typeof useRoster>>;

/** The newest rosters. */
export function useRosters() {
  const { data } = useQuery({
    queryKey: ['rosters'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/roster', { signal })).data.rosters,
    refetchInterval: ({ state }) => state.data?.some(isRunning) === true && interval,
  });
  return data ?? [];
}
