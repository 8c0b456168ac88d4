import type { Logger } from './log/logger.ts';

export type Redis = ReturnType<typeof createRedis>;

// Milliseconds. After a failed command, none is sent until the retry delay has passed.
const commandTimeout = 1_000;
const retryDelay = 2_000;

type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand<Reply>(args: readonly string[]): Promise<Reply>;
  destroy(): void;
};

/** A connection to a Redis that may be unavailable at any time. Callers continue without it. */
export function createRedis({ url, logger }: { url: string; logger: Logger }) {
  let client: Client | undefined;
  let isUp = true;
  let pausedUntil = 0;

  function markDown(error: unknown): void {
    if (isUp) logger.warn({ err: error }, 'redis unavailable; rate limits are counted per process');
    isUp = false;
  }

  return {
    /** Resolves when it is connected or the first attempt has failed; the client retries. */
    async open(): Promise<void> {
      const { createClient } = await import('redis'); // most installations do not use it
      const connecting = createClient({
        url,
        disableOfflineQueue: true, // otherwise commands, and requests, wait for the next connection
        commandsQueueMaxLength: 10_000,
        pingInterval: 2_000, // with socketTimeout: detects dead connections
        socket: {
          connectTimeout: 2_000,
          socketTimeout: 5_000,
          reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000),
        },
      });
      client = connecting;
      const failed = new Promise<void>((resolve) => {
        connecting.on('error', (error: unknown) => {
          markDown(error);
          resolve();
        });
      });
      await Promise.race([connecting.connect().catch(markDown), failed]);
    },

    async send<Reply>(...args: string[]): Promise<Reply> {
      if (client?.isReady !== true) throw new Error('no connection to redis');
      return client.sendCommand<Reply>(args);
    },

    /** Returns undefined when Redis is unavailable or does not respond in time. */
    async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
      if (client?.isReady !== true || performance.now() < pausedUntil) return undefined;
      try {
        const result = await withTimeout(work());
        if (!isUp) logger.info('redis available again');
        isUp = true;
        return result;
      } catch (error) {
        pausedUntil = performance.now() + retryDelay;
        markDown(error);
        return undefined;
      }
    },

    async close(): Promise<void> {
      if (client?.isOpen === true) client.destroy();
    },
  };
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('redis did not respond in time')), commandTimeout);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
