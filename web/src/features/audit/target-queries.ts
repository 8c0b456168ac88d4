import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { AuditFilter } from './audit-queries.ts';

/** What the log can be filtered by: an object with a name. */
export type Named = { type: 'user' | 'group' | 'project'; id: number; name: string };

/** Of each kind. */
const maxFound = 4;

/** People, classes and projects whose name contains the text. */
export function useNamed(text: string) {
  return useQuery({
    queryKey: ['audit', 'named', text],
    queryFn: async ({ signal }): Promise<Named[]> => {
      const query = { search: text, limit: maxFound };
      const [users, groups, projects] = await Promise.all([
        api.get('/api/admin/users', { query, signal }),
        api.get('/api/admin/groups', { query, signal }),
        api.get('/api/projects', { query, signal }),
      ]);
      return [
        ...users.data.users.map(({ id, display_name: name }) => ({ type: 'user' as const, id, name })),
        ...groups.data.groups.map(({ id, name }) => ({ type: 'group' as const, id, name })),
        ...projects.data.projects.map(({ id, name }) => ({ type: 'project' as const, id, name })),
      ];
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}

/** The kind of object that a kind of change is about: an assignment belongs to a project. */
const kinds: Readonly<Record<string, Named['type']>> = {
  user: 'user',
  group: 'group',
  project: 'project',
  assignment: 'project',
};

const nameKey = (type: Named['type'] | undefined, id: number) => ['audit', 'name', type, id];

/** Shows the name of a chosen object at once, as it was found. */
export function useRememberName(): (chosen: Named) => void {
  const client = useQueryClient();
  return ({ type, id, name }) => client.setQueryData(nameKey(type, id), name);
}

/** The name of the object in the filter; nothing for one that no longer exists. */
export function useNameOf({ target_type, target_id }: AuditFilter): string | undefined {
  const id = Number(target_id);
  const type = kinds[target_type];
  const { data } = useQuery({
    queryKey: nameKey(type, id),
    queryFn: async ({ signal }): Promise<string> => {
      const one = { params: { id }, signal };
      if (type === 'user') return (await api.get('/api/admin/users/{id}', one)).data.display_name;
      if (type === 'group') return (await api.get('/api/admin/groups/{id}', one)).data.name;
      return (await api.get('/api/projects/{id}', one)).data.name;
    },
    enabled: type !== undefined && target_id !== '' && Number.isSafeInteger(id) && id > 0,
    retry: false,
  });
  return data;
}

/** Whether an object of one kind of change can be one of the other kind. */
export const isSameKind = (type: string, other: string): boolean =>
  type === other || (kinds[type] !== undefined && kinds[type] === kinds[other]);
