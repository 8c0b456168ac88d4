import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import type { Period } from './period.ts';

export type Statistics = Schemas['PersonalStatistics'];

type Person = { id: number; timezone: string };
/** As many projects as the service lists. */
const maxProjects = 20;

const ofPerson = (person: Person | undefined) =>
  person === undefined ? {} : { user_id: person.id, tz: person.timezone };

/** Statistics over all projects: the user's own, or for administrators another user's, in that user's time zone. */
export function usePersonalStatistics(weeks = 12, of?: Person | 'unknown') {
  const person = of === 'unknown' ? undefined : of;
  return useQuery({
    queryKey: ['stats', person?.id ?? 'own', weeks],
    queryFn: async ({ signal }) =>
      (await api.get('/api/stats', { query: { weeks, ...ofPerson(person) }, signal })).data,
    enabled: of !== 'unknown',
    placeholderData: keepPreviousData,
  });
}

type Options = { isNeeded?: boolean /** By default that of the same length before. */; other?: Period | undefined };

/** The statistics of a period, with those of the same part of another one. */
export function usePeriodStatistics(
  { from, to }: Period,
  of?: Person | 'unknown',
  { isNeeded = true, other }: Options = {},
) {
  const person = of === 'unknown' ? undefined : of;
  return useQuery({
    queryKey: ['stats', person?.id ?? 'own', from, to, other?.from],
    queryFn: async ({ signal }) => {
      const compared =
        other === undefined ? ({ compare: 'previous' } as const) : { other_from: other.from, other_to: other.to };
      const query = { from, to, ...compared, ...ofPerson(person) };
      return (await api.get('/api/stats', { query, signal })).data;
    },
    enabled: of !== 'unknown' && isNeeded,
    placeholderData: keepPreviousData,
  });
}

/** How many hours more a project has than before; undefined if that is not known. */
export function changeOf(
  { project_id: id, hours }: Statistics['by_project'][number],
  before: Statistics['previous'],
): number | undefined {
  if (before == null) return undefined;
  const known = before.by_project.find(({ project_id }) => project_id === id);
  if (known === undefined && before.by_project.length >= maxProjects) return undefined;
  return hours - (known?.hours ?? 0);
}

export function useUser(id: number | undefined) {
  return useQuery({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => (await api.get('/api/admin/users/{id}', { params: { id: id ?? 0 }, signal })).data,
    enabled: id !== undefined && Number.isInteger(id),
  });
}
