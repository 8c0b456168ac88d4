import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { UnauthorizedError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { clientOf, originOf, type RequestInfo } from '../../http/request.ts';
import type { Clock } from '../../lib/clock.ts';
import { credentials, tokenPair, withName } from '../auth/auth-schemas.ts';
import type { AuthService } from '../auth/auth-service.ts';
import { account } from '../own-account/own-account-schemas.ts';
import type { IssuedTokens, SignInService } from '../sign-ins/sign-in-service.ts';
import { toAccountResponse } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';

const browserSignInBody = credentials
  .extend({
    keep_signed_in: z.boolean().default(false).meta({
      description: 'Whether the cookie outlives the browser: up to 30 days from the last refresh.',
      example: true,
    }),
  })
  .transform(withName);

const browserSignedIn = tokenPair.omit({ refresh_token: true }).extend({ user: account });

const noFields = z.object({}).meta({ description: 'An empty object.', example: {} });

/** The cookie with the refresh token. Over https, its `__Host-` prefix makes browsers accept it from this host only. */
function createRefreshCookie(publicUrl: string | undefined) {
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

type Options = {
  auth: AuthService;
  signIns: SignInService;
  users: UserService;
  publicUrl: string | undefined;
  clock: Clock;
};

const ownPages = 'Only for pages of this service: a request that is not same-origin JSON is rejected with 403.';

/** Sign-in for pages of this service: the refresh token is in an HttpOnly cookie, never in a body. */
export function createBrowserSignInRoutes({ auth, signIns, users, publicUrl, clock }: Options): Operation[] {
  const base = { tag: 'Sign-in', access: 'public', method: 'post', sameOrigin: true } as const;
  const cookie = createRefreshCookie(publicUrl);

  async function reply(request: RequestInfo, { pair, sign_in }: IssuedTokens) {
    const { refresh_token, ...shown } = pair;
    const data: z.input<typeof browserSignedIn> = {
      ...shown,
      user: toAccountResponse(await users.getOwn(sign_in.user_id)),
    };
    const secondsLeft = Math.floor((Date.parse(sign_in.expires_at) - clock().getTime()) / 1000);
    const seconds = sign_in.token_storage === 'persistent_cookie' ? secondsLeft : undefined;
    return { data, headers: cookie.store(request, refresh_token, seconds) };
  }

  async function endSignInOf(request: RequestInfo, action: string): Promise<void> {
    const token = cookie.read(request);
    if (token !== undefined) await signIns.endByToken(token, action, originOf(request));
  }

  return [
    operation({
      ...base,
      path: '/api/auth/browser/sign-in',
      id: 'browserSignIn',
      summary: 'Sign in on a page of this service',
      description: `Like \`POST /api/auth/login\`, but stores the refresh token in an HttpOnly cookie. Ends the sign-in whose cookie it replaces. ${ownPages}`,
      body: browserSignInBody,
      data: browserSignedIn,
      secrets: ['token'],
      message: 'signed_in',
      errors: ['UNAUTHORIZED', 'OTP_REQUIRED'],
      handler: async ({ body: { keep_signed_in, ...login }, request }) => {
        const token_storage = keep_signed_in ? 'persistent_cookie' : 'session_cookie';
        const issued = await auth.login(login, clientOf(request), originOf(request), token_storage);
        await endSignInOf(request, 'browserSignIn');
        return reply(request, issued);
      },
    }),

    operation({
      ...base,
      path: '/api/auth/browser/refresh',
      id: 'browserRefresh',
      summary: 'Get a new access token with the cookie',
      description: `Replaces the cookie. For 24 hours, a used cookie returns its successor again, unless that has been used: the response may have been lost. ${ownPages}`,
      body: noFields,
      data: browserSignedIn,
      secrets: ['token'],
      message: 'token_refreshed',
      errors: ['UNAUTHORIZED'],
      handler: async ({ request }) => {
        const token = cookie.read(request);
        if (token === undefined) throw new UnauthorizedError('unauthorized');
        return reply(request, await signIns.refresh(token, clientOf(request), 'cookie'));
      },
    }),

    operation({
      ...base,
      path: '/api/auth/browser/sign-out',
      id: 'browserSignOut',
      summary: 'Sign out on a page of this service',
      description: `Ends the sign-in of the cookie and removes the cookie; without a cookie, nothing changes. ${ownPages}`,
      body: noFields,
      message: 'signed_out',
      handler: async ({ request }) => {
        await endSignInOf(request, 'browserSignOut');
        return { headers: cookie.remove(request) };
      },
    }),
  ];
}
