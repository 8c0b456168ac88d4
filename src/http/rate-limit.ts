import type { Request, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RateLimitedError } from '../errors.ts';
import type { Actor } from '../features/auth/identity.ts';

const callerKey = 'caller';

/** Counts a request against a limit; throws RateLimitedError. */
export type RateLimit = (request: Request, response: Response, actor: Actor | undefined) => Promise<void>;

/**
 * So many requests a minute for each user, or each address while nobody is signed in. Kept in the memory of each
 * process: it is a shield, not an exact rule. 0 switches it off.
 */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return async () => undefined;
  const middleware = rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // A forwarding header from a client that no proxy vouches for is no mistake of ours to print a warning about.
    validate: { xForwardedForHeader: false },
    keyGenerator: (request, response) => response.locals[callerKey] ?? ipKeyGenerator(request.ip ?? ''),
    handler: (_request, response, next) => next(new RateLimitedError(Number(response.getHeader('Retry-After') ?? 60))),
  });

  return (request, response, actor) => {
    if (actor !== undefined) response.locals[callerKey] = `user ${actor.id}`;
    return new Promise((resolve, reject) => {
      void middleware(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  };
}
