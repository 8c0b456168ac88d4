import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { RequestInfo } from '../../../http/request.ts';

const example = 'q5Zr8wT1kVx0bN3cJ7hM2g';

export const captcha = z.object({
  captcha_id: z.string().meta({ example }),
  image: z.string().meta({ description: 'The picture as a data URL.', example: 'data:image/png;base64,iVBORw0KGgo=' }),
  expires_in: z.int().meta({ description: 'Seconds.', example: 300 }),
  answer: z.string().optional().meta({ description: 'Only with `CAPTCHA_MODE=reveal`.' }),
});

export const captchaFields = {
  captcha: z
    .string()
    .max(16, { abort: true })
    .overwrite((value) => value.normalize('NFKC').trim()) // input methods may produce full-width characters
    .regex(/^[A-Za-z0-9]{4}$/, { error: 'captcha_format' })
    .meta({ description: 'The characters in the picture, in upper or lower case.', example: 'K7PW' }),
  captcha_id: z.string().max(64).optional().meta({
    description: 'The id of the captcha; required if the cookie is not sent.',
    example,
  }),
};

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
