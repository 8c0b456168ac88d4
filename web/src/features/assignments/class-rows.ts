import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membersOf, type Student, useGroups } from './board-queries.ts';
import { contains, type Filter } from './filters.tsx';

/** A class among the students, as a row that stands for its members. Its id is negative, unlike those of students. */
export type ClassRow = { id: number; name: string; members: readonly number[] };
export const isClass = (row: ClassRow | Student): row is ClassRow => 'members' in row;

/** More are left to the filter: the members of each class are a request. */
const maxClasses = 40;
const none: readonly ClassRow[] = [];

/** The classes that match the search, unless the list is that of one class or of selected students. */
export function useClassRows(students: readonly Student[], filter: Filter): readonly ClassRow[] {
  const { data: groups = [] } = useGroups();
  const isShown = filter.group === '' && filter.students === '' && groups.length <= maxClasses;
  const members = useQueries({
    queries: isShown ? groups.map(({ id }) => membersOf(`${id}`)) : [],
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    if (!isShown) return none;
    const rows = groups.map(({ id, name }, index) => ({
      id: -id,
      name,
      members: students.flatMap((student) => (members[index]?.has(student.id) ? [student.id] : [])),
    }));
    return rows.filter((row) => row.members.length > 0 && contains(filter.student, row.name));
  }, [isShown, groups, members, students, filter.student]);
}

/** The students for whom rows stand. */
export function studentsOf(ids: readonly number[], classes: readonly ClassRow[]): number[] {
  const members = new Map(classes.map((row) => [row.id, row.members]));
  return [...new Set(ids.flatMap((id) => members.get(id) ?? id))];
}
