import { z } from 'zod';
import { idParams } from '../../../http/fields.ts';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { clientOf, originOf } from '../../../http/request.ts';
import {
  type BrowserSignIns,
  browserSignedIn,
  createOwnCookie,
  keepSignedIn,
  noFields,
} from '../auth/browser/browser-cookie.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import type { UserService } from '../users/user-service.ts';
import { attemptSeconds, type SingleSignOnService } from './single-sign-on-service.ts';

const begun = z.object({
  url: z.string().meta({
    description: 'Where to send the browser.',
    example: 'https://login.example.org/authorize?client_id=studytrack&state=pUq4c1vTn0xgYv3mB7k2dQ',
  }),
});

const finishBody = z.object({
  query: z.string().min(1).max(2000).meta({
    description: 'The query of the address to which the provider has sent the browser back, without the question mark.',
    example: 'code=Vn0xgYv3mB7k2dQ&state=pUq4c1vTn0xgYv3mB7k2dQ',
  }),
  keep_signed_in: keepSignedIn,
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});

type Options = {
  singleSignOn: SingleSignOnService;
  users: UserService;
  browser: BrowserSignIns;
  publicUrl: string | undefined;
  rateLimits: RateLimits;
  floodPerMinute: number;
};

/** Sign-in through an identity provider, for pages of this service. */
export function createSingleSignOnRoutes(options: Options): Operation[] {
  const { singleSignOn, users, browser, publicUrl, rateLimits, floodPerMinute } = options;
  const base = { tag: 'Sign-in', access: 'public', method: 'post', sameOrigin: true } as const;
  const stateCookie = createOwnCookie('studytrack-sso', publicUrl);

  return [
    operation({
      ...base,
      path: '/api/auth/browser/single-sign-on',
      id: 'beginSingleSignOn',
      summary: 'Begin a sign-in through the identity provider',
      description:
        'Returns the address of the OpenID Connect provider and sets a cookie that binds the sign-in to this browser for ten minutes. 404 if no provider is configured, 503 while it cannot be reached. Only for pages of this service.',
      body: noFields,
      data: begun,
      errors: ['RESOURCE_NOT_FOUND'],
      limit: rateLimits('sso', floodPerMinute),
      outside: () => singleSignOn.begin(),
      handler: async ({ request, prepared }) => {
        const { url, state } = prepared;
        await singleSignOn.remember(prepared);
        return { data: { url }, headers: { 'Set-Cookie': stateCookie.store(request, state, attemptSeconds) } };
      },
    }),

    operation({
      ...base,
      path: '/api/auth/browser/single-sign-on/finish',
      id: 'finishSingleSignOn',
      summary: 'Finish a sign-in through the identity provider',
      description:
        'Verifies the response of the provider and signs in to the account that is linked with its subject. An identity is linked once, to the account with its verified e-mail address; without one, an account is created if the settings allow it. A response is accepted once; if OTP_REQUIRED is returned, the request is repeated with `otp`. Only for pages of this service.',
      body: finishBody,
      data: browserSignedIn,
      secrets: ['token'],
      message: 'signed_in',
      errors: ['RESOURCE_NOT_FOUND', 'UNAUTHORIZED', 'OTP_REQUIRED', 'LAST_ADMIN'],
      outside: ({ body, request }) => singleSignOn.identify(body.query, stateCookie.read(request)),
      handler: async ({ body: { keep_signed_in, otp: code }, request, prepared }) => {
        const storage = keep_signed_in ? 'persistent_cookie' : 'session_cookie';
        const from = { client: clientOf(request), origin: originOf(request), storage } as const;
        const issued = await singleSignOn.finish(prepared, code, from);
        await browser.endSignInOf(request, 'finishSingleSignOn');
        const reply = await browser.reply(request, issued);
        return { ...reply, headers: { 'Set-Cookie': [...reply.headers['Set-Cookie'], stateCookie.remove(request)] } };
      },
    }),

    operation({
      tag: 'Users',
      access: 'admin',
      method: 'delete',
      path: '/api/admin/users/:id/identity',
      id: 'unlinkIdentity',
      summary: 'Unlink a user from the identity provider',
      description:
        'For users who have a new identity at the provider: their next sign-in through it is linked by its verified e-mail address again. Sign-ins, groups and the password remain.',
      params: idParams,
      message: 'identity_unlinked',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await users.get(actor, params.id);
        await singleSignOn.unlink(actor, params.id);
        return {};
      },
    }),
  ];
}
