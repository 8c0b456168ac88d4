import { parseCookie, stringifySetCookie } from 'cookie';
import type { RequestInfo } from '../../http/request.ts';

/** The cookie with the refresh token. Over https, its `__Host-` prefix makes browsers accept it from this host only. */
export function createRefreshCookie(publicUrl: string | undefined) {
  // By the origin of the page: behind a proxy, the connection does not show whether the browser uses https.
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
