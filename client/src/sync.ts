import type { Client } from './client.ts';
import type { Answer } from './types.ts';

export type ChangePage = Answer<'get', '/api/sync'>['data'];

/**
 * The pages of what changed since the cursor, up to now. After a page with `reset`, which says to discard the copy, everything
 * follows from the beginning. Store each page together with its `next_cursor`.
 */
export async function* readChanges(
  client: Pick<Client, 'get'>,
  since?: string | null,
  limit = 1000,
): AsyncGenerator<ChangePage, void, void> {
  let cursor = since ?? undefined;
  for (;;) {
    const query = { limit, ...(cursor !== undefined && { since: cursor }) };
    const { data: page } = await client.get('/api/sync', { query });
    yield page;
    if (!page.has_more) return;
    cursor = page.next_cursor ?? undefined;
  }
}
