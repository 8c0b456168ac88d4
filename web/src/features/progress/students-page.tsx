import { Download, UserPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { HoursTable } from './hours-table.tsx';
import { progressMessages } from './messages.ts';
import { exportProjectHours, useProjectHours } from './project-hours-queries.ts';
import { Results } from './results.tsx';
import { readColumns } from './student-columns.ts';
import { exportStudents, useStudentList } from './student-list.ts';
import { StudentListView, useDebouncedFilter } from './student-list-view.tsx';
import rows from './student-rows.module.css';
import { defaults, type Given, readListFilter, readTableFilter } from './students-filter.ts';
import { Caption, Filters } from './students-filters.tsx';
import { Columns } from './view-tools.tsx';

/** Progress of all students. View, filter, sort and page are in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentsPage() {
  const { filter: given, page, change, turnTo } = useUrlFilter(defaults);
  const View = given.view === 'projects' ? ByProject : List;
  return <View given={given} page={page} change={change} turnTo={turnTo} />;
}

type ViewProps = Omit<ReturnType<typeof useUrlFilter<Given>>, 'filter'> & { given: Given };

function List({ given, page, change, turnTo }: ViewProps) {
  const t = useTexts(progressMessages);
  const filter = readListFilter(given);
  const list = useStudentList(useDebouncedFilter(filter), page);
  const columns = useMemo(() => readColumns(given.columns), [given.columns]);
  const { data: everybody } = useStudents();
  const exporting = useAction(() => exportStudents(list));
  return (
    <Page
      title={t('title')}
      heading={
        <>
          {t('title')}
          {list.students !== undefined && (
            <span className={rows.shown} role="status">
              {everybody === undefined || everybody.length === list.total
                ? t('count', { count: list.total })
                : t('count_of', { count: list.total, total: everybody.length })}
            </span>
          )}
        </>
      }
      actions={
        <>
          <View given={given} onChange={change} />
          <Columns given={given.columns} onChange={(columns) => change({ columns })} />
          <Button icon={<Download size={18} />} isPending={exporting.isRunning} onPress={() => void exporting.run()}>
            {t('export')}
          </Button>
          <LinkButton href={href('newUsers')} look="primary" icon={<UserPlus size={18} />}>
            {t('add_students')}
          </LinkButton>
        </>
      }
    >
      <Problem error={exporting.error} />
      <StudentListView list={list} filter={filter} columns={columns} page={page} change={change} turnTo={turnTo} />
    </Page>
  );
}

function ByProject({ given, page, change, turnTo }: ViewProps) {
  const t = useTexts(progressMessages);
  const shown = readTableFilter(given);
  const query = useProjectHours({ ...shown, search: useDebounced(shown.search, 200) }, page);
  const exporting = useAction(() => exportProjectHours(shown));
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <View given={given} onChange={change} />
          <Button icon={<Download size={18} />} isPending={exporting.isRunning} onPress={() => void exporting.run()}>
            {t('export')}
          </Button>
        </>
      }
    >
      <Problem error={exporting.error} />
      <Filters filter={shown} onChange={change} projects={query.data?.projects ?? []} />
      <Results query={query} filter={shown} page={page} onClear={() => change(withoutFilter)} onTurn={turnTo}>
        {(data) => (
          <>
            <Caption filter={shown} total={data.pagination.total} projects={data} />
            <HoursTable
              students={data.users}
              projects={data.projects}
              filter={shown}
              isStale={query.isPlaceholderData}
              onSort={change}
            />
          </>
        )}
      </Results>
    </Page>
  );
}

function View({ given, onChange }: { given: Given; onChange: (changed: Partial<Given>) => void }) {
  const t = useTexts(progressMessages);
  return (
    <ViewSwitch
      label={t('view')}
      options={[
        ['list', t('list')],
        ['projects', t('by_project')],
      ]}
      value={given.view === 'projects' ? 'projects' : 'list'}
      onChange={(view) => onChange({ view, sort: '', order: 'asc' })}
    />
  );
}

const { view: _view, columns: _columns, ...withoutFilter } = defaults;
