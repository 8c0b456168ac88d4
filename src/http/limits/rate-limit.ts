import type { Request, Response } from 'express';
import { MemoryStore, rateLimit, type Store } from 'express-rate-limit';
import { RateLimitedError } from '../../errors.ts';
import { normaliseAddress } from '../../lib/network/address.ts';
import type { Redis } from '../../lib/redis.ts';
import { createSharedCounters } from './shared-counters.ts';
import type { Cost } from './work-limits.ts';

const keyOf = 'rateLimitKey';

/** Counts a request against a limit, of the address or of the given key; throws RateLimitedError. */
export type RateLimit = (request: Request, response: Response, key?: string) => Promise<void>;

export const userKey = (userId: number) => `user ${userId}`;

function keyGenerator(request: Request, response: Response): string {
  return response.locals[keyOf] ?? normaliseAddress(request.ip ?? '');
}

/** Limits a minute, by name: exact over all processes that share a Redis, otherwise counted by each process. */
export type RateLimits = (name: string, perMinute: number) => RateLimit;

export function createRateLimits(redis?: Redis): RateLimits {
  return (name, perMinute) =>
    createRateLimit(perMinute, redis === undefined ? new MemoryStore() : createSharedCounters(redis, name));
}

/** Requests a minute for each key. 0: no limit. */
function createRateLimit(perMinute: number, store: Store): RateLimit {
  if (perMinute === 0) return async () => undefined;
  const middleware = rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // A forwarding header from a client that no proxy vouches for is no mistake of ours to print a warning about.
    // The library looks for its own helper in the text of the key generator; ours calls it through `normaliseAddress`.
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

/** The two general limits, a wider one for files that a page loads by the dozen, and narrow ones for kinds of costly work. */
export type GeneralLimits = Record<'address' | 'user' | 'files', RateLimit> & {
  costs: Partial<Record<Cost, RateLimit>>;
};

/** Pictures and pages come without a token, and a class behind one address shares its limit. */
const filesFactor = 5;
/** With the default limit 60 pictures and 30 imports a minute. */
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
