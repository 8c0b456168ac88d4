import { useCallback } from 'react';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { PeopleTable } from '../../ui/people-table.tsx';
import { progressMessages } from './messages.ts';
import type { Student } from './progress-queries.ts';
import { nameOf, useStudentColumns } from './student-cells.tsx';
import { type Column, firstOrder } from './student-columns.ts';
import { type ListFilter, listSorts, type StudentList } from './student-list.ts';
import { useAsWalk } from './walk.ts';

type Props = {
  list: StudentList;
  filter: ListFilter;
  columns: readonly Column[];
  picked: ReadonlySet<number>;
  onPick: (picked: ReadonlySet<number>) => void;
  onSort: (sorting: { sort: string; order: string }) => void;
};

/** Students to sort, pick and open. */
export function StudentRows({ list, filter, columns, picked, onPick, onSort }: Props) {
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
    t('title'),
    students.map(({ user_id }) => user_id),
  );
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
        columns={useStudentColumns(columns, filter.project_id !== '')}
        sorting={sorting}
        picking={{ picked, onPick, all: t('pick_all'), one: (name) => t('pick', { name }) }}
        isBusy={list.isStale}
      />
    </Card>
  );
}
