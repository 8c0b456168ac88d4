import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';

export type Project = Pick<Schemas['Project'], 'id' | 'name' | 'status' | 'assigned_user_ids' | 'user_id' | 'color'>;
export type Student = { id: number; username: string; display_name: string; email: string };

const pageSize = 100;
const pagesAtOnce = 4;

/** Reads all pages of a list, a few in parallel. An item that moves to another page meanwhile is returned once. */
async function readAll<T extends { id: number }>(
  read: (page: number) => Promise<{ items: readonly T[]; pages: number }>,
): Promise<T[]> {
  const { items, pages } = await read(1);
  const found = new Map(items.map((item) => [item.id, item]));
  for (let page = 2; page <= pages; page += pagesAtOnce) {
    const numbers = Array.from({ length: Math.min(pagesAtOnce, pages - page + 1) }, (_, n) => page + n);
    for (const next of await Promise.all(numbers.map(read))) for (const item of next.items) found.set(item.id, item);
  }
  return [...found.values()];
}

/** All projects: picking a range or all matches needs the complete list. */
export function useBoardProjects() {
  return useQuery({
    queryKey: ['projects', 'board'],
    queryFn: ({ signal }) =>
      readAll<Project>(async (page) => {
        const query = { page, limit: pageSize, sort: 'id', order: 'asc' } as const;
        const { projects, pagination } = (await api.get('/api/projects', { query, signal })).data;
        const items = projects.map(({ id, name, status, assigned_user_ids, user_id, color }) => ({
          id,
          name,
          status,
          assigned_user_ids,
          user_id,
          color,
        }));
        return { items, pages: pagination.pages };
      }),
  });
}

/** Everybody who can be assigned. */
export function useStudents(enabled = true) {
  return useQuery({
    queryKey: ['users', 'assignable'],
    enabled,
    queryFn: async ({ signal }): Promise<Student[]> => (await api.get('/api/projects/users', { signal })).data,
  });
}

export const membersOf = (group: string) => ({
  queryKey: ['users', 'assignable', group],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data } = await api.get('/api/projects/users', { query: { group_id: Number(group) }, signal });
    return new Set(data.map(({ id }) => id));
  },
});

/** Ids of the group's members; undefined without a group and while loading. */
export const useMembersOf = (group: string) => useQuery({ ...membersOf(group), enabled: group !== '' });

export function useGroups() {
  return useQuery({
    queryKey: ['users', 'groups'],
    queryFn: ({ signal }) =>
      readAll(async (page) => {
        const { data } = await api.get('/api/admin/groups', { query: { page, limit: pageSize }, signal });
        return { items: data.groups, pages: data.pagination.pages };
      }),
  });
}
