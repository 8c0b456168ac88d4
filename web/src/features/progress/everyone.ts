import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Student } from './progress-queries.ts';
import { needsAttention, standingOf, urgencyOf } from './standing.ts';

const pageSize = 100;
const minute = 60_000;
/** More students are shown by class only. */
const maxStudents = 500;

/** The progress of all students of a class, or of everybody; undefined for too many. */
export function useEveryone(group: string) {
  return useQuery({
    queryKey: ['progress', 'everyone', group],
    queryFn: async ({ signal }): Promise<{ total: number; students?: Student[] }> => {
      const read = async (page: number) => {
        const query = { page, limit: pageSize, ...(group !== '' && { group_id: Number(group) }) };
        return (await api.get('/api/admin/progress', { query, signal })).data;
      };
      const { users, pagination } = await read(1);
      if (pagination.total > maxStudents) return { total: pagination.total };
      const rest = Array.from({ length: Math.max(0, pagination.pages - 1) }, (_, index) => read(index + 2));
      return {
        total: pagination.total,
        students: [...users, ...(await Promise.all(rest)).flatMap((page) => page.users)],
      };
    },
    refetchInterval: 5 * minute,
  });
}

/** Students who need attention, the most urgent first. */
export const inAttention = (students: readonly Student[]): Student[] =>
  students.filter((student) => needsAttention(standingOf(student))).toSorted((a, b) => urgencyOf(a) - urgencyOf(b));

/** What a group of students has studied. */
export function sumOf(students: readonly Student[]) {
  const sum = (of: (student: Student) => number) => students.reduce((total, student) => total + of(student), 0);
  const weekCount = students[0]?.weeks.length ?? 0;
  const dayCount = students[0]?.days_studied.length ?? 0;
  /** How many studied on each of the last days, today last. */
  const studied = Array.from({ length: dayCount }, (_, day) =>
    sum(({ days_studied, running_timer }) =>
      Number(days_studied[day] || (day === dayCount - 1 && running_timer !== null)),
    ),
  );
  return {
    studied,
    /** How many had studied by this time on the same day of the week before. */
    studiedThen: sum(({ last_week_studied_by_now }) => Number(last_week_studied_by_now)),
    /** Hours per week, the current one last. */
    weeks: Array.from({ length: weekCount }, (_, week) => sum(({ weeks }) => weeks[week] ?? 0)),
    lastWeekSoFar: sum(({ last_week_so_far }) => last_week_so_far),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
