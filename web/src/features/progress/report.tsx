import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { siteName } from '../../lib/page-meta.ts';
import { useTexts } from '../../lib/texts.ts';
import { addDays } from '../../lib/written-dates.ts';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';
import { ReportProjects } from './report-projects.tsx';
import { readReport } from './report-queries.ts';
import { ReportSentence } from './report-sentence.tsx';

type ReportData = Schemas['StudentReport'];
type Props = {
  id: number;
  name: string;
  from: string;
  to: string;
  tools?: ReactNode;
  /** Of the class whose reports are shown. */
  medianHours: number | undefined;
};

/** About the height of a report, so that what is below it stays in place. */
export const linesOfReport = 14;

/** What a student has studied in a period, on one printed page, with room for a comment. */
export function Report({ id, name, from, to, tools, medianHours }: Props) {
  const t = useTexts(reportMessages);
  const read = useQuery(readReport({ id, from, to }));
  const { data } = read;
  return (
    <article className={styles.report} aria-label={`${t('report')}: ${name}`}>
      <Card>
        <Loading of={read} lines={linesOfReport} />
        {data !== undefined && (
          <>
            <Sheet report={data} heading={<h2>{name}</h2>} tools={tools} medianHours={medianHours} />
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

type SheetProps = { report: ReportData; heading?: ReactNode; tools?: ReactNode; medianHours?: number | undefined };

/** The figures of a report. */
export function Sheet({ report, heading, tools, medianHours }: SheetProps) {
  const t = useTexts(reportMessages);
  const marks = useMarks();
  const dates = useFormats('UTC'); // dates have no time
  const about = marks.facts([t('report'), dates.dates(report.from, report.to)]);
  const facts = [
    [t('hours'), dates.hours(report.total_hours)],
    [t('per_week'), dates.hours(report.hours_per_week)],
    [t('study_days'), t('of_days', { count: report.study_days, days: report.days })],
    [t(report.is_running ? 'before_so_far' : 'before'), dates.hours(report.previous_hours)],
    ...(medianHours === undefined ? [] : [[t('class_median'), dates.hours(medianHours)]]),
  ];
  return (
    <>
      <header className={styles.head}>
        {heading}
        <p>{[siteName, report.groups.join(', '), about].filter(Boolean).join(' · ')}</p>
        {tools}
      </header>
      <ReportSentence report={report} />
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.school_days !== report.previous_school_days && (
        <p className={styles.unequal}>
          {t('unequal', { days: report.school_days, other: report.previous_school_days })}
        </p>
      )}
      <ReportProjects report={report} />
      <Weeks report={report} />
    </>
  );
}

/** The first and the last week may be partly in the period. */
function Weeks({ report: { weekly: weeks, from, to } }: { report: ReportData }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  function nameOf(first: string): string {
    const last = addDays(first, 6);
    if (first >= from && last <= to) return t('week_of', { date: dates.shortDate(first) });
    return t('part_of_week', { dates: dates.dayRange(first < from ? from : first, last > to ? to : last) });
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
