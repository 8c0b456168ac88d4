import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, isApiError, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { siteName } from '../../lib/page-meta.ts';
import { useTexts } from '../../lib/texts.ts';
import { addDays } from '../../lib/written-dates.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';

type ReportData = Schemas['StudentReport'];
type Props = { id: number; name: string; from: string; to: string; tools?: ReactNode };

/** What a student has studied in a period, on one printed page, with room for a comment. */
export function Report({ id, name, from, to, tools }: Props) {
  const t = useTexts(reportMessages);
  const read = useQuery({
    queryKey: ['stats', id, 'report', from, to],
    queryFn: async ({ signal }) =>
      (await api.get('/api/reports/students/{id}', { params: { id }, query: { from, to }, signal })).data,
    // A class is more reports than the service computes, or lets wait, for one caller.
    retry: (failures, error) => failures < 100 && isApiError(error, 'RATE_LIMITED'),
    retryDelay: () => 1000 + Math.random() * 2000,
  });
  const { data } = read;
  return (
    <article className={styles.report} aria-label={`${t('report')}: ${name}`}>
      <Card>
        <Loading of={read} />
        {data !== undefined && (
          <>
            <Sheet report={data} heading={<h2>{name}</h2>} tools={tools} />
            <div className={styles.comment}>
              <h3>{t('comment')}</h3>
              <p>{t('signature')}</p>
            </div>
          </>
        )}
      </Card>
    </article>
  );
}

/** The figures of a report. */
export function Sheet({ report, heading, tools }: { report: ReportData; heading?: ReactNode; tools?: ReactNode }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC'); // dates have no time
  const about = `${t('report')}, ${t('about', { from: dates.date(report.from), to: dates.date(report.to) })}`;
  const facts = [
    [t('hours'), dates.hours(report.total_hours)],
    [t('per_week'), dates.hours(report.hours_per_week)],
    [t('study_days'), t('of_days', { count: report.study_days, days: report.days })],
    [t(report.is_running ? 'before_so_far' : 'before'), dates.hours(report.previous_hours)],
  ];
  return (
    <>
      <header className={styles.head}>
        {heading}
        <p>{[siteName, report.groups.join(', '), about].filter(Boolean).join(' · ')}</p>
        {tools}
      </header>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.school_days !== report.previous_school_days && (
        <p>{t('unequal', { days: report.school_days, other: report.previous_school_days })}</p>
      )}
      {report.total_hours === 0 && <p>{t('nothing')}</p>}
      <Projects report={report} />
      <Weeks report={report} />
    </>
  );
}

function Projects({ report: { projects, more_projects } }: { report: ReportData }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  if (projects.length === 0) return null;
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('project')}</th>
            <th scope="col">{t('in_period')}</th>
            <th scope="col">{t('all_time')}</th>
            <th scope="col">{t('target')}</th>
            <th scope="col">{t('due')}</th>
          </tr>
        </thead>
        <tbody>
          {projects.map(({ name, hours, total_hours, target_hours: target, is_shared_target, due_date }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique, and the rows never change
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{dates.hours(hours)}</td>
              <td>{dates.hours(total_hours)}</td>
              <td>
                {target !== null &&
                  (is_shared_target ? t('group_target', { hours: dates.hours(target) }) : dates.hours(target))}
              </td>
              <td>{due_date !== null && dates.date(due_date)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more_projects > 0 && <p className={styles.more}>{t('more', { count: more_projects })}</p>}
    </>
  );
}

/** The first and the last week may be partly in the period. */
function Weeks({ report: { weekly: weeks, from, to } }: { report: ReportData }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  function nameOf(first: string): string {
    const last = addDays(first, 6);
    const begin = dates.shortDate(first < from ? from : first);
    const end = dates.shortDate(last > to ? to : last);
    if (first >= from && last <= to) return t('week_of', { date: begin });
    return begin === end ? t('one_day', { date: begin }) : t('part_of_week', { from: begin, to: end });
  }
  const most = Math.max(...weeks.map(({ hours }) => hours), 0.01);
  return (
    <ul className={styles.weeks} aria-label={t('weeks')}>
      {weeks.map(({ first_day, hours }) => (
        <li key={first_day}>
          <span>{nameOf(first_day)}</span>
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(0.4, (hours / most) * 100)} height="6" />
          </svg>
          <span>{dates.hours(hours)}</span>
        </li>
      ))}
    </ul>
  );
}
