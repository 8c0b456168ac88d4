import { PermissionDeniedError } from '../../errors.ts';
import type { RequestInfo } from '../request.ts';

/**
 * Throws PermissionDeniedError unless a page of this service sent the request as JSON. Pages cannot forge `Sec-Fetch-Site`; browsers
 * do not send it over plain http, where `Origin` is compared instead.
 */
export function assertSameOrigin(request: RequestInfo, publicUrl: string | undefined): void {
  const site = request.header('sec-fetch-site');
  const isOurs = site === undefined ? isOwnOrigin(request, publicUrl) : site === 'same-origin';
  const isJson = /^application\/json\s*(;|$)/i.test(request.header('content-type') ?? '');
  if (!isOurs || !isJson) throw new PermissionDeniedError('own_pages_only');
}

/** The scheme is not compared: behind a proxy the service does not know it. */
function isOwnOrigin(request: RequestInfo, publicUrl: string | undefined): boolean {
  const origin = request.header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return (
    host === request.header('host')?.toLowerCase() || (publicUrl !== undefined && host === new URL(publicUrl).host)
  );
}
