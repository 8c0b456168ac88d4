import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed, recordsChanged } from '../../lib/freshness.ts';

export type Tag = Schemas['Tag'];

/** The user's tags, the most recently used first. */
export const useTags = () =>
  useQuery({
    queryKey: ['sessions', 'tags'],
    queryFn: async ({ signal }) => (await api.get('/api/me/tags', { signal })).data,
  });

export async function renameTag(name: string, newName: string): Promise<Tag> {
  const { data } = await api.put('/api/me/tags/{name}', { params: { name }, body: { name: newName }, ifMatch: false });
  await recordsChanged();
  return data;
}

export async function deleteTag(name: string): Promise<void> {
  await api.delete('/api/me/tags/{name}', { params: { name } });
  await Promise.all([recordsChanged(), changed('stats')]);
}
