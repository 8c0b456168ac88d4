import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Logger } from '../../lib/log/logger.ts';
import { isOwnOrigin } from './own-origin.ts';

/** Headers that a page of another origin may read. */
const exposedHeaders = [
  'Content-Disposition',
  'Date',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** More distinct origins than a front end has: others cannot fill the log. */
const maxWarnings = 100;

type Options = { origins: readonly string[]; publicUrl: string | undefined; logger: Logger };

/** Permits the origins, and logs each other one once, because a browser does not tell its user what is missing. */
export function createCors({ origins, publicUrl, logger }: Options): RequestHandler[] {
  const warned = new Set<string>();
  const warn: RequestHandler = (request, _response, next) => {
    const origin = request.get('origin')?.slice(0, 200);
    if (origin !== undefined && !warned.has(origin) && warned.size < maxWarnings && !origins.includes(origin))
      if (!isOwnOrigin(request, publicUrl)) {
        warned.add(origin);
        logger.warn(`origin ${origin} is not in CORS_ORIGINS`);
      }
    next();
  };
  if (origins.length === 0) return [warn];
  const permit = cors({
    origin: [...origins],
    credentials: true,
    maxAge: 600,
    optionsSuccessStatus: 200,
    exposedHeaders,
  });
  return [warn, permit];
}
