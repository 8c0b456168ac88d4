import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { useStudents } from '../assignments/board-queries.ts';
import { startTimer } from '../timer/timer-queries.ts';
import { type Commands, type Entry, type Kind, useCommands } from './entries.ts';
import { rank } from './match.ts';
import { paletteMessages } from './messages.ts';
import { useQuickAdd } from './use-quick-add.ts';

/** The number of results shown of each kind. */
const maxOfKind: Readonly<Record<Kind, number>> = { add: 3, command: 8, page: 8, project: 8, start: 8, person: 8 };
const maxResults = 24;
/** Projects loaded in advance, which can also be found by initials; the service searches the others by text. */
const preloaded = 100;
const pauseMilliseconds = 200;

/** One page of projects: the most recently studied or changed ones, or those that match a search. */
function useProjectsFor(role: Commands['role'], search: string, enabled: boolean) {
  return useQuery({
    queryKey: ['projects', 'palette', search],
    queryFn: async ({ signal }) => {
      const sort = role === 'user' ? 'own_last_session' : 'updated_at';
      const query = {
        sort,
        limit: search === '' ? preloaded : maxOfKind.project,
        ...(search !== '' && { search }),
      } as const;
      return (await api.get('/api/projects', { query, signal })).data;
    },
    enabled,
    ...(search !== '' && { placeholderData: keepPreviousData }),
  });
}

/** The matches, best first. `wanted: 'start'`: only projects whose timer can be started. */
export function useResults(commands: Commands, wanted: 'all' | 'start', typed: string): Entry[] {
  const { role } = commands;
  const t = useTexts(paletteMessages);
  const [, navigate] = useLocation();
  const own = useCommands(commands);
  const recent = useProjectsFor(role, '', true).data;
  const { quick, entriesFor } = useQuickAdd(role === 'user' && wanted === 'all' ? typed : '');
  const settled = useDebounced((quick?.text ?? typed).trim().slice(0, 100), pauseMilliseconds);
  const isMore = (recent?.pagination.pages ?? 0) > 1;
  const matching = useProjectsFor(role, settled, isMore && settled !== '').data;
  const { data: people } = useStudents(role === 'admin');

  const projects = useMemo(() => {
    const found = [...(recent?.projects ?? []), ...(matching?.projects ?? [])];
    return [...new Map(found.map((project) => [project.id, project])).values()];
  }, [recent, matching]);

  const entries = useMemo(() => {
    const pages = projects.map(
      ({ id, name }): Entry => ({
        id: `project ${id}`,
        kind: 'project',
        names: [name],
        run: () => navigate(href('project', { id })),
      }),
    );
    const starts = projects.flatMap((project): Entry[] => {
      if (role !== 'user' || project.status !== 'active') return [];
      const named = t('start_named', { project: project.name });
      const names = wanted === 'start' ? [project.name] : [named, project.name];
      return [{ id: `start ${project.id}`, kind: 'start', names, run: () => void startTimer(project) }];
    });
    if (wanted === 'start') return starts;
    const students = (people ?? []).map(
      ({ id, display_name, username }): Entry => ({
        id: `person ${id}`,
        kind: 'person',
        names: [display_name, username],
        run: () => navigate(href('student', { id })),
      }),
    );
    return [...own, ...pages, ...starts, ...students];
  }, [own, projects, people, role, wanted, t, navigate]);

  return useMemo(() => {
    const active = projects.filter(({ status }) => status === 'active');
    return [...entriesFor(active).slice(0, maxOfKind.add), ...best(entries, typed, wanted)];
  }, [entries, typed, wanted, projects, entriesFor]);
}

function best(entries: readonly Entry[], typed: string, wanted: 'all' | 'start'): Entry[] {
  const isEmpty = typed.trim() === '';
  const left = { ...maxOfKind };
  return entries
    .filter(({ kind }) => wanted === 'start' || !isEmpty || kind === 'command' || kind === 'page')
    .flatMap((entry) => {
      const order = rank(typed, entry.names);
      return order === undefined ? [] : [{ entry, order }];
    })
    .sort((a, b) => a.order - b.order) // stable
    .flatMap(({ entry }) => {
      left[entry.kind] -= 1;
      return left[entry.kind] < 0 ? [] : [entry];
    })
    .slice(0, maxResults);
}
