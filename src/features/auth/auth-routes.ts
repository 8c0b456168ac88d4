import { type Operation, operation } from '../../http/operation.ts';
import { user } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';
import { changePasswordBody, loginBody, refreshBody, signedIn, updateMeBody } from './auth-schemas.ts';
import type { AuthService } from './auth-service.ts';
import type { SignInService, TokenPair } from './sign-in-service.ts';

export type AuthRoutesOptions = { auth: AuthService; signIns: SignInService; users: UserService };

export function createAuthRoutes({ auth, signIns, users }: AuthRoutesOptions): Operation[] {
  const base = { tag: 'Sign-in' } as const;

  async function withUser({ user_id, ...pair }: TokenPair & { user_id: number }) {
    return { data: { ...pair, user: await users.getOwn({ id: user_id }) } };
  }

  return [
    operation({
      ...base,
      method: 'post',
      path: '/api/auth/login',
      id: 'login',
      summary: 'Sign in',
      description:
        'With the username or the e-mail address. After ten failures for one account or thirty from one address within 15 minutes it answers 429.',
      access: 'public',
      body: loginBody,
      data: signedIn,
      message: 'signed_in',
      errors: ['UNAUTHORIZED'],
      handler: async ({ body, request }) => withUser(await auth.login(body.name, body.password, request.address)),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/refresh',
      id: 'refreshToken',
      summary: 'Exchange a refresh token for a new pair of tokens',
      description:
        'Each is used once. The used one is answered with the same successor for 30 seconds; later it ends the sign-in.',
      access: 'public',
      body: refreshBody,
      data: signedIn,
      message: 'token_refreshed',
      errors: ['UNAUTHORIZED'],
      handler: async ({ body }) => withUser(await signIns.refresh(body.refresh_token)),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/logout',
      id: 'logout',
      summary: 'End this sign-in',
      description: 'Its tokens hold no longer, in any process; other sign-ins go on.',
      access: 'user',
      message: 'signed_out',
      handler: async ({ actor }) => {
        await signIns.end(actor.sign_in_id);
        return {};
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/auth/me',
      id: 'getMe',
      summary: 'Read your account',
      description: 'Who the token stands for, with role and time zone.',
      access: 'user',
      data: user,
      handler: async ({ actor }) => ({ data: await users.getOwn(actor) }),
    }),

    operation({
      ...base,
      method: 'put',
      path: '/api/auth/me',
      id: 'updateMe',
      summary: 'Update your account',
      description: 'Every field is optional.',
      access: 'user',
      body: updateMeBody,
      data: user,
      message: 'account_updated',
      handler: async ({ actor, body }) => ({ data: await users.updateOwn(actor, body) }),
    }),

    operation({
      ...base,
      method: 'put',
      path: '/api/auth/password',
      id: 'changePassword',
      summary: 'Change your password',
      description: 'Ends all your other sign-ins. A wrong present password counts like a failed sign-in.',
      access: 'user',
      body: changePasswordBody,
      message: 'password_changed',
      handler: async ({ actor, body, request }) => {
        await auth.changePassword(actor, body.current_password, body.new_password, request.address);
        return {};
      },
    }),
  ];
}
