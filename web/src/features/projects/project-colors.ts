import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hueOf } from '../../lib/hue.ts';
import { useActiveProjects } from './project-queries.ts';

/** The colours of projects by their ids. Those that are not active are only read if one of them is shown. */
export function useColors(shown: readonly number[]): (id: number) => number {
  const { data: active } = useActiveProjects();
  const known = new Map(active?.map(({ id, color }) => [id, color]));
  const { data: others } = useQuery({
    queryKey: ['projects', 'colors'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'own_last_session', limit: 100 } as const;
      const { projects } = (await api.get('/api/projects', { query, signal })).data;
      return new Map(projects.map(({ id, color }) => [id, color]));
    },
    enabled: active !== undefined && shown.some((id) => !known.has(id)),
  });
  return (id) => known.get(id) ?? others?.get(id) ?? hueOf(id);
}
