import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Student = Schemas['Progress'];
/** How many a card shows. */
export const shown = 8;
/** As many as may have studied on one day in a large class. */
const mostOfToday = 100;
export const silentDays = 7;

const minute = 60_000;

/** Students without a record in the last days, those who studied longest ago first. */
export function useSilentStudents() {
  return useQuery({
    queryKey: ['progress', 'silent'],
    queryFn: async ({ signal }) => {
      const query = { inactive_days: silentDays, sort: 'last_session', order: 'asc', limit: shown } as const;
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    refetchInterval: 5 * minute,
  });
}

/** Active projects that are overdue or behind their plan, those due first before the others. */
export function useLateGoals() {
  return useQuery({
    queryKey: ['projects', 'late'],
    queryFn: async ({ signal }) => {
      const list = async (state: 'overdue' | 'behind') => {
        const query = { state, sort: 'due_date', order: 'asc', limit: shown } as const;
        return (await api.get('/api/projects', { query, signal })).data;
      };
      const [overdue, behind] = await Promise.all([list('overdue'), list('behind')]);
      const projects = [
        ...overdue.projects.map((project) => ({ ...project, isOverdue: true })),
        ...behind.projects.map((project) => ({ ...project, isOverdue: false })),
      ];
      return { projects: projects.slice(0, shown), total: overdue.pagination.total + behind.pagination.total };
    },
    refetchInterval: 5 * minute,
  });
}

/** Students by their latest record; those who study now have it before them. */
export function useLatestStudents() {
  return useQuery({
    queryKey: ['progress', 'latest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'last_session', order: 'desc', limit: mostOfToday } as const;
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    refetchInterval: minute,
  });
}

export function useOpenRequests() {
  return useQuery({
    queryKey: ['requests', 'open'],
    queryFn: async ({ signal }) => {
      const query = { status: 'pending', limit: shown } as const;
      return (await api.get('/api/admin/contact-requests', { query, signal })).data;
    },
    refetchInterval: minute,
  });
}
