import type { Client } from './client.ts';
import type { Answer } from './types.ts';

export type ChangePage = Answer<'get', '/api/sync'>['data'];

/**
 * Yields the pages of changes since the cursor. A page with `reset` means: discard the local copy; all data follows. Store each page
 * together with its `next_cursor`.
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
