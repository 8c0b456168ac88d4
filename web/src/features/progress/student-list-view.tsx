import { School } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useGroups } from '../assignments/board-queries.ts';
import { progressMessages } from './messages.ts';
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
        <Card>
          <Empty>
            <p>{t(isFiltered ? 'none' : 'first')}</p>
            {isFiltered ? (
              <Button onPress={() => change({ search: '', group_id: '', project_id: '', state: '' })}>
                {t('clear')}
              </Button>
            ) : (
              <LinkButton href={href('newUsers')} look="primary">
                {t('make')}
              </LinkButton>
            )}
          </Empty>
        </Card>
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
  const { data: groups = [] } = useGroups();
  return (
    <>
      <search className={`${styles.filters} no-print`}>
        <SearchField label={t('search')} value={filter.search} onChange={(search) => change({ search })} />
        <Select
          label={t('group')}
          isLabelHidden
          icon={<School size={15} aria-hidden="true" />}
          value={filter.group_id}
          onChange={(group_id) => change({ group_id })}
          options={[['', t('all_groups')], ...groups.map(({ id, name }) => [`${id}`, name] as const)]}
        />
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
