import { parseCookie, stringifySetCookie } from 'cookie';
import type { RequestInfo } from '../../http/request.ts';

const name = 'captcha_id';

export type CaptchaCookieOptions = { maxAge: number; corsOrigins: readonly string[] };

/** The `Set-Cookie` header. Browsers send a cookie from other sites only with `SameSite=None`, which requires https. */
export function captchaCookie(
  captchaId: string,
  request: RequestInfo,
  { maxAge, corsOrigins }: CaptchaCookieOptions,
): string {
  const isCrossSite = corsOrigins.includes(request.header('origin') ?? '');
  return stringifySetCookie({
    name,
    value: captchaId,
    maxAge,
    path: '/api/contact',
    httpOnly: true,
    sameSite: isCrossSite ? 'none' : 'lax',
    secure: isCrossSite,
  });
}

export function captchaIdOf(request: RequestInfo): string | undefined {
  return parseCookie(request.header('cookie') ?? '')[name];
}
