import { type Operation, operation } from '../../../../http/operation.ts';
import { clientOf, originOf } from '../../../../http/request.ts';
import { UnauthorizedError } from '../../../../texts/access-errors.ts';
import type { SignInService } from '../../sign-ins/sign-in-service.ts';
import { credentials, withName } from '../auth-routes.ts';
import type { AuthService } from '../auth-service.ts';
import { type BrowserSignIns, browserSignedIn, keepSignedIn, noFields } from './browser-cookie.ts';

const browserSignInBody = withName(credentials.extend({ keep_signed_in: keepSignedIn }));

type Options = { auth: AuthService; signIns: SignInService; browser: BrowserSignIns };

const ownPages = 'Only for pages of this service: a request that is not same-origin JSON is rejected with 403.';

/** Sign-in for pages of this service: the refresh token is in an HttpOnly cookie, never in a body. */
export function createBrowserSignInRoutes({ auth, signIns, browser }: Options): Operation[] {
  const base = { tag: 'Sign-in', access: 'public', method: 'post', sameOrigin: true } as const;
  const { cookie, reply } = browser;

  return [
    operation({
      ...base,
      path: '/api/auth/browser/sign-in',
      id: 'browserSignIn',
      summary: 'Sign in on a page of this service',
      description: `Like \`POST /api/auth/login\`, but stores the refresh token in an HttpOnly cookie. Ends the sign-in whose cookie it replaces. ${ownPages}`,
      cost: 'sign_in',
      body: browserSignInBody,
      data: browserSignedIn,
      secrets: ['token'],
      message: 'signed_in',
      errors: ['UNAUTHORIZED', 'OTP_REQUIRED'],
      handler: async ({ body: { keep_signed_in, ...login }, request }) => {
        const token_storage = keep_signed_in ? 'persistent_cookie' : 'session_cookie';
        const issued = await auth.login(login, clientOf(request), originOf(request), token_storage);
        await browser.endSignInOf(request, 'browserSignIn');
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
        await browser.endSignInOf(request, 'browserSignOut');
        return { headers: { 'Set-Cookie': cookie.remove(request) } };
      },
    }),
  ];
}
