import type { Client } from './client.ts';

export type Topic = 'projects' | 'sessions' | 'timer' | 'inbox';
export type ServerEvent = { type: 'ready' | 'changed'; topics: readonly Topic[] };

/** After three heartbeats that did not arrive the connection is lost, although no one closed it. */
const longestSilence = 60_000;

/**
 * The events of the service, until the response ends or falls silent: connect again after a moment. `ready` comes first and says that
 * nothing from then on is missed; what was read before may be out of date.
 */
export async function* readEvents(
  client: Pick<Client, 'stream'>,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<ServerEvent, void, void> {
  const stream = await client.stream('/api/events', signal === undefined ? {} : { signal });
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ''; ; ) {
      const silence = setTimeout(() => void reader.cancel().catch(() => undefined), longestSilence);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (ready|changed)\ndata: (.*)$/.exec(block) ?? [];
        if (type === 'ready' || type === 'changed') yield { type, topics: JSON.parse(data ?? '[]') };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
