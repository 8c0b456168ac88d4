import type { Request, Response } from 'express';
import { MemoryStore, rateLimit, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { normaliseAddress } from '../lib/network/address.ts';
import type { Redis } from '../lib/redis.ts';
import { RateLimitedError } from '../texts/errors.ts';
import type { Cost } from './work-limits.ts';

const keyOf = 'rateLimitKey';

export type RateLimit = (request: Request, response: Response, key?: string) => Promise<void>;

function keyGenerator(request: Request, response: Response): string {
  return response.locals[keyOf] ?? normaliseAddress(request.ip ?? '');
}

/** Creates named limits: counted over all processes that share a Redis, otherwise per process. */
export type RateLimits = (name: string, perMinute: number) => RateLimit;

export function createRateLimits(redis?: Redis): RateLimits {
  return (name, perMinute) =>
    createRateLimit(perMinute, redis === undefined ? new MemoryStore() : createSharedCounters(redis, name));
}

/** Requests per minute and key; 0 = no limit. */
function createRateLimit(perMinute: number, store: Store): RateLimit {
  if (perMinute === 0) return async () => undefined;
  const middleware = rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // The library would warn about forwarding headers from clients without a trusted proxy, and searches the source of the key
    // generator for its own helper, which `normaliseAddress` calls.
    validate: { xForwardedForHeader: false, keyGeneratorIpFallback: false },
    keyGenerator,
    store,
    handler: (_request, response, next) => next(new RateLimitedError(Number(response.getHeader('Retry-After') ?? 60))),
  });

  return (request, response, key) => {
    if (key !== undefined) response.locals[keyOf] = key;
    return new Promise((resolve, reject) => {
      void middleware(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  };
}

/** `address` and `user` apply to all operations, `files` to pages and images, `costs` to expensive operations. */
export type GeneralLimits = Record<'address' | 'user' | 'files', RateLimit> & {
  costs: Partial<Record<Cost, RateLimit>>;
};

/** Pages load many images, and a class behind one address shares the limit. */
const filesFactor = 5;
const share = { picture: 1 / 20, import: 1 / 40 };

export function createGeneralLimits(limit: RateLimits, perMinute: number): GeneralLimits {
  return {
    address: limit('address', perMinute),
    user: limit('user', perMinute),
    files: limit('files', perMinute * filesFactor),
    costs: {
      picture: limit('picture', Math.ceil(perMinute * share.picture)),
      import: limit('import', Math.ceil(perMinute * share.import)),
    },
  };
}

type CounterOptions = Parameters<NonNullable<Store['init']>>[0];

/** The counters of one limit in Redis. Each process also counts its own requests, as a fallback when Redis is unavailable. */
function createSharedCounters(redis: Redis, limit: string): Store {
  const own = new MemoryStore();
  const prefix = `studytrack:rate:${limit}:`;
  const shared = new RedisStore({ prefix, sendCommand: redis.send });
  let options: CounterOptions | undefined;
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
