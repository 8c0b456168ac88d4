import type { Logger } from './log/logger.ts';

export type Redis = ReturnType<typeof createRedis>;

/** Milliseconds that one command may take: a request waits no longer for a Redis that is silent. */
const patience = 1_000;
/** Milliseconds without a further command after one that failed. */
const pause = 2_000;

type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand<Reply>(words: readonly string[]): Promise<Reply>;
  destroy(): void;
};

/** A connection to a Redis that may be away at any time. Callers go on without it. */
export function createRedis({ url, logger }: { url: string; logger: Logger }) {
  let client: Client | undefined;
  let isUp = true;
  let pausedUntil = 0;

  function lost(error: unknown): void {
    if (isUp) logger.warn({ err: error }, 'redis unavailable; rate limits are counted per process');
    isUp = false;
  }

  return {
    /** Returns when it is connected, or the first try has failed; later ones follow by themselves. */
    async open(): Promise<void> {
      const { createClient } = await import('redis'); // most installations have no use for it
      const connecting = createClient({
        url,
        disableOfflineQueue: true, // else commands wait for the next connection, and requests with them
        commandsQueueMaxLength: 10_000,
        pingInterval: 2_000, // with the timeout of the socket: cuts a connection that swallows everything
        socket: {
          connectTimeout: 2_000,
          socketTimeout: 5_000,
          reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000),
        },
      });
      client = connecting;
      const failed = new Promise<void>((resolve) => {
        // Without a listener an error ends the process.
        connecting.on('error', (error: unknown) => {
          lost(error);
          resolve();
        });
      });
      await Promise.race([connecting.connect().catch(lost), failed]);
    },

    /** One command, by its words. Throws while there is no connection. */
    async send<Reply>(...words: string[]): Promise<Reply> {
      if (client?.isReady !== true) throw new Error('no connection to redis');
      return client.sendCommand<Reply>(words);
    },

    /** What `work` returns; undefined when Redis is away, or fails to respond in time. */
    async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
      if (client?.isReady !== true || performance.now() < pausedUntil) return undefined;
      try {
        const result = await inTime(work());
        if (!isUp) logger.info('redis available again');
        isUp = true;
        return result;
      } catch (error) {
        pausedUntil = performance.now() + pause;
        lost(error);
        return undefined;
      }
    },

    async close(): Promise<void> {
      if (client?.isOpen === true) client.destroy();
    },
  };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response from redis in time')), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
