import { memo, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Avatar } from '../../ui/person.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Delta } from '../../ui/stats.tsx';
import { progressMessages } from './messages.ts';
import type { Student } from './progress-queries.ts';
import { lastMoment } from './standing.ts';
import { StandingChip } from './standing-chip.tsx';
import { type Column, classOf } from './student-columns.ts';
import styles from './student-rows.module.css';
import { Tick } from './student-tick.tsx';

type Props = {
  student: Student;
  columns: readonly Column[];
  /** The class that the table is filtered by, which rows do not repeat. */
  group: string;
  /** Hours on the project that the table is filtered by. */
  here: number | undefined;
  isPicked: boolean;
  onPick: (id: number, isOn: boolean, isRange: boolean) => void;
};

/** A student; on a phone a card. Picking one of hundreds draws only that row again. */
export const StudentRow = memo(function StudentRow({ student, columns, group, here, isPicked, onPick }: Props) {
  const t = useTexts(progressMessages);
  const marks = useMarks();
  const [, navigate] = useLocation();
  const cells = useCells(student);
  const { user_id: id, display_name: name, groups } = student;
  const to = href('student', { id });
  const cell = (column: Column) => (
    <td key={column} className={classOf(column)}>
      {cells[column]()}
    </td>
  );
  return (
    // The link in the row is for the keyboard.
    <tr
      className={table.opens}
      aria-selected={isPicked}
      onClick={({ target, ctrlKey, metaKey }) => {
        if (!(target instanceof Element) || target.closest('a, input, label') !== null) return;
        if (ctrlKey || metaKey) window.open(to);
        else if (getSelection()?.isCollapsed !== false) navigate(to);
      }}
    >
      <td className={cx(styles.check, 'no-print')}>
        <Tick label={t('pick', { name })} isOn={isPicked} onChange={(isOn, isRange) => onPick(id, isOn, isRange)} />
      </td>
      <th scope="row" className={styles.who}>
        <span className={table.named}>
          <Avatar id={id} name={name} isSmall />
          <Link href={to}>{name}</Link>
          {group === '' && groups.length > 0 && <small>{marks.list(groups.map((each) => each.name))}</small>}
        </span>
      </th>
      {columns.map(cell)}
      {here !== undefined && <HoursHere hours={here} />}
    </tr>
  );
});

function HoursHere({ hours }: { hours: number }) {
  const formats = useFormats(useAccount().timezone);
  return <td className={classOf('here')}>{formats.shortHours(hours)}</td>;
}

function useCells(student: Student): Record<Column, () => ReactNode> {
  const t = useTexts(progressMessages);
  const marks = useMarks();
  const formats = useFormats(useAccount().timezone);
  const { weeks, hours_28d, total_hours, current_streak: streak, last_session: last, running_timer } = student;
  const own = useFormats(student.timezone);
  const thisWeek = weeks.at(-1) ?? 0;
  const delta = Math.round(thisWeek - student.last_week_so_far);
  const none = <span className={table.muted}>–</span>;
  return {
    weeks: () => <Sparkline label={t('weeks_are', { hours: marks.list(weeks.map(formats.number)) })} values={weeks} />,
    this_week: () => (
      <>
        {formats.shortHours(thisWeek)}
        <span className={styles.delta}>{delta === 0 ? none : <Delta value={delta}>{Math.abs(delta)}</Delta>}</span>
      </>
    ),
    hours_28d: () => formats.shortHours(hours_28d),
    total_hours: () => formats.shortHours(total_hours),
    current_streak: () => (streak === 0 ? none : t('days', { count: streak })),
    goals: () => <StandingChip student={student} />,
    last_session: () => {
      if (running_timer !== null) return <span className={styles.now}>{t('now')}</span>;
      return last === null ? (
        none
      ) : (
        <span className={table.muted}>{own.daysAgo(lastMoment(last), student.day_start_hour)}</span>
      );
    },
  };
}
