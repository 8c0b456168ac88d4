import type { RequestHandler } from 'express';
import helmet from 'helmet';

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
