import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { membersOf } from '../assignments/board-queries.ts';

/** How many projects of an administrator, of at most 100, are also given to students outside some classes, and the number of these students. */
export function useOthersOf(id: number, groupIds: readonly number[]) {
  const groups = groupIds.map(String).sort();
  return useQuery({
    queryKey: ['projects', 'others', id, ...groups],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, client }) => {
      const [{ data }, ...members] = await Promise.all([
        api.get('/api/projects', { query: { creator: id, limit: 100 }, signal }),
        ...groups.map((group) => client.fetchQuery(membersOf(group))),
      ]);
      if (data.pagination.pages > 1) return null; // a number of some of them would be wrong
      const outside = data.projects
        .map(({ assigned_user_ids: ids }) =>
          ids.filter((one) => one !== id && !members.some((those) => those.has(one))),
        )
        .filter((ids) => ids.length > 0);
      return { projects: outside.length, others: new Set(outside.flat()).size };
    },
  });
}

/** The active administrators of the whole school, among all pages of administrators. */
export function useWholeSchool() {
  return useQuery({
    queryKey: ['users', 'list', 'whole-school'],
    queryFn: async ({ signal }) => {
      const query = { role: 'admin', status: 'active', limit: 100 } as const;
      const read = async (page: number) =>
        (await api.get('/api/admin/users', { query: { ...query, page }, signal })).data;
      const { users, pagination } = await read(1);
      const others = await Promise.all(Array.from({ length: pagination.pages - 1 }, (_, index) => read(index + 2)));
      return [users, ...others.map((page) => page.users)].flat().filter(({ admin_scope: scope }) => scope === 'all');
    },
  });
}
