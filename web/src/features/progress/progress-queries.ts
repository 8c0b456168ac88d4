import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Student = Schemas['Progress'];

export type Sort = 'username' | 'total_hours' | 'project_hours';
export type Order = 'asc' | 'desc';

/** URL parameters as text; empty for no filter. */
export type StudentFilter = {
  search: string;
  group_id: string;
  project_id: string;
  inactive_days: string;
  sort: Sort;
  order: Order;
  /** The project to sort by if `sort` is `project_hours`. */
  sort_project_id: string;
};
export type Sorting = Pick<StudentFilter, 'sort' | 'order' | 'sort_project_id'>;

/** The service sorts by the hours on a project only within a group or a project. */
export const canSortBy = (
  sort: Sort,
  { group_id, project_id }: Pick<StudentFilter, 'group_id' | 'project_id'>,
): boolean => sort !== 'project_hours' || group_id !== '' || project_id !== '';

export const pageSize = 50;

type Selection = Pick<StudentFilter, 'search' | 'group_id' | 'project_id'> & { inactive_days?: string };

export function selection({ search, group_id, project_id, inactive_days = '' }: Selection) {
  return {
    ...(search !== '' && { search }),
    ...(group_id !== '' && { group_id: Number(group_id) }),
    ...(project_id !== '' && { project_id: Number(project_id) }),
    ...(inactive_days !== '' && { inactive_days: Number(inactive_days) }),
  };
}

export function useProjectName(project: string): string | undefined {
  const id = Number(project);
  const { data } = useQuery({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await api.get('/api/projects/{id}', { params: { id }, signal });
      return { ...data, etag };
    },
    enabled: project !== '',
  });
  return data?.name;
}

/** The student's row of the progress list, found by searching for their e-mail address. */
export function useStudentProgress(id: number, email: string | undefined) {
  return useQuery({
    queryKey: ['progress', 'one', id],
    queryFn: async ({ signal }): Promise<Student | null> => {
      const query = { search: email?.slice(0, 100) ?? '', status: 'all', limit: 100 } as const;
      const { data } = await api.get('/api/admin/progress', { query, signal });
      return data.users.find(({ user_id }) => user_id === id) ?? null;
    },
    enabled: email !== undefined,
  });
}

export type StudentProject = Schemas['Project'] & { isOwn: boolean };

/** Projects assigned to or owned by a student. */
export function useStudentProjects(id: number) {
  return useQuery({
    queryKey: ['projects', 'of', id],
    queryFn: async ({ signal }): Promise<{ projects: StudentProject[]; missing: number }> => {
      const list = async (filter: { creator: number } | { assigned_user_id: number }) => {
        const query = { ...filter, limit: 100, sort: 'due_date', order: 'asc' } as const;
        return (await api.get('/api/projects', { query, signal })).data;
      };
      const [own, assigned] = await Promise.all([list({ creator: id }), list({ assigned_user_id: id })]);
      const owned = new Set(own.projects.map((project) => project.id));
      const others = assigned.projects.filter((project) => !owned.has(project.id));
      const projects = [
        ...others.map((project) => ({ ...project, isOwn: false })),
        ...own.projects.map((project) => ({ ...project, isOwn: true })),
      ];
      const missing = [own, assigned].reduce((sum, list) => sum + list.pagination.total - list.projects.length, 0);
      return { projects, missing };
    },
  });
}

const recordsOnPage = 20;

export function useStudentRecords(id: number, page: number, enabled = true) {
  return useQuery({
    queryKey: ['sessions', 'of', id, page],
    queryFn: async ({ signal }) => {
      const query = { user_id: id, page, limit: recordsOnPage };
      return (await api.get('/api/sessions', { query, signal })).data;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}
