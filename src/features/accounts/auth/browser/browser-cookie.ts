import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { originOf, type RequestInfo } from '../../../../http/request.ts';
import type { Clock } from '../../../../lib/clock.ts';
import type { IssuedTokens, SignInService } from '../../sign-ins/sign-in-service.ts';
import { account, toAccountResponse } from '../../users/account-responses.ts';
import type { UserService } from '../../users/user-service.ts';
import { tokenPair } from '../auth-routes.ts';

export const browserSignedIn = tokenPair
  .omit({ refresh_token: true })
  .extend({ user: account })
  .meta({ id: 'BrowserSignIn' });

export const noFields = z.object({}).meta({ description: 'An empty object.', example: {} });

export const keepSignedIn = z.boolean().default(false).meta({
  description: 'Whether the cookie outlives the browser: up to 30 days from the last refresh.',
  example: true,
});

/** A cookie that only this service reads. Over https, its `__Host-` prefix makes browsers accept it from this host only. */
export function createOwnCookie(name: string, publicUrl: string | undefined) {
  // By the origin of the page: behind a proxy, the connection does not show whether the browser uses https.
  const isSecure = (request: RequestInfo) => (request.header('origin') ?? publicUrl ?? '').startsWith('https:');
  const nameFor = (secure: boolean) => (secure ? `__Host-${name}` : name);

  function set(request: RequestInfo, value: string, maxAge: number | undefined): string {
    const secure = isSecure(request);
    return stringifySetCookie({
      name: nameFor(secure),
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  return {
    read: (request: RequestInfo): string | undefined =>
      parseCookie(request.header('cookie') ?? '')[nameFor(isSecure(request))],
    store: (request: RequestInfo, value: string, seconds?: number) => set(request, value, seconds),
    remove: (request: RequestInfo) => set(request, '', 0),
  };
}

type Options = { signIns: SignInService; users: UserService; publicUrl: string | undefined; clock: Clock };
export type BrowserSignIns = ReturnType<typeof createBrowserSignIns>;

/** The cookie with the refresh token, and the responses that set it. */
export function createBrowserSignIns({ signIns, users, publicUrl, clock }: Options) {
  const cookie = createOwnCookie('studytrack', publicUrl);

  return {
    cookie,

    async reply(request: RequestInfo, { pair, sign_in }: IssuedTokens) {
      const { refresh_token, ...shown } = pair;
      const data: z.input<typeof browserSignedIn> = {
        ...shown,
        user: toAccountResponse(await users.getOwn(sign_in.user_id)),
      };
      const secondsLeft = Math.floor((Date.parse(sign_in.expires_at) - clock().getTime()) / 1000);
      const seconds = sign_in.token_storage === 'persistent_cookie' ? secondsLeft : undefined;
      return { data, headers: { 'Set-Cookie': [cookie.store(request, refresh_token, seconds)] } };
    },

    async endSignInOf(request: RequestInfo, action: string): Promise<void> {
      const token = cookie.read(request);
      if (token !== undefined) await signIns.endByToken(token, action, originOf(request));
    },
  };
}
