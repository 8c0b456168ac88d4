import { useMemo } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import type { PersonColumn } from '../../ui/people-table.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Delta } from '../../ui/stats.tsx';
import { progressMessages } from './messages.ts';
import type { Student } from './progress-queries.ts';
import { lastMoment } from './standing.ts';
import { StandingChip } from './standing-chip.tsx';
import { type Column, classOf, placeOf } from './student-columns.ts';
import styles from './student-rows.module.css';

/** A student's name, which opens the student's page. */
export const nameOf = ({ user_id: id, display_name: name }: Student) => ({ id, name, to: href('student', { id }) });

const none = <span className={table.muted}>–</span>;

/** Columns of a table of students, the same at every rendering; last the hours on the project of a filter. */
export function useStudentColumns(columns: readonly Column[], isOfProject: boolean) {
  const t = useTexts(progressMessages);
  const formats = useOwnFormats();
  return useMemo((): readonly PersonColumn<Student>[] => {
    const cells: Record<Column, PersonColumn<Student>['cell']> = {
      weeks: ({ weeks }) => <Weeks weeks={weeks} />,
      this_week: (student) => <ThisWeek student={student} />,
      hours_28d: ({ hours_28d }) => formats.shortHours(hours_28d),
      total_hours: ({ total_hours }) => formats.shortHours(total_hours),
      current_streak: ({ current_streak: count }) => (count === 0 ? none : t('days', { count })),
      goals: (student) => <StandingChip student={student} />,
      last_session: (student) => <LastSession student={student} />,
    };
    const shown = columns.map((id) => ({
      id,
      text: t(id),
      place: placeOf(id),
      className: classOf(id),
      cell: cells[id],
    }));
    if (!isOfProject) return shown;
    const hours = ({ project_hours }: Student) => (project_hours === null ? '' : formats.shortHours(project_hours));
    return [...shown, { id: 'here', text: t('hours_here'), className: classOf('here'), cell: hours }];
  }, [columns, isOfProject, t, formats]);
}

/** The hours of the last weeks as a line. */
export function Weeks({ weeks }: Pick<Student, 'weeks'>) {
  const t = useTexts(progressMessages);
  const marks = useMarks();
  const formats = useFormats('UTC');
  return <Sparkline label={t('weeks_are', { hours: marks.list(weeks.map(formats.number)) })} values={weeks} />;
}

function ThisWeek({ student: { weeks, last_week_so_far } }: { student: Student }) {
  const formats = useFormats('UTC');
  const thisWeek = weeks.at(-1) ?? 0;
  const delta = Math.round(thisWeek - last_week_so_far);
  return (
    <>
      {formats.shortHours(thisWeek)}
      <span className={styles.delta}>{delta === 0 ? none : <Delta value={delta}>{Math.abs(delta)}</Delta>}</span>
    </>
  );
}

function LastSession({ student }: { student: Student }) {
  const t = useTexts(progressMessages);
  const formats = useFormats(student.timezone);
  const { running_timer, last_session: last, day_start_hour } = student;
  if (running_timer !== null) return <span className={styles.now}>{t('now')}</span>;
  if (last === null) return none;
  return <span className={table.muted}>{formats.daysAgo(lastMoment(last), day_start_hour)}</span>;
}
