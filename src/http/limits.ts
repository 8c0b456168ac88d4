import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, rateLimit, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { RateLimitedError } from '../errors.ts';
import { createFairQueue, type FairQueue, type FairQueueOptions, type Release } from '../lib/fair-queue.ts';
import { normaliseAddress } from '../lib/network/address.ts';
import type { Redis } from '../lib/redis.ts';
import type { Operation } from './operation.ts';

const keyOf = 'rateLimitKey';

export type RateLimit = (request: Request, response: Response, key?: string) => Promise<void>;

export const userKey = (userId: number) => `user ${userId}`;

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

const unlimited = Number.POSITIVE_INFINITY;

/** Limits of a caller's concurrent work: `connections`, `shared` or `outside` for every operation, the others for those with that `cost`. */
const limits = {
  // An operation uses one connection at a time: no caller gets more of the pool, or of the queue before it.
  connections: { slots: unlimited, perCaller: 3, waitingPerCaller: 500, waitSeconds: 10 },
  // Cached responses and batched reads use no connection of their own.
  shared: { slots: unlimited, perCaller: 8, waitingPerCaller: 500, waitSeconds: 10 },
  // Waits for another service, such as the identity provider, with neither a connection nor a slot for one. A caller may be a whole
  // school behind one address.
  outside: { slots: unlimited, perCaller: 50, waitingPerCaller: 100, waitSeconds: 10 },
  // One of a caller at once, so that no few callers hold all of them.
  statistics: { slots: 4, perCaller: 1, waitingPerCaller: 50, waitSeconds: 10 },
  // `slots` is large, because a slot is held while a slow client uploads: users must not wait for each other.
  picture: { slots: 500, perCaller: 1, waitingPerCaller: 10, waitSeconds: 30 },
  // A second import is rejected immediately: it would wait longer than clients do.
  import: { slots: 500, perCaller: 1, waitingPerCaller: 0, waitSeconds: 30 },
  accounts: { slots: 500, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 },
} as const satisfies Record<string, FairQueueOptions>;

type Limit = keyof typeof limits;
export type Cost = Exclude<Limit, 'connections' | 'shared' | 'outside'>;
export type WorkLimits = ReturnType<typeof createWorkLimits>;

export function createWorkLimits() {
  const queues = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, createFairQueue(options)]),
  ) as Record<Limit, FairQueue>; // the names are those of the limits

  return {
    /** Takes a free slot in each limit, and returns how to release them, once or repeatedly; undefined if one has to wait. */
    tryEnter(caller: string, names: readonly Limit[]): Release | undefined {
      const releases: Release[] = [];
      for (const name of names) {
        const release = queues[name].tryAcquire(caller);
        if (release === undefined) {
          releaseAll(releases);
          return undefined;
        }
        releases.push(release);
      }
      return () => releaseAll(releases);
    },
    /** The same, but waits for the slots, in this order. Throws RateLimitedError or UnavailableError. */
    async enter(caller: string, names: readonly Limit[], signal: () => AbortSignal): Promise<Release> {
      const releases: Release[] = [];
      try {
        for (const name of names) releases.push(await queues[name].acquire(caller, signal));
      } catch (error) {
        releaseAll(releases);
        throw error;
      }
      return () => releaseAll(releases);
    },
    /** For a cached response that has to be read, or after the wait for another service. */
    withConnection: <T>(request: Request, work: () => Promise<T>): Promise<T> =>
      queues.connections.run(callerOf(request), work, request.info.closed),
    load: (name: Limit) => queues[name].load(),
  };
}

function releaseAll(releases: Release[]): void {
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) release();
}

function callerOf({ subject, info }: Request): string {
  return subject === undefined ? `address ${normaliseAddress(info.address)}` : userKey(subject.user_id);
}

/** Waits until the caller may do this work; the slot is released when the response is sent or its stream begins. */
export function createSlotStep(work: WorkLimits) {
  return ({ unlimited: isUnlimited, isCached, batched, waitsOutside, cost }: Operation): RequestHandler => {
    // Health checks do not wait for other requests from the same address.
    if (isUnlimited === true) return (_request, _response, next) => next();
    const pool = waitsOutside ? 'outside' : isCached || batched === true ? 'shared' : 'connections';
    // Expensive work must not hold a connection while it waits.
    const names: readonly Limit[] = cost === undefined ? [pool] : [cost, pool];
    return (request, response, next) => {
      const hold = (release: Release) => {
        // The client may have disconnected before, while it sent the body: then no event would release the slot.
        if (response.destroyed) return release();
        response.once('close', release);
        request.releaseSlot = release;
        next();
      };
      const caller = callerOf(request);
      // Most do not wait, and a promise for each costs a tenth of a cached response.
      const free = work.tryEnter(caller, names);
      return free === undefined ? work.enter(caller, names, request.info.closed).then(hold) : hold(free);
    };
  };
}
