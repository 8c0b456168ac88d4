import { useCallback, useMemo } from 'react';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { PeopleTable, type PersonColumn } from '../../ui/people-table.tsx';
import { progressMessages } from './messages.ts';
import type { Order, Student } from './progress-queries.ts';
import { nameOf, useStudentColumns } from './student-cells.tsx';
import { type Column, firstOrder } from './student-columns.ts';
import { type ListFilter, type ListSort, listSorts, type StudentList } from './student-list.ts';
import { useAsWalk } from './walk.ts';

type Props = {
  list: StudentList;
  filter: ListFilter;
  columns: readonly Column[];
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  onSort: (sorting: { sort: ListSort; order: Order }) => void;
  /** What the list is called on the pages of its students. */
  name?: string;
  /** The last column, the same at every rendering. */
  last?: PersonColumn<Student>;
};

/** Students to sort, pick and open. */
export function StudentRows({ list, filter, columns, picked, onPick, onSort, name, last }: Props) {
  const t = useTexts(progressMessages);
  const marks = useMarks();
  const { students = [] } = list;
  const isWhole = filter.group_id === '';
  const comma = marks.list(['', '']);
  const whoIs = useCallback(
    (student: Student) => ({
      ...nameOf(student),
      // The class that the table is filtered by is not repeated.
      ...(isWhole && student.groups.length > 0 && { detail: student.groups.map(({ name }) => name).join(comma) }),
    }),
    [isWhole, comma],
  );
  useAsWalk(
    name ?? t('title'),
    students.map(({ user_id }) => user_id),
  );
  const own = useStudentColumns(columns, filter.project_id !== '');
  const all = useMemo(() => (last === undefined ? own : [...own, last]), [own, last]);
  const sorting = (column: string) => {
    const sort = listSorts.find((name) => name === column);
    const isSorted = sort === filter.sort;
    const order = isSorted ? (filter.order === 'asc' ? 'desc' : 'asc') : sort && firstOrder[sort];
    return {
      order: isSorted ? filter.order : undefined,
      onSort: sort && order && list.sorts.has(sort) ? () => onSort({ sort, order }) : undefined,
    };
  };
  return (
    <Card isFlush>
      <PeopleTable
        label={t('title')}
        title={t('display_name')}
        people={students}
        whoIs={whoIs}
        columns={all}
        sorting={sorting}
        picking={{ picked, onPick, all: t('pick_all'), one: (name) => t('pick', { name }) }}
        isBusy={list.isStale}
      />
    </Card>
  );
}
