import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { GroupFilter } from '../assignments/group-filter.tsx';
import { progressMessages } from './messages.ts';
import { NoStudents } from './results.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { stateIcons } from './state-icons.ts';
import type { Column } from './student-columns.ts';
import { type ListFilter, type State, type StudentList, states } from './student-list.ts';
import styles from './student-rows.module.css';
import { StudentRows } from './student-rows.tsx';
import { ProjectFilter } from './students-filters.tsx';
import { Views } from './view-tools.tsx';

/** Chips of classes without students are left out, except the selected one. */
const isShown = (state: State, count: number | undefined, selected: string): boolean =>
  count !== 0 || state === selected || state === 'studying';

type ViewProps = {
  filter: ListFilter;
  page: number;
  change: (changed: Record<string, string>) => void;
  turnTo: (page: number) => void;
};

type ListProps = ViewProps & { list: StudentList; columns: readonly Column[] };

/** Students as a work table. */
export function StudentListView({ list, filter, columns, page, change, turnTo }: ListProps) {
  const t = useTexts(progressMessages);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const isFiltered = [filter.search, filter.group_id, filter.project_id, filter.state].some((value) => value !== '');
  return (
    <>
      <Filters list={list} filter={filter} change={change} />
      <Loading of={list.read} lines={8} />
      {list.students?.length === 0 && (
        <NoStudents
          isFiltered={isFiltered}
          onClear={() => change({ search: '', group_id: '', project_id: '', state: '' })}
        />
      )}
      {list.students !== undefined && list.students.length > 0 && (
        <StudentRows list={list} filter={filter} columns={columns} picked={picked} onPick={setPicked} onSort={change} />
      )}
      <SelectionBar picked={picked} onClear={() => setPicked(new Set())} />
      <Pager label={t('title')} page={page} pages={list.pages} onChange={turnTo} />
    </>
  );
}

function Filters({ list, filter, change }: Pick<ViewProps, 'filter' | 'change'> & { list: StudentList }) {
  const t = useTexts(progressMessages);
  return (
    <>
      <search className={`${styles.filters} no-print`}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => change({ search })} />
        <GroupFilter isPill value={filter.group_id} onChange={(group_id) => change({ group_id })} />
        {states
          .filter((state) => list.states.has(state) && isShown(state, list.counts.get(state), filter.state))
          .map((state) => (
            <FilterChip
              key={state}
              Icon={stateIcons[state]}
              text={t(`filter_${state}`)}
              count={list.counts.get(state)}
              isOn={filter.state === state}
              onChange={(isOn) => change({ state: isOn ? state : '' })}
            />
          ))}
        <Views />
      </search>
      <ProjectFilter project={filter.project_id} onClear={() => change({ project_id: '' })} />
    </>
  );
}

export const useDebouncedFilter = (filter: ListFilter): ListFilter => ({
  ...filter,
  search: useDebounced(filter.search, 200),
});
