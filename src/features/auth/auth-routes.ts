import { type Operation, operation } from '../../http/operation.ts';
import { clientOf, originOf } from '../../http/request.ts';
import { user } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';
import {
  changePasswordBody,
  confirmEmailBody,
  loginBody,
  refreshBody,
  signedIn,
  updatedMe,
  updateMeBody,
} from './auth-schemas.ts';
import type { AuthService } from './auth-service.ts';
import type { EmailChangeService } from './email-change-service.ts';
import type { SignInService, TokenPair } from './sign-in-service.ts';
import type { OwnSignInsService } from './sign-ins-service.ts';

export type AuthRoutesOptions = {
  auth: AuthService;
  signIns: SignInService;
  users: UserService;
  emailChanges: EmailChangeService;
  ownSignIns: OwnSignInsService;
};

export function createAuthRoutes({ auth, signIns, users, emailChanges, ownSignIns }: AuthRoutesOptions): Operation[] {
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
        'With the username or the e-mail address. An account with a second factor takes `otp`, too; without it the right password is answered with OTP_REQUIRED. After ten failures for one account or thirty from one address within 15 minutes it answers 429; from an address that the account signed in from within 30 days the right password is still accepted, for up to ten failures there.',
      access: 'public',
      body: loginBody,
      data: signedIn,
      secrets: ['token', 'refresh_token'],
      message: 'signed_in',
      errors: ['UNAUTHORIZED', 'OTP_REQUIRED'],
      handler: async ({ body, request }) => withUser(await auth.login(body, clientOf(request), originOf(request))),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/refresh',
      id: 'refreshToken',
      summary: 'Exchange a refresh token for a new pair of tokens',
      description:
        'Each is used once. The used one is answered with the same successor for 30 seconds, unless that was used already; later it ends the sign-in.',
      access: 'public',
      body: refreshBody,
      data: signedIn,
      secrets: ['token', 'refresh_token'],
      message: 'token_refreshed',
      errors: ['UNAUTHORIZED'],
      handler: async ({ body, request }) => withUser(await signIns.refresh(body.refresh_token, clientOf(request))),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/logout',
      id: 'logout',
      summary: 'End this sign-in',
      description: 'Its tokens hold no longer, in any process; other sign-ins go on.',
      access: 'user',
      allowedBeforePasswordChange: true,
      message: 'signed_out',
      handler: async ({ actor }) => {
        await ownSignIns.end(actor, actor.sign_in_id);
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
      allowedBeforePasswordChange: true,
      data: user,
      handler: async ({ actor }) => ({ data: await users.getOwn(actor) }),
    }),

    operation({
      ...base,
      method: 'put',
      path: '/api/auth/me',
      id: 'updateMe',
      summary: 'Update your account',
      description:
        'Every field is optional. A new e-mail address needs `current_password`, is answered with `pending_email`, and counts once the link that is mailed to it is opened; without a mail server only administrators change it (403).',
      access: 'user',
      allowedBeforePasswordChange: true,
      body: updateMeBody,
      data: updatedMe,
      message: 'account_updated',
      errors: ['PERMISSION_DENIED'],
      handler: async ({ actor, body, request }) => {
        const { email, current_password, ...patch } = body;
        const pending_email = email && (await emailChanges.request(actor, { email, current_password }, request));
        const data = await users.updateOwn(actor, patch);
        return pending_email === undefined
          ? { data }
          : { data: { ...data, pending_email }, message: { key: 'email_confirmation_sent' } };
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/auth/email/confirm',
      id: 'confirmEmail',
      summary: 'Confirm a new e-mail address',
      description: 'With the token of the mailed link: it can be used once, within 24 hours.',
      access: 'public',
      body: confirmEmailBody,
      message: 'email_confirmed',
      errors: ['CONFLICT'],
      handler: async ({ body, request }) => {
        await emailChanges.confirm(body.token, request.locale);
        return {};
      },
    }),

    operation({
      ...base,
      method: 'put',
      path: '/api/auth/password',
      id: 'changePassword',
      summary: 'Change your password',
      description: 'Ends all your other sign-ins. A wrong present password counts like a failed sign-in.',
      access: 'user',
      allowedBeforePasswordChange: true,
      body: changePasswordBody,
      message: 'password_changed',
      handler: async ({ actor, body, request }) => {
        await auth.changePassword(actor, body.current_password, body.new_password, request.address);
        return {};
      },
    }),
  ];
}
