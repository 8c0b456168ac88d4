import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { saveFile } from '../../lib/save-file.ts';
import type { Period } from '../statistics/period.ts';

export type Statistics = Schemas['GroupStatistics'];
export type MemberDays = Statistics['members'][number];

export type Comparison = Schemas['GroupComparison'];

const comparisonOf = ({ from, to }: Period, other: Period) =>
  ({ from, to, other_from: other.from, other_to: other.to }) as const;

export async function exportComparison(id: number, period: Period, other: Period): Promise<void> {
  const query = comparisonOf(period, other);
  const file = await api.download('/api/admin/groups/{id}/comparison/export', { params: { id }, query });
  saveFile(file, 'studytrack-comparison.csv');
}

/** The hours of each member in two periods; of one that is not over, up to the same time. */
export function useClassComparison(id: number, period: Period, other: Period) {
  return useQuery({
    queryKey: ['progress', 'class', id, 'comparison', period.from, period.to, other.from, other.to],
    queryFn: async ({ signal }): Promise<Comparison> => {
      const query = comparisonOf(period, other);
      return (await api.get('/api/admin/groups/{id}/comparison', { params: { id }, query, signal })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5 * 60_000,
  });
}

/** The statistics of a class, with the days of all members. */
export function useClassStatistics(id: number | undefined, period?: { from: string; to: string }) {
  return useQuery({
    queryKey: ['progress', 'class', id, period?.from, period?.to],
    queryFn: async ({ signal }): Promise<Statistics> => {
      const read = async (page: number) => {
        const query = { page, limit: 100, ...(period !== undefined && { from: period.from, to: period.to }) };
        return (await api.get('/api/admin/groups/{id}/statistics', { params: { id: id ?? 0 }, query, signal })).data;
      };
      const first = await read(1);
      const members = [...first.members];
      for (let page = 2; page <= first.pagination.pages; page += 1) members.push(...(await read(page)).members);
      return { ...first, members };
    },
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** The mean of the members' weekly goals, from the projects that each of them is to complete. */
export function meanWeeklyGoal({ projects, members_count }: Statistics): number | undefined {
  const goals = projects
    .filter(({ status, target_scope }) => status === 'active' && target_scope === 'each')
    .map(({ weekly_goal_hours, users_count }) => (weekly_goal_hours ?? 0) * users_count);
  const sum = goals.reduce((total, hours) => total + hours, 0);
  return sum === 0 ? undefined : sum / members_count;
}
