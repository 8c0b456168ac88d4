import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { collatorOf } from '../../lib/collator.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useSettings } from '../../lib/settings.ts';
import { type Order, type Student, selection } from './progress-queries.ts';
import { standingOf, standings, urgencyOf } from './standing.ts';

export const listSorts = [
  ...(['display_name', 'this_week', 'hours_28d', 'total_hours', 'current_streak', 'goals', 'last_session'] as const),
] as const;
export type ListSort = (typeof listSorts)[number];
/** The classes, of which each student is in exactly one, and who is studying now. */
export const states = [...standings, 'studying'] as const;
export type State = (typeof states)[number];
export type ListFilter = {
  search: string;
  group_id: string;
  project_id: string;
  state: State | '';
  sort: ListSort;
  order: Order;
};

const pageSize = 100;
/** The service computes states and orders of more students only within a class or a project. */
const maxComputed = 2000;
const [simpleSorts, simpleStates] = [
  ['display_name', 'last_session'],
  ['silent', 'studying'],
] as const;

/** Otherwise goals are computed only when they are asked for: those of a thousand students take a second. */
const isScoped = ({ group_id, project_id }: ListFilter) => group_id !== '' || project_id !== '';

/** What the service can do with more students than a page has. */
function serverOf(filter: ListFilter, total: number) {
  const isComputed = isScoped(filter) || total <= maxComputed;
  return {
    sorts: new Set<ListSort>(isComputed ? listSorts : simpleSorts),
    states: new Set<State>(isComputed ? states : simpleStates),
  };
}
/** The most urgent ones come first in ascending order. */
const sortOf = (sort: ListSort, order: Order) =>
  sort === 'goals' ? { sort: 'urgency' as const, order: reversed[order] } : { sort, order };
const reversed = { asc: 'desc', desc: 'asc' } as const;

const isIn = (state: State, student: Student): boolean =>
  state === 'studying' ? student.running_timer !== null : standingOf(student).name === state;

type Key = (student: Student) => number;
const keys: Readonly<Record<Exclude<ListSort, 'display_name'>, Key>> = {
  this_week: ({ weeks }) => weeks.at(-1) ?? 0,
  hours_28d: ({ hours_28d }) => hours_28d,
  total_hours: ({ total_hours }) => total_hours,
  current_streak: ({ current_streak }) => current_streak,
  goals: urgencyOf,
  last_session: ({ last_session, running_timer }) =>
    running_timer !== null ? Number.POSITIVE_INFINITY : last_session === null ? 0 : Date.parse(last_session),
};

/**
 * Students and how many there are in each state. As many as fit on a page are filtered and sorted here, by everything;
 * more of them page by page by the service.
 */
export function useStudentList(filter: ListFilter, page: number) {
  const { locale } = useSettings();
  const scope = selection(filter);
  const all = useQuery({
    queryKey: ['progress', 'all', scope],
    queryFn: async ({ signal }) => {
      const query = { ...scope, sort: 'display_name', limit: pageSize } as const;
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
  const isPaged = all.data !== undefined && all.data.pagination.pages > 1;
  const server = serverOf(filter, all.data?.pagination.total ?? 0);
  const state = filter.state !== '' && server.states.has(filter.state) ? filter.state : '';
  const sorting = sortOf(server.sorts.has(filter.sort) ? filter.sort : 'display_name', filter.order);
  const listing = { ...scope, ...sorting, ...(state !== '' && { state }) };
  const paged = useQuery({
    queryKey: ['progress', 'paged', listing, page],
    queryFn: async ({ signal }) => {
      const query = { ...listing, page, limit: pageSize };
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
    enabled: isPaged,
  });
  const counted = [...server.states].filter((name) => name !== 'behind' || isScoped(filter));
  const totals = useQueries({
    queries: (isPaged ? counted : []).map((name) => ({
      queryKey: ['progress', 'count', scope, name],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { ...scope, state: name, limit: 1 };
        return [name, (await api.get('/api/admin/progress', { query, signal })).data.pagination.total] as const;
      },
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data === undefined ? [] : [data]))),
  });
  const read = isPaged ? paged : all;
  const isStale = isPaged ? paged.isPlaceholderData : all.isPlaceholderData;
  if (isPaged)
    return {
      students: paged.data?.users,
      total: paged.data?.pagination.total ?? 0,
      pages: paged.data?.pagination.pages ?? 1,
      counts: new Map<State, number>(totals),
      sorts: server.sorts,
      states: new Set<State>(server.states),
      listing,
      read,
      isStale,
    };
  const students = all.data?.users;
  const shown = students?.filter((student) => filter.state === '' || isIn(filter.state, student));
  const { compare } = collatorOf(locale);
  const byName = (a: Student, b: Student) => compare(a.display_name, b.display_name);
  const key = filter.sort === 'display_name' ? () => 0 : keys[filter.sort];
  const direction = filter.order === 'desc' ? -1 : 1;
  return {
    students: shown?.toSorted((a, b) => {
      const difference = filter.sort === 'display_name' ? byName(a, b) : key(a) - key(b) || 0;
      return direction * difference || byName(a, b);
    }),
    total: shown?.length ?? 0,
    pages: 1,
    listing,
    read,
    isStale,
    counts: new Map(
      states.map((name) => [name, students?.filter((student) => isIn(name, student)).length ?? 0] as const),
    ),
    sorts: new Set<ListSort>(listSorts),
    states: new Set<State>(states),
  };
}
export type StudentList = ReturnType<typeof useStudentList>;

/** All pages of the list. */
export async function exportStudents({ listing }: StudentList): Promise<void> {
  const query = { format: 'csv', ...listing } as const;
  saveFile(await api.download('/api/admin/progress/export', { query }), 'studytrack-students.csv');
}
