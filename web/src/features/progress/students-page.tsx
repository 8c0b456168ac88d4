import { Download, Printer } from 'lucide-react';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { HoursTable } from './hours-table.tsx';
import { progressMessages } from './messages.ts';
import { exportStudents, useStudents } from './progress-queries.ts';
import { exportProjectHours, useProjectHours } from './project-hours-queries.ts';
import { Results } from './results.tsx';
import { defaults, type Given, readListFilter, readTableFilter } from './students-filter.ts';
import { Caption, Filters } from './students-filters.tsx';
import { StudentsTable } from './students-table.tsx';

/** Progress of all students. View, filter, sort and page are in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentsPage() {
  const t = useTexts(progressMessages);
  const problem = useProblem();
  const { filter: given, page, change, turnTo } = useUrlFilter(defaults);
  const isByProject = given.view === 'projects';
  const exporting = useAction(() =>
    isByProject ? exportProjectHours(readTableFilter(given)) : exportStudents(readListFilter(given)),
  );
  const View = isByProject ? ByProject : List;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ViewSwitch
            label={t('view')}
            options={[
              ['list', t('list')],
              ['projects', t('by_project')],
            ]}
            value={isByProject ? 'projects' : 'list'}
            onChange={(view) => change({ view })}
          />
          <Button icon={<Download size={18} />} isPending={exporting.isRunning} onPress={() => void exporting.run()}>
            {t('export')}
          </Button>
          <Button icon={<Printer size={18} />} onPress={() => print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      {exporting.error != null && <Notice kind="error">{problem(exporting.error)}</Notice>}
      <View given={given} page={page} change={change} turnTo={turnTo} />
    </Page>
  );
}

type ViewProps = Omit<ReturnType<typeof useUrlFilter<Given>>, 'filter'> & { given: Given };

function List({ given, page, change, turnTo }: ViewProps) {
  const shown = readListFilter(given);
  const query = useStudents({ ...shown, search: useDebounced(shown.search, 200) }, page);
  return (
    <>
      <Filters filter={shown} onChange={change} />
      <Results query={query} filter={shown} page={page} onClear={() => change(withoutFilter)} onTurn={turnTo}>
        {({ users, pagination }) => (
          <>
            <Caption filter={shown} total={pagination.total} />
            <StudentsTable students={users} filter={shown} isStale={query.isPlaceholderData} onSort={change} />
          </>
        )}
      </Results>
    </>
  );
}

function ByProject({ given, page, change, turnTo }: ViewProps) {
  const shown = readTableFilter(given);
  const query = useProjectHours({ ...shown, search: useDebounced(shown.search, 200) }, page);
  return (
    <>
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
    </>
  );
}

const { view: _view, ...withoutFilter } = defaults;
