import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';

export type Statistics = Schemas['GroupStatistics'];
export type MemberDays = Statistics['members'][number];
export const classPeriods = ['week', 'month', 'term'] as const;
export type ClassPeriod = (typeof classPeriods)[number];

const dayMilliseconds = 86_400_000;
const plus = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);

/** The days of a period up to today, and of the one before of the same length. */
export function usePeriod(period: ClassPeriod) {
  const { timezone, week_start } = useAccount();
  const today = useFormats(timezone).isoDay(Date.now());
  const weekday = ((new Date(today).getUTCDay() + 6) % 7) + 1;
  const passed = ((weekday - week_start + 7) % 7) + 1;
  const days = period === 'week' ? passed : period === 'month' ? 28 : 91;
  const from = plus(today, 1 - days);
  const back = period === 'week' ? 7 : days;
  return { from, to: today, days, before: { from: plus(from, -back), to: plus(today, -back) } };
}

/** The hours of each active member on the projects of a class, by project. */
export function useMemberHours(id: number) {
  return useQuery({
    queryKey: ['progress', 'class', id, 'hours'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, readonly number[]>> => {
      const read = async (page: number) => {
        const query = { group_id: id, page, limit: 100 };
        return (await api.get('/api/admin/progress/projects', { query, signal })).data;
      };
      const { projects, users, pagination } = await read(1);
      const members = [...users];
      for (let page = 2; page <= pagination.pages; page += 1) members.push(...(await read(page)).users);
      return new Map(
        projects.map((project, index) => [project.id, members.flatMap(({ hours }) => hours[index] ?? [])]),
      );
    },
    placeholderData: keepPreviousData,
  });
}

/** The statistics of a class, with the days of all members. */
export function useClassStatistics(id: number, period?: { from: string; to: string }) {
  return useQuery({
    queryKey: ['progress', 'class', id, period?.from, period?.to],
    queryFn: async ({ signal }): Promise<Statistics> => {
      const read = async (page: number) => {
        const query = { page, limit: 100, ...(period !== undefined && { from: period.from, to: period.to }) };
        return (await api.get('/api/admin/groups/{id}/statistics', { params: { id }, query, signal })).data;
      };
      const first = await read(1);
      const members = [...first.members];
      for (let page = 2; page <= first.pagination.pages; page += 1) members.push(...(await read(page)).members);
      return { ...first, members };
    },
    placeholderData: keepPreviousData,
  });
}
