import type { Request } from 'express';

/** Whether a page of this service sent the request. The scheme is not compared: behind a proxy the service does not know it. */
export function isOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.get('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.get('host')?.toLowerCase() || (publicUrl !== undefined && host === new URL(publicUrl).host);
}
