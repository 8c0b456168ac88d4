import { useRef } from 'react';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import table from '../../ui/data-table.module.css';
import { Card } from '../../ui/page.tsx';
import { SortColumn } from '../../ui/sort-column.tsx';
import { progressMessages } from './messages.ts';
import { useHoursOn } from './progress-queries.ts';
import { type Column, classOf, firstOrder } from './student-columns.ts';
import type { ListFilter, ListSort, StudentList } from './student-list.ts';
import { StudentRow } from './student-row.tsx';
import styles from './student-rows.module.css';
import { Tick } from './student-tick.tsx';
import { useAsWalk } from './walk.ts';

type Props = {
  list: StudentList;
  filter: ListFilter;
  columns: readonly Column[];
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  onSort: (sorting: { sort: string; order: string }) => void;
};

/** Students to sort, pick and open; Shift picks a range. A phone shows a card for each. */
export function StudentRows({ list, filter, columns, picked, onPick, onSort }: Props) {
  const t = useTexts(progressMessages);
  const { students = [] } = list;
  const hoursHere = useHoursOn(filter.project_id);
  const areAll = students.length > 0 && students.every(({ user_id }) => picked.has(user_id));
  const isSome = students.some(({ user_id }) => picked.has(user_id));
  useAsWalk(
    t('title'),
    students.map(({ user_id }) => user_id),
  );
  const pick = usePick({ students, picked, onPick });
  function pickAll(isOn: boolean): void {
    const next = new Set(picked);
    for (const { user_id } of students) isOn ? next.add(user_id) : next.delete(user_id);
    onPick(next);
  }
  const sorted = (name: ListSort) => {
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
  return (
    <Card isFlush>
      <table className={cx(table.table, styles.students)} aria-label={t('title')} aria-busy={list.isStale}>
        <thead>
          <tr>
            <td className={cx(styles.check, 'no-print')}>
              <Tick label={t('pick_all')} isOn={areAll} isPart={isSome} onChange={pickAll} />
            </td>
            {sorted('display_name')}
            {columns.map((column) =>
              column === 'weeks' ? (
                <th key={column} scope="col">
                  {t(column)}
                </th>
              ) : (
                sorted(column)
              ),
            )}
            {hoursHere !== undefined && (
              <th scope="col" className={classOf('here')}>
                {t('hours_here')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <StudentRow
              key={student.user_id}
              student={student}
              columns={columns}
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

type Picking = Pick<Props, 'picked' | 'onPick'> & { students: readonly { user_id: number }[] };

/** The same function at every rendering, so that other rows need not be drawn again. */
function usePick(given: Picking) {
  const last = useRef<number>(undefined);
  const latest = useRef(given);
  latest.current = given;
  return useRef((id: number, isOn: boolean, isRange: boolean): void => {
    const { students, picked, onPick } = latest.current;
    const ids = students.map(({ user_id }) => user_id);
    const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)].sort((a, b) => a - b);
    const next = new Set(picked);
    for (const each of isRange && from !== undefined && from >= 0 ? ids.slice(from, (to ?? 0) + 1) : [id])
      isOn ? next.add(each) : next.delete(each);
    last.current = id;
    onPick(next);
  }).current;
}
