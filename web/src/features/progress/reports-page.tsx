import { useQueries, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useSchoolYear } from '../../lib/school-year.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { linesOfReport, Report } from './report.tsx';
import { AllLinks, Share } from './report-links.tsx';
import { reportMessages } from './report-messages.ts';
import { readReport } from './report-queries.ts';
import styles from './reports-page.module.css';

const periods = ['7', '28', '91', '365'] as const;
const dayMilliseconds = 86_400_000;
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** The service's limit. */
const maxDays = 371;
const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a > b ? a : b);
const dateOrNone = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined);

/** Printed reports of a class or of selected students, one page each. Students and period are in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ReportsPage() {
  const t = useTexts(reportMessages);
  const here = useOwnFormats();
  const { filter, change } = useUrlFilter({ students: '', group: '', days: '28', from: '', to: '' });
  const days = periods.find((known) => known === filter.days) ?? '28';
  const today = here.isoDay(Date.now());
  const to = earlier(dateOrNone(filter.to) ?? today, today);
  const given = dateOrNone(filter.from);
  const first = dateOf(Date.parse(to) - (maxDays - 1) * dayMilliseconds);
  const usual = dateOf(Date.parse(to) - (Number(days) - 1) * dayMilliseconds);
  const from = given === undefined ? usual : earlier(later(given, first), to);
  const isUsual = filter.from === '' && filter.to === '';
  // The present term of the school and the one before, or else 13 weeks.
  const terms = useSchoolYear()
    .terms.filter((term) => term.from <= today)
    .slice(-2);
  const datesOf = (term: (typeof terms)[number]) => ({ from: term.from, to: earlier(term.to, today) });
  const chosen = terms.find((term) => term.from === filter.from && earlier(term.to, today) === filter.to);
  const options = periods.flatMap((known): (readonly [string, string])[] =>
    known === '91' && terms.length > 0
      ? terms.map(({ from: first, name }) => [first, name] as const)
      : [[known, t(`days_${known}`)] as const],
  );
  const { people, read } = usePeople(filter);
  const medianHours = useMedian(filter.group === '' ? [] : (people ?? []), from, to);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ViewSwitch
            label={t('period')}
            options={options}
            value={isUsual ? days : (chosen?.from ?? '')}
            onChange={(next) => {
              const term = terms.find((known) => known.from === next);
              change(term === undefined ? { days: next, from: '', to: '' } : datesOf(term));
            }}
          />
          <Button look="primary" icon={<Printer size={18} />} isDisabled={!people?.length} onPress={() => print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <div className={cx(styles.days, 'no-print')}>
        <DayField label={t('from')} value={from} onChange={(day) => change({ from: day })} />
        <DayField label={t('to')} value={to} onChange={(day) => change({ to: day })} />
      </div>
      <div className={styles.stack}>
        {people === undefined && (
          <Card>
            <Loading of={read} lines={linesOfReport} />
          </Card>
        )}
        {people?.length === 0 && (
          <Card>
            <Empty>
              <p>{t('none')}</p>
              <LinkButton href={href('students')}>{t('students')}</LinkButton>
            </Empty>
          </Card>
        )}
        {people?.map(({ id, display_name }) => (
          <Report
            key={id}
            id={id}
            name={display_name}
            from={from}
            to={to}
            medianHours={medianHours}
            tools={<Share id={id} name={display_name} from={from} to={to} />}
          />
        ))}
        {people !== undefined && <AllLinks />}
      </div>
    </Page>
  );
}

/** The students of a class or of a list of ids, by name. */
function usePeople({ students, group }: { students: string; group: string }) {
  const everybody = useStudents(group === '');
  const members = useQuery({
    queryKey: ['users', 'assignable', 'of', group],
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects/users', { query: { group_id: Number(group) }, signal })).data,
    enabled: group !== '',
  });
  if (group !== '') return { people: members.data, read: members };
  const ids = new Set(students.split(',').map(Number));
  return { people: everybody.data?.filter(({ id }) => ids.has(id)), read: everybody };
}

/** With fewer, the median would tell the hours of single students. */
const fewestOfMedian = 5;

/** The median of the hours of these students, as soon as the reports of all are read. */
function useMedian(people: readonly { id: number }[], from: string, to: string): number | undefined {
  const hours = useQueries({
    queries: people.map(({ id }) => readReport({ id, from, to })),
    combine: (reports) => reports.flatMap(({ data }) => data?.total_hours ?? []),
  }).toSorted((a, b) => a - b);
  if (hours.length < Math.max(fewestOfMedian, people.length)) return undefined;
  const [low = 0, high = 0] = [hours[Math.floor((hours.length - 1) / 2)], hours[Math.floor(hours.length / 2)]];
  return (low + high) / 2;
}
