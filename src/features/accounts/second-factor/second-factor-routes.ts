import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { PasswordCheck } from '../sign-ins/passwords/password-service.ts';
import type { UserService } from '../users/user-service.ts';
import { beginTotpBody, confirmTotpBody, disableTotpBody, recoveryCodes, totpSetup } from './second-factor-schemas.ts';
import { type SecondFactorService, setupSeconds } from './second-factor-service.ts';

type Options = {
  secondFactor: SecondFactorService;
  withPassword: PasswordCheck;
  users: UserService;
};

export function createSecondFactorRoutes({ secondFactor, withPassword, users }: Options): Operation[] {
  const own = { tag: 'Sign-in', access: 'user', allowedBeforeOtpSetup: true, errors: ['CONFLICT'] } as const;

  return [
    operation({
      ...own,
      method: 'post',
      path: '/api/auth/totp',
      id: 'beginTotp',
      summary: 'Start setting up a second factor',
      description:
        'Returns a new secret for an authenticator application (TOTP, RFC 6238). It takes effect after confirmation with a code.',
      body: beginTotpBody,
      data: totpSetup,
      secrets: ['secret', 'otpauth_url', 'qr_svg'],
      message: 'totp_setup_started',
      handler: async ({ actor, body }) => {
        const created = await withPassword(actor, body.current_password, (tx) => secondFactor.begin(tx, actor));
        const data = { ...(await secondFactor.describe(created, actor.username)), expires_in: setupSeconds };
        return { data };
      },
    }),

    operation({
      ...own,
      method: 'post',
      path: '/api/auth/totp/confirm',
      id: 'confirmTotp',
      summary: 'Enable the second factor',
      description:
        'Takes a code generated from the new secret. From then on, signing in also requires a code; existing sign-ins continue.',
      body: confirmTotpBody,
      data: recoveryCodes,
      secrets: ['recovery_codes'],
      message: 'totp_enabled',
      handler: async ({ actor, body }) => ({
        data: { recovery_codes: await secondFactor.confirm(actor, body.otp) },
      }),
    }),

    operation({
      ...own,
      method: 'delete',
      path: '/api/auth/totp',
      id: 'disableTotp',
      aliases: [{ method: 'post', path: '/api/auth/totp/delete', id: 'deleteTotp' }],
      summary: 'Disable the second factor',
      description: 'A wrong password or code counts as a failed sign-in. The recovery codes become invalid.',
      body: disableTotpBody,
      message: 'totp_disabled',
      handler: async ({ actor, body }) => {
        await withPassword(
          actor,
          body.current_password,
          async (tx) => (await secondFactor.disable(tx, actor, body.otp)) || undefined,
          ValidationError.of('otp', 'wrong_otp'),
        );
        return {};
      },
    }),

    operation({
      tag: 'Users',
      access: 'admin',
      scoped: true,
      method: 'delete',
      path: '/api/admin/users/:id/totp',
      id: 'resetTotp',
      summary: "Remove a user's second factor",
      description:
        'For users who have lost their device and their recovery codes. Removing your own requires a code: `DELETE /api/auth/totp`.',
      params: idParams,
      message: 'totp_reset',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await users.get(actor, params.id);
        await secondFactor.reset(actor, params.id);
        return {};
      },
    }),
  ];
}
