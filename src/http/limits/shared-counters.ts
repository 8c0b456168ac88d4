import { MemoryStore, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { Redis } from '../../lib/redis.ts';

type Options = Parameters<NonNullable<Store['init']>>[0];

/** The counters of one limit in Redis. Each process also counts its own requests, as a fallback when Redis is unavailable. */
export function createSharedCounters(redis: Redis, limit: string): Store {
  const own = new MemoryStore();
  const prefix = `studytrack:rate:${limit}:`;
  const shared = new RedisStore({ prefix, sendCommand: redis.send });
  let options: Options | undefined;
  let loading: Promise<void> | undefined;

  /** The store caches the promise of its script, so a failed load must be repeated. */
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
      const { totalHits, resetTime } = await own.increment(key); // the store mutates the object later
      return (await redis.attempt(() => increment(key))) ?? { totalHits, resetTime };
    },
    decrement: (key) => own.decrement(key),
    resetKey: (key) => own.resetKey(key),
    shutdown: () => own.shutdown(),
  };
}
