import { UserRound, X } from 'lucide-react';
import { useMemo } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './assign.module.css';
import { type Project, type Student, useMembersOf } from './board-queries.ts';
import { GroupFilter } from './group-filter.tsx';
import { assignMessages } from './messages.ts';

export const defaults = {
  search: '',
  status: 'all',
  student: '',
  students: '',
  own: '',
  group: '',
  /** Not empty on the way from a class or from selected students: the first project picked is staged for them. */
  add: '',
  step: 'projects',
  view: 'list',
};
export type Filter = typeof defaults;
type Props = { filter: Filter; change: (changed: Partial<Filter>) => void };
const statuses = ['all', 'active', 'paused', 'completed', 'picked'] as const;

const statusOf = (filter: Filter) => statuses.find((known) => known === filter.status) ?? 'all';
export const contains = (search: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));

/** `owners`: the students, whose own projects are shown only if asked for. */
export function useShownProjects(
  projects: readonly Project[],
  filter: Filter,
  picked: ReadonlySet<number>,
  owners: ReadonlyMap<number, string>,
) {
  const { search } = filter;
  const status = statusOf(filter);
  // Only the "picked" filter depends on the selection; the others need not run on every pick.
  const pickedIds = status === 'picked' ? picked : undefined;
  return useMemo(
    () =>
      projects.filter(
        (project) =>
          contains(search, project.name) &&
          (filter.own !== '' || !owners.has(project.user_id)) &&
          (status === 'all' || (pickedIds?.has(project.id) ?? project.status === status)),
      ),
    [projects, search, status, pickedIds, owners, filter.own],
  );
}

export function useShownStudents(students: readonly Student[], filter: Filter) {
  const { data: members } = useMembersOf(filter.group);
  const { student: search } = filter;
  return useMemo(() => {
    const selected = filter.students === '' ? undefined : new Set(filter.students.split(',').map(Number));
    return students.filter(
      ({ id, display_name, username, email }) =>
        contains(search, display_name, username, email) &&
        (members?.has(id) ?? filter.group === '') &&
        selected?.has(id) !== false,
    );
  }, [students, search, members, filter.group, filter.students]);
}

export function ProjectFilters({ filter, change }: Props) {
  const t = useTexts(assignMessages);
  return (
    <div className={styles.filters}>
      <SearchField label={t('search_projects')} value={filter.search} onChange={(search) => change({ search })} />
      <Select
        label={t('status')}
        isLabelHidden
        value={statusOf(filter)}
        onChange={(status) => change({ status })}
        options={statuses.map((value) => [value, t(value)])}
      />
      <FilterChip
        Icon={UserRound}
        text={t('own_too')}
        isOn={filter.own !== ''}
        onChange={(isOn) => change({ own: isOn ? '1' : '' })}
      />
    </div>
  );
}

export function StudentFilters({ filter, change }: Props) {
  const t = useTexts(assignMessages);
  return (
    <div className={styles.filters}>
      <SearchField label={t('search_students')} value={filter.student} onChange={(student) => change({ student })} />
      <GroupFilter value={filter.group} onChange={(group) => change({ group })} />
      {filter.students !== '' && (
        <Button icon={<X size={18} />} onPress={() => change({ students: '' })}>
          {t('only_selected', { count: filter.students.split(',').length })}
        </Button>
      )}
    </div>
  );
}

const filtersOf = { projects: ['search', 'status'], students: ['student', 'students', 'group'] } as const;

/** Instead of empty lists: the filters hide everything, or there is nothing yet. */
export function Nothing({ of, filter, change }: Props & { of: readonly (keyof typeof filtersOf)[] }) {
  const t = useTexts(assignMessages);
  const keys = of.flatMap((list) => filtersOf[list] as readonly (keyof Filter)[]);
  if (keys.every((key) => filter[key] === defaults[key])) return <p>{t(`no_${of[0] ?? 'projects'}`)}</p>;
  return (
    <>
      <p>{t('none')}</p>
      <Button onPress={() => change(Object.fromEntries(keys.map((key) => [key, defaults[key]])))}>{t('clear')}</Button>
    </>
  );
}

/** The names of students by id, for the projects that they own. */
export const useOwners = (students: readonly Student[]): ReadonlyMap<number, string> =>
  useMemo(() => new Map(students.map(({ id, display_name }) => [id, display_name])), [students]);
