import type { Client } from './client.ts';

export type Topic = 'projects' | 'sessions' | 'timer' | 'inbox';
export type ServerEvent = { type: 'ready' | 'changed'; topics: readonly Topic[] };

/** Milliseconds: the connection is lost after three missed heartbeats. */
const heartbeatTimeout = 60_000;

type EventClient = Pick<Client, 'stream'>;

/**
 * Yields events until the response ends or times out, or `signal` is aborted; then reconnect after a delay. The first event is `ready`:
 * no later event is missed, but data read before may be out of date.
 */
export async function* readEvents(
  client: EventClient,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<ServerEvent, void, void> {
  try {
    yield* eventsOf(client, signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

async function* eventsOf(
  client: EventClient,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void, void> {
  const stream = await client.stream('/api/events', signal === undefined ? {} : { signal });
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ''; ; ) {
      const timeout = setTimeout(() => void reader.cancel().catch(() => undefined), heartbeatTimeout);
      const { done, value } = await reader.read().finally(() => clearTimeout(timeout));
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
