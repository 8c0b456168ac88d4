import { Readable } from 'node:stream';
import { RateLimitedError, UnavailableError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventReadModel, Listener, TopicVersions } from './event-read-model.ts';

export const limits = { perUser: 5, perProcess: 1000, pollMilliseconds: 500, heartbeatMilliseconds: 20_000 };
/** Bytes buffered for a slow reader, in addition to the buffers of the connection. */
const unreadBytes = 4096;

type Connection = Listener & { stream: Readable; seen: TopicVersions | undefined; until: number; heartbeatAt: number };

type Options = {
  readModel: Pick<EventReadModel, 'readVersions'>;
  lifecycle: { readonly draining: boolean };
  clock: Clock;
};

/**
 * The open event streams of this process. While there are any, one statement each half second reads the versions of all
 * connected users; users whose versions have changed get an event.
 */
export function createEventHub({ readModel, lifecycle, clock }: Options) {
  const connections = new Set<Connection>();
  let timer: NodeJS.Timeout | undefined;

  function send({ stream }: Connection, text: string): void {
    if (!stream.push(text)) stream.destroy(); // the reader is too slow
  }

  function update(connection: Connection, versions: TopicVersions | undefined, now: number): void {
    const { seen, topics } = connection;
    // Ends at once if the sign-in is no longer valid; other streams end only after `ready`.
    if (versions === undefined) return void connection.stream.push(null);
    connection.seen = versions;
    const changed = seen === undefined ? [] : topics.filter((topic) => versions[topic] !== seen[topic]);
    if (seen === undefined) send(connection, 'event: ready\ndata: []\n\n');
    else if (changed.length > 0) send(connection, `event: changed\ndata: ${JSON.stringify(changed)}\n\n`);
    else if (now >= connection.heartbeatAt) send(connection, ':\n\n');
    else return;
    connection.heartbeatAt = now + limits.heartbeatMilliseconds;
  }

  function end(isOver: (connection: Connection) => boolean): void {
    for (const connection of connections) if (isOver(connection)) connection.stream.push(null);
  }

  async function poll(): Promise<void> {
    if (lifecycle.draining) return end(() => true);
    const listening = [...connections].filter(({ stream }) => !stream.destroyed && !stream.readableEnded);
    const versions = await readModel.readVersions(listening);
    const now = clock().getTime();
    for (const [index, connection] of listening.entries())
      if (connections.has(connection)) update(connection, versions.get(index), now);
    end(({ until, seen }) => seen !== undefined && now >= until);
  }

  function schedule(): void {
    if (timer !== undefined || connections.size === 0) return;
    timer = setTimeout(() => {
      // While the database is unavailable, connections stay open: nothing changes that readers could miss.
      poll()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, limits.pollMilliseconds);
  }

  return {
    /** Throws RateLimitedError and UnavailableError beyond the limits. */
    open(listener: Listener, until: number): Readable {
      if (lifecycle.draining || connections.size >= limits.perProcess) throw new UnavailableError();
      const count = [...connections].filter(({ user_id }) => user_id === listener.user_id).length;
      if (count >= limits.perUser) throw new RateLimitedError(60);
      const now = clock().getTime();
      const stream = new Readable({ read: () => undefined, highWaterMark: unreadBytes });
      const connection = { ...listener, stream, seen: undefined, until, heartbeatAt: now };
      connections.add(connection);
      stream.once('close', () => connections.delete(connection));
      schedule();
      return stream;
    },
  };
}
