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

/** So many of each kind are shown. */
const most: Readonly<Record<Kind, number>> = { command: 8, page: 8, project: 8, start: 8, person: 8 };
const mostTogether = 24;
/** Projects that are found by initials, too; the service finds the others by their text. */
const atHand = 100;
const pauseMilliseconds = 200;

/** One page of projects, those that the reader studied or that changed last; with a text, those that have it. */
function useProjectsFor(role: Commands['role'], search: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['projects', 'palette', search],
    queryFn: async ({ signal }) => {
      const sort = role === 'user' ? 'own_last_session' : 'updated_at';
      const query = { sort, limit: search === '' ? atHand : most.project, ...(search !== '' && { search }) } as const;
      return (await api.get('/api/projects', { query, signal })).data;
    },
    enabled: isWanted,
    ...(search !== '' && { placeholderData: keepPreviousData }),
  });
}

/** What matches, the best first. `wanted: 'start'`: projects to start the timer of. */
export function useResults(commands: Commands, wanted: 'all' | 'start', typed: string): Entry[] {
  const { role } = commands;
  const t = useTexts(paletteMessages);
  const [, navigate] = useLocation();
  const own = useCommands(commands);
  const near = useProjectsFor(role, '', true).data;
  const settled = useDebounced(typed.trim().slice(0, 100), pauseMilliseconds);
  const isMore = (near?.pagination.pages ?? 0) > 1;
  const far = useProjectsFor(role, settled, isMore && settled !== '').data;
  const { data: people } = useStudents(role === 'admin');

  const entries = useMemo(() => {
    const projects = new Map([...(near?.projects ?? []), ...(far?.projects ?? [])].map((found) => [found.id, found]));
    const pages = [...projects.values()].map(
      ({ id, name }): Entry => ({
        ...{ id: `project ${id}`, kind: 'project', names: [name] },
        run: () => navigate(href('project', { id })),
      }),
    );
    const starts = [...projects.values()].flatMap((project): Entry[] => {
      if (role !== 'user' || project.status !== 'active') return [];
      const named = t('start_named', { project: project.name });
      const names = wanted === 'start' ? [project.name] : [named, project.name];
      return [{ id: `start ${project.id}`, kind: 'start', names, run: () => void startTimer(project) }];
    });
    if (wanted === 'start') return starts;
    const students = (people ?? []).map(
      ({ id, display_name, username }): Entry => ({
        ...{ id: `person ${id}`, kind: 'person', names: [display_name, username] },
        run: () => navigate(href('student', { id })),
      }),
    );
    return [...own, ...pages, ...starts, ...students];
  }, [own, near, far, people, role, wanted, t, navigate]);

  return useMemo(() => best(entries, typed, wanted), [entries, typed, wanted]);
}

function best(entries: readonly Entry[], typed: string, wanted: 'all' | 'start'): Entry[] {
  const isEmpty = typed.trim() === '';
  const left = { ...most };
  return entries
    .filter(({ kind }) => wanted === 'start' || !isEmpty || kind === 'command' || kind === 'page')
    .flatMap((entry) => {
      const place = rank(typed, entry.names);
      return place === undefined ? [] : [{ entry, place }];
    })
    .sort((a, b) => a.place - b.place) // equal ones stay in their order
    .flatMap(({ entry }) => {
      left[entry.kind] -= 1;
      return left[entry.kind] < 0 ? [] : [entry];
    })
    .slice(0, mostTogether);
}
