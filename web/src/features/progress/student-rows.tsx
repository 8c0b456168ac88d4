import { Check, Minus } from 'lucide-react';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import table from '../../ui/data-table.module.css';
import { Card } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import { SortColumn } from '../../ui/sort-column.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Delta } from '../../ui/stats.tsx';
import { progressMessages } from './messages.ts';
import { type Student, useHoursOn } from './progress-queries.ts';
import { StandingChip } from './standing-chip.tsx';
import { type ListFilter, type ListSort, listSorts, type StudentList } from './student-list.ts';
import styles from './student-rows.module.css';

/** The order of the first press. */
const firstOrder = {
  ...{ display_name: 'asc', this_week: 'desc', hours_28d: 'desc', current_streak: 'desc', goals: 'asc' },
  last_session: 'asc',
} as const;
const endColumns: ReadonlySet<ListSort> = new Set(['this_week', 'hours_28d', 'current_streak', 'last_session']);
const wideColumns: ReadonlySet<ListSort> = new Set(['hours_28d', 'current_streak']);
const classOf = (name: ListSort) => cx(endColumns.has(name) && table.end, wideColumns.has(name) && table.wide);

type Props = {
  list: StudentList;
  filter: ListFilter;
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  onSort: (sorting: { sort: string; order: string }) => void;
};

/** Students to sort, pick and open; Shift picks a range. A phone shows a card for each. */
export function StudentRows({ list, filter, picked, onPick, onSort }: Props) {
  const t = useTexts(progressMessages);
  const { students = [] } = list;
  const hoursHere = useHoursOn(filter.project_id);
  const last = useRef<number>(undefined);
  const areAll = students.length > 0 && students.every(({ user_id }) => picked.has(user_id));
  const isSome = students.some(({ user_id }) => picked.has(user_id));

  function pick(id: number, isOn: boolean, isRange: boolean): void {
    const ids = students.map(({ user_id }) => user_id);
    const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)].sort((a, b) => a - b);
    const next = new Set(picked);
    for (const each of isRange && from !== undefined && from >= 0 ? ids.slice(from, (to ?? 0) + 1) : [id])
      isOn ? next.add(each) : next.delete(each);
    last.current = id;
    onPick(next);
  }
  function pickAll(isOn: boolean): void {
    const next = new Set(picked);
    for (const { user_id } of students) isOn ? next.add(user_id) : next.delete(user_id);
    onPick(next);
  }
  const column = (name: ListSort) => {
    const isSorted = name === filter.sort;
    const order = isSorted ? (filter.order === 'asc' ? 'desc' : 'asc') : firstOrder[name];
    return (
      <SortColumn
        key={name}
        text={t(name)}
        className={classOf(name)}
        order={isSorted ? filter.order : undefined}
        onSort={list.sorts.has(name) ? () => onSort({ sort: name, order }) : undefined}
      />
    );
  };
  const [name, ...others] = listSorts;
  return (
    <Card isFlush>
      <table className={cx(table.table, styles.students)} aria-label={t('title')} aria-busy={list.isStale}>
        <thead>
          <tr>
            <td className={cx(styles.check, 'no-print')}>
              <Tick label={t('pick_all')} isOn={areAll} isPart={isSome} onChange={pickAll} />
            </td>
            {column(name)}
            <th scope="col">{t('weeks')}</th>
            {others.map((each) =>
              each === 'current_streak' && hoursHere !== undefined
                ? [
                    <th key="here" scope="col" className={table.end}>
                      {t('hours_here')}
                    </th>,
                    column(each),
                  ]
                : column(each),
            )}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <Row
              key={student.user_id}
              student={student}
              group={filter.group_id}
              here={hoursHere && (hoursHere.get(student.user_id) ?? 0)}
              isPicked={picked.has(student.user_id)}
              onPick={pick}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type RowProps = {
  student: Student;
  /** The class that the table is filtered by, which rows do not repeat. */
  group: string;
  /** Hours on the project that the table is filtered by. */
  here: number | undefined;
  isPicked: boolean;
  onPick: (id: number, isOn: boolean, isRange: boolean) => void;
};

function Row({ student, group, here, isPicked, onPick }: RowProps) {
  const t = useTexts(progressMessages);
  const formats = useFormats(useAccount().timezone);
  const [, navigate] = useLocation();
  const { user_id: id, display_name: name, weeks, groups, current_streak: streak, last_session: last } = student;
  const thisWeek = weeks.at(-1) ?? 0;
  const delta = Math.round(thisWeek - student.last_week_so_far);
  const to = href('student', { id });
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
          {group === '' && groups.length > 0 && <small>{groups.map((each) => each.name).join(', ')}</small>}
        </span>
      </th>
      <td className={styles.spark}>
        <Sparkline label={t('weeks_are', { hours: weeks.map(formats.number).join(', ') })} values={weeks} />
      </td>
      <td className={cx(table.end, styles.week)}>
        {formats.shortHours(thisWeek)}
        <span className={styles.delta}>
          {delta === 0 ? <span className={table.muted}>–</span> : <Delta value={delta}>{Math.abs(delta)}</Delta>}
        </span>
      </td>
      <td className={classOf('hours_28d')}>{formats.shortHours(student.hours_28d)}</td>
      {here !== undefined && <td className={table.end}>{formats.shortHours(here)}</td>}
      <td className={classOf('current_streak')}>
        {streak === 0 ? <span className={table.muted}>–</span> : t('days', { count: streak })}
      </td>
      <td className={styles.goals}>
        <StandingChip student={student} />
      </td>
      <td className={cx(table.end, table.muted, styles.last)}>
        {student.running_timer !== null ? (
          <span className={styles.now}>{t('now')}</span>
        ) : last === null ? (
          '–'
        ) : (
          formats.daysAgo(last)
        )}
      </td>
    </tr>
  );
}

type TickProps = {
  label: string;
  isOn: boolean;
  isPart?: boolean;
  onChange: (isOn: boolean, isRange: boolean) => void;
};

/** The field covers its box, because not every browser takes a Shift click on a label. */
function Tick({ label, isOn, isPart = false, onChange }: TickProps) {
  return (
    <span className={styles.tick}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        ref={(input) => {
          if (input !== null) input.indeterminate = isPart && !isOn;
        }}
        onChange={({ target, nativeEvent }) =>
          onChange(target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
      />
      <span aria-hidden="true">
        {isPart && !isOn ? <Minus size={13} strokeWidth={3} /> : <Check size={13} strokeWidth={3} />}
      </span>
    </span>
  );
}
