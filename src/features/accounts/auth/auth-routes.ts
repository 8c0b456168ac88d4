import { z } from 'zod';
import { text, unlessInvalid } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { clientOf, originOf } from '../../../http/request.ts';
import { password } from '../passwords/password-schemas.ts';
import { otp } from '../second-factor/second-factor-schemas.ts';
import type { IssuedTokens, SignInService } from '../sign-ins/sign-in-service.ts';
import { account, toAccountResponse } from '../users/account-responses.ts';
import type { UserService } from '../users/user-service.ts';
import type { AuthService } from './auth-service.ts';

export const credentials = z.object({
  username: text({ min: 1, max: 254 })
    .optional()
    .meta({ description: 'Username or e-mail address.', example: 'admin' }),
  email: text({ min: 1, max: 254 }).optional().meta({ description: 'Instead of the username.' }),
  password: password({ min: 1 }),
  otp: otp.exactOptional().meta({ description: 'For accounts with a second factor: the code, or a recovery code.' }),
});

type Named = { username?: string | undefined; email?: string | undefined };

const hasName = {
  path: ['username'],
  error: 'required',
  ...unlessInvalid('username', 'email'),
};

/** `username` and `email` are two fields for the same name. */
export function withName<T extends Named>(schema: z.ZodType<T>) {
  return schema
    .refine(({ username, email: address }) => (username ?? address) !== undefined, hasName)
    .transform(({ username, email: address, ...rest }) => ({ ...rest, name: username ?? address ?? z.NEVER }));
}

const loginBody = withName(credentials);

const refreshTokenExample = 'pUq4c1vTn0xgYv3mB7k2dQ';

export const tokenPair = z.object({
  token: z.string().meta({
    description: 'For the Authorization header: `Bearer <token>`.',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl',
  }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds until the token expires.', example: 900 }),
  refresh_token: z.string().meta({
    description: 'For the next pair of tokens; can be used once, within 30 days.',
    example: refreshTokenExample,
  }),
});

const signedIn = tokenPair.extend({ user: account }).meta({ id: 'SignedIn' });

const refreshBody = z.object({
  refresh_token: z.string().min(1).max(256).meta({ example: refreshTokenExample }),
});

type Options = { auth: AuthService; signIns: SignInService; users: UserService };

export function createAuthRoutes({ auth, signIns, users }: Options): Operation[] {
  const base = { tag: 'Sign-in' } as const;

  async function withUser({ pair, sign_in }: IssuedTokens) {
    return { data: { ...pair, user: toAccountResponse(await users.getOwn(sign_in.user_id)) } };
  }

  return [
    operation({
      ...base,
      method: 'post',
      path: '/api/auth/login',
      id: 'login',
      summary: 'Sign in',
      description:
        'Takes the username or the e-mail address. For an account with a second factor, the correct password without `otp` is rejected with OTP_REQUIRED. After ten failures for one account or thirty from one address within 15 minutes, requests are rejected with 429; from an address that the account signed in from within the last 30 days, the correct password is still accepted until ten failures there. 403 if the settings allow the identity provider only.',
      access: 'public',
      cost: 'sign_in',
      body: loginBody,
      data: signedIn,
      secrets: ['token', 'refresh_token'],
      message: 'signed_in',
      errors: ['UNAUTHORIZED', 'OTP_REQUIRED', 'PERMISSION_DENIED'],
      handler: async ({ body, request }) => withUser(await auth.login(body, clientOf(request), originOf(request))),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/refresh',
      id: 'refreshToken',
      summary: 'Exchange a refresh token for a new pair of tokens',
      description:
        'A refresh token can be used once. For 30 seconds, a used token returns the same successor again, unless that was used already; after that, it ends the sign-in.',
      access: 'public',
      body: refreshBody,
      data: signedIn,
      secrets: ['token', 'refresh_token'],
      message: 'token_refreshed',
      errors: ['UNAUTHORIZED'],
      handler: async ({ body, request }) =>
        withUser(await signIns.refresh(body.refresh_token, clientOf(request), 'client')),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/logout',
      id: 'logout',
      summary: 'End this sign-in',
      description: 'Its tokens become invalid in all processes; other sign-ins are not affected.',
      access: 'user',
      allowedBeforePasswordChange: true,
      message: 'signed_out',
      handler: async ({ actor }) => {
        await signIns.end(actor, actor.sign_in_id);
        return {};
      },
    }),
  ];
}
