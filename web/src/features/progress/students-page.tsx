import { Download, Printer } from 'lucide-react';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page, Skeleton } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { progressMessages } from './messages.ts';
import { canSortBy, exportStudents, type StudentFilter, sorts, useStudents } from './progress-queries.ts';
import { Caption, Filters } from './students-filters.tsx';
import { StudentsTable } from './students-table.tsx';

const defaults = { search: '', group_id: '', project_id: '', inactive_days: '', sort: 'username', order: 'asc' };
/** What the address says, as far as the service takes it. */
function read(given: typeof defaults): StudentFilter {
  const whole = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? text : '');
  const place = { group_id: whole(given.group_id), project_id: whole(given.project_id) };
  const sort = sorts.find((name) => name === given.sort && canSortBy(name, place)) ?? 'username';
  const inactive_days = Number(given.inactive_days) <= 3650 ? whole(given.inactive_days) : '';
  return { ...place, search: given.search, inactive_days, sort, order: given.order === 'desc' ? 'desc' : 'asc' };
}

/** How the students are doing: who fell silent, who is behind. Filter, sort and page are in the address. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentsPage() {
  const t = useTexts(progressMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { filter: given, page, change, turnTo } = useUrlFilter(defaults);
  const shown = read(given);
  const filter = { ...shown, search: useDebounced(shown.search, 200) };
  const { data, error, isPlaceholderData } = useStudents(filter, page);
  const exporting = useAction(() => exportStudents(filter));
  const failure = error ?? exporting.error;
  const limits = [shown.search, shown.group_id, shown.project_id, shown.inactive_days];
  const isNarrowed = page > 1 || limits.some((value) => value !== '');
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Button icon={<Download size={18} />} isPending={exporting.isRunning} onPress={() => void exporting.run()}>
            {t('export')}
          </Button>
          <Button icon={<Printer size={18} />} onPress={() => print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <Filters filter={shown} onChange={change} />
      {failure != null && <Notice kind="error">{problem(failure)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={8} />}
      {data?.users.length === 0 && (
        <Card>
          <Empty>
            <p>{t(isNarrowed ? 'none' : 'first')}</p>
            {isNarrowed ? (
              <Button onPress={() => change(defaults)}>{t('clear')}</Button>
            ) : (
              <LinkButton href={href('newUsers')} look="primary">
                {t('make')}
              </LinkButton>
            )}
          </Empty>
        </Card>
      )}
      {data !== undefined && data.users.length > 0 && (
        <>
          <Caption filter={shown} total={data.pagination.total} />
          <StudentsTable
            students={data.users}
            filter={shown}
            isStale={isPlaceholderData}
            onSort={(sort, order) => change({ sort, order })}
          />
        </>
      )}
      {data !== undefined && <Pager label={t('title')} page={page} pages={data.pagination.pages} onChange={turnTo} />}
    </Page>
  );
}
