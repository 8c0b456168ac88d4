import { parseCookie, stringifySetCookie } from 'cookie';
import type { RequestInfo } from '../../http/request/request.ts';

/** Holds a browser's refresh token. With `__Host-`, for https, browsers take it from this host alone. */
export function createRefreshCookie(publicUrl: string | undefined) {
  // The page's own address says how the browser reaches the service: behind a proxy the connection does not.
  const isSecure = (request: RequestInfo) => (request.header('origin') ?? publicUrl ?? '').startsWith('https:');
  const nameFor = (secure: boolean) => (secure ? '__Host-studytrack' : 'studytrack');

  function set(request: RequestInfo, value: string, maxAge: number | undefined): Record<string, string> {
    const secure = isSecure(request);
    const cookie = stringifySetCookie({
      name: nameFor(secure),
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
      ...(maxAge !== undefined && { maxAge }),
    });
    return { 'Set-Cookie': cookie };
  }

  return {
    read: (request: RequestInfo): string | undefined =>
      parseCookie(request.header('cookie') ?? '')[nameFor(isSecure(request))],
    store: (request: RequestInfo, token: string, seconds?: number) => set(request, token, seconds),
    remove: (request: RequestInfo) => set(request, '', 0),
  };
}
