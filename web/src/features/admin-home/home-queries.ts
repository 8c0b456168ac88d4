import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Student = Schemas['Progress'];
export const rowsPerCard = 8;
/** Enough for everyone who studied today in a large class. */
const maxStudents = 100;
export const inactiveDays = 7;

const minute = 60_000;

/** Students without a record in the last `inactiveDays`, longest inactive first. */
export function useInactiveStudents() {
  return useQuery({
    queryKey: ['progress', 'inactive'],
    queryFn: async ({ signal }) => {
      const query = { inactive_days: inactiveDays, sort: 'last_session', order: 'asc', limit: rowsPerCard } as const;
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    refetchInterval: 5 * minute,
  });
}

/** Active projects, overdue ones first, then those behind schedule; each by due date. */
export function useLateGoals() {
  return useQuery({
    queryKey: ['projects', 'late'],
    queryFn: async ({ signal }) => {
      const list = async (state: 'overdue' | 'behind') => {
        const query = { state, sort: 'due_date', order: 'asc', limit: rowsPerCard } as const;
        return (await api.get('/api/projects', { query, signal })).data;
      };
      const [overdue, behind] = await Promise.all([list('overdue'), list('behind')]);
      const projects = [
        ...overdue.projects.map((project) => ({ ...project, isOverdue: true })),
        ...behind.projects.map((project) => ({ ...project, isOverdue: false })),
      ];
      return { projects: projects.slice(0, rowsPerCard), total: overdue.pagination.total + behind.pagination.total };
    },
    refetchInterval: 5 * minute,
  });
}

/** Students by their latest finished record; a running timer does not count. */
export function useLatestStudents() {
  return useQuery({
    queryKey: ['progress', 'latest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'last_session', order: 'desc', limit: maxStudents } as const;
      return (await api.get('/api/admin/progress', { query, signal })).data;
    },
    refetchInterval: minute,
  });
}

export function useOpenRequests() {
  return useQuery({
    queryKey: ['requests', 'open'],
    queryFn: async ({ signal }) => {
      const query = { status: 'pending', limit: rowsPerCard } as const;
      return (await api.get('/api/admin/contact-requests', { query, signal })).data;
    },
    refetchInterval: minute,
  });
}
