import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { Clock } from '../../lib/clock.ts';

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
