import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../../lib/api.ts';
import { changed } from '../../../lib/freshness.ts';

export type Note = Schemas['StudentNote'] | null;

export const useStudentNote = (id: number) =>
  useQuery({
    queryKey: ['progress', 'note', id],
    queryFn: async ({ signal }): Promise<Note> =>
      (await api.get('/api/admin/users/{id}/note', { params: { id }, signal })).data,
  });

/** A note that does not exist has the version 0. */
export const etagOf = (note: Note): string => note?.etag ?? '"0"';

/** Also after a refusal the page shows what is current. */
export async function saveNote(id: number, text: string, ifMatch: string): Promise<void> {
  try {
    await api.put('/api/admin/users/{id}/note', { params: { id }, body: { text }, ifMatch });
  } finally {
    await changed('progress');
  }
}
