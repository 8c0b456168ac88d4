import cors from 'cors';
import express, { type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';

const securityTxt = '/.well-known/security.txt';
const validDays = 180; // RFC 9116 recommends less than a year

export type WellKnownOptions = { securityContact: string | undefined; publicUrl: string | undefined; clock: Clock };

/** For password managers, and security.txt (RFC 9116), generated for each request, so that it does not expire. */
export function createWellKnown({ securityContact, publicUrl, clock }: WellKnownOptions): Router {
  const router = express.Router();
  router.get('/.well-known/change-password', (_request, response) => response.redirect('/me'));
  if (securityContact === undefined) return router;
  const canonical = publicUrl?.startsWith('https:') ? [`Canonical: ${new URL(securityTxt, publicUrl).href}`] : [];
  router.get(securityTxt, (_request, response) => {
    const expires = new Date(clock().getTime() + validDays * 86_400_000);
    const fields = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en, zh',
      ...canonical,
    ];
    response
      .set('Cache-Control', 'max-age=86400')
      .type('text/plain')
      .send(`${fields.join('\n')}\n`);
  });
  return router;
}

/** For every response; pages and images replace the policy. Headers that concern old browsers only are left out. */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
  xFrameOptions: { action: 'deny' },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

export function contentPolicy(directives: Readonly<Record<string, readonly string[]>>): RequestHandler {
  return helmet.contentSecurityPolicy({ useDefaults: false, directives });
}

/** Whether a page of this service sent the request. The scheme is not compared: behind a proxy the service does not know it. */
export function isOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.get('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.get('host')?.toLowerCase() || (publicUrl !== undefined && host === new URL(publicUrl).host);
}

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
