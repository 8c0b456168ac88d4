import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { Report } from './report.tsx';
import { reportMessages } from './report-messages.ts';

const periods = ['7', '28', '91', '365'] as const;
const dayMilliseconds = 86_400_000;
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const dateOrNone = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined);

/** Printed reports of a class or of selected students, one page each. Students and period are in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ReportsPage() {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC'); // dates have no time
  const { timezone } = useAccount();
  const here = useFormats(timezone);
  const { filter, change } = useUrlFilter({ students: '', group: '', days: '28', from: '', to: '' });
  const days = periods.find((known) => known === filter.days) ?? '28';
  const to = dateOrNone(filter.to) ?? here.isoDay(Date.now());
  const from = dateOrNone(filter.from) ?? dateOf(Date.parse(to) - (Number(days) - 1) * dayMilliseconds);
  const people = usePeople(filter);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ViewSwitch
            label={t('period')}
            options={periods.map((known) => [known, t(`days_${known}`)] as const)}
            value={days}
            onChange={(next) => change({ days: next, from: '', to: '' })}
          />
          <Button look="primary" icon={<Printer size={18} />} onPress={() => print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <p className="no-print">{t('about', { from: dates.date(from), to: dates.date(to) })}</p>
      {people?.length === 0 && (
        <Card>
          <Empty>
            <p>{t('none')}</p>
            <LinkButton href={href('students')}>{t('students')}</LinkButton>
          </Empty>
        </Card>
      )}
      {people?.map(({ id, display_name }) => (
        <Report key={id} id={id} name={display_name} from={from} to={to} />
      ))}
    </Page>
  );
}

/** The students of a class or of a list of ids, by name; undefined while loading. */
function usePeople({ students, group }: { students: string; group: string }) {
  const everybody = useStudents(group === '');
  const members = useQuery({
    queryKey: ['users', 'assignable', 'of', group],
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects/users', { query: { group_id: Number(group) }, signal })).data,
    enabled: group !== '',
  });
  if (group !== '') return members.data;
  const ids = new Set(students.split(',').map(Number));
  return everybody.data?.filter(({ id }) => ids.has(id));
}
