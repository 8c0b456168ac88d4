import { MemoryStore, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { Redis } from '../../lib/redis.ts';

type Options = Parameters<NonNullable<Store['init']>>[0];

/**
 * The counters of one limit, for all processes in Redis. The process counts along, so that without Redis each one goes on
 * with what it has seen itself.
 */
export function createSharedCounters(redis: Redis, limit: string): Store {
  const own = new MemoryStore();
  const prefix = `studytrack:rate:${limit}:`;
  const shared = new RedisStore({ prefix, sendCommand: redis.send });
  let options: Options | undefined;
  let loading: Promise<void> | undefined;

  /** The store keeps the promise of its script: one that failed to load would fail each count from then on. */
  async function increment(key: string) {
    if (options === undefined) throw new Error('not initialized');
    loading ??= shared.init(options);
    const current = loading;
    try {
      await current;
      return await shared.increment(key);
    } catch (error) {
      if (loading === current) loading = undefined;
      throw error;
    }
  }

  return {
    prefix,
    init: (given) => {
      options = given;
      own.init(given);
    },
    increment: async (key) => {
      const { totalHits, resetTime } = await own.increment(key); // the store goes on counting in the object itself
      return (await redis.attempt(() => increment(key))) ?? { totalHits, resetTime };
    },
    // Required by the interface, for options that no limit has.
    decrement: (key) => own.decrement(key),
    resetKey: (key) => own.resetKey(key),
    shutdown: () => own.shutdown(),
  };
}
