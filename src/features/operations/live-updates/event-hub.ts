import { Readable } from 'node:stream';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { RateLimitedError, UnavailableError } from '../../../texts/errors.ts';
import type { Topic } from './live-update-projection.ts';
import type { Listener, LiveUpdateRepository, ReadUntil } from './live-update-repository.ts';

export const limits = { perUser: 5, perProcess: 1000, pollMilliseconds: 500, heartbeatMilliseconds: 20_000 };
/** Bytes buffered for a slow reader, in addition to the buffers of the connection. */
const unreadBytes = 4096;

/** Seconds for which updates can be read; a process that has not read them for half of that time reloads everything. */
const keptSeconds = 60;

/** `isOver`: its stream has ended, although the reader may not have read all of it. */
type Connection = Listener & {
  stream: Readable;
  isReady: boolean;
  isOver: boolean;
  until: number;
  heartbeatAt: number;
};

type Options = {
  updates: LiveUpdateRepository;
  lifecycle: { readonly draining: boolean };
  logger: Logger;
  clock: Clock;
};

/**
 * The open event streams of this process. While there are any, one statement each half second reads what transactions that have
 * committed since the last one tell their users.
 */
export function createEventHub({ updates, lifecycle, logger, clock }: Options) {
  const connections = new Set<Connection>();
  let timer: NodeJS.Timeout | undefined;
  let position: (ReadUntil & { at: number }) | undefined;
  let hasFailed = false;

  function send({ stream }: Connection, text: string): void {
    if (!stream.push(text)) stream.destroy(); // the reader is too slow
  }

  function finish(connection: Connection): void {
    connection.isOver = true;
    connection.stream.push(null);
  }

  function update(connection: Connection, isChanged: ((topic: Topic) => boolean) | undefined, now: number): void {
    const { isReady, topics } = connection;
    // Ends at once if the sign-in is no longer valid; other streams end only after `ready`.
    if (isChanged === undefined) return void finish(connection);
    connection.isReady = true;
    const changed = isReady ? topics.filter(isChanged) : [];
    if (!isReady) send(connection, 'event: ready\ndata: []\n\n');
    else if (changed.length > 0) send(connection, `event: changed\ndata: ${JSON.stringify(changed)}\n\n`);
    else if (now >= connection.heartbeatAt) send(connection, ':\n\n');
    else return;
    connection.heartbeatAt = now + limits.heartbeatMilliseconds;
  }

  function end(isOver: (connection: Connection) => boolean): void {
    for (const connection of connections) if (isOver(connection)) finish(connection);
  }

  async function poll(): Promise<void> {
    if (lifecycle.draining) return end(() => true);
    const listening = [...connections].filter(({ stream, isOver }) => !stream.destroyed && !isOver);
    const { topics, until } = await updates.read(listening, position?.snapshot);
    const now = clock().getTime();
    // After a crash or failover, some updates may be lost; after a long pause, they are deleted.
    const isComplete = position?.run === until?.run && now - (position?.at ?? now) < keptSeconds * 500;
    position = until && { ...until, at: now };
    for (const [index, connection] of listening.entries()) {
      const changed = topics.get(index);
      if (connections.has(connection))
        update(connection, changed && ((topic) => !isComplete || changed.includes(topic)), now);
    }
    end(({ until: latest, isReady }) => isReady && now >= latest);
  }

  function schedule(): void {
    if (timer !== undefined || connections.size === 0) return;
    timer = setTimeout(() => {
      // While the database is unavailable, connections stay open: nothing changes that readers could miss.
      poll()
        .then(
          () => {
            hasFailed = false;
          },
          (error: unknown) => {
            if (!hasFailed) logger.warn({ err: error }, 'reading live updates failed; retrying');
            hasFailed = true;
          },
        )
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
      const connection = { ...listener, stream, isReady: false, isOver: false, until, heartbeatAt: now };
      connections.add(connection);
      stream.once('close', () => connections.delete(connection));
      schedule();
      return stream;
    },
    purge: () => updates.purge(keptSeconds),
  };
}
