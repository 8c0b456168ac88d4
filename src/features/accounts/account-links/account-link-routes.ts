import { idParams } from '../../../http/fields.ts';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { originOf } from '../../../http/request.ts';
import { acceptBody, accepted, accountLink, forgotPasswordBody } from './account-link-schemas.ts';
import type { AccountLinkService, ResetRequests } from './account-link-service.ts';

type Options = {
  links: AccountLinkService;
  resetRequests: ResetRequests;
  rateLimits: RateLimits;
  floodPerMinute: number;
};

export function createAccountLinkRoutes({ links, resetRequests, rateLimits, floodPerMinute }: Options): Operation[] {
  const sending = {
    tag: 'Users',
    method: 'post',
    access: 'admin',
    scoped: true,
    params: idParams,
    data: accountLink,
    secrets: ['link'],
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  } as const;

  return [
    operation({
      tag: 'Sign-in',
      method: 'post',
      path: '/api/auth/accept',
      id: 'acceptLink',
      summary: 'Set a password with a link',
      description:
        'Takes the token of an invitation (valid for 72 hours) or of a password reset (1 hour), which can be used once. Ends all sign-ins of the account and cancels its other links; the second factor is unchanged. Does not sign in.',
      access: 'public',
      body: acceptBody,
      data: accepted,
      message: 'password_set',
      limit: rateLimits('accept', floodPerMinute),
      handler: async ({ body, request }) => ({
        data: await links.accept(body.token, body.password, originOf(request)),
      }),
    }),

    operation({
      tag: 'Sign-in',
      method: 'post',
      path: '/api/auth/forgot-password',
      id: 'forgotPassword',
      summary: 'Request a password reset link',
      description:
        'Returns the same response for every address. Mails a link only if an active account has the address, at most three times a day per account. At most five requests an hour per e-mail address and per IP address. 403 for every address if all users sign in through the identity provider.',
      access: 'public',
      body: forgotPasswordBody,
      message: 'reset_requested',
      limit: rateLimits('forgot', floodPerMinute),
      errors: ['PERMISSION_DENIED'],
      handler: async ({ body, request }) => {
        const rejection = await resetRequests.add(body.email, request.address, request.locale);
        if (rejection !== undefined) throw rejection;
        return {};
      },
    }),

    operation({
      ...sending,
      path: '/api/admin/users/:id/invite',
      id: 'inviteUser',
      summary: 'Invite a user',
      description:
        'Mails a link for choosing a password, valid for 72 hours, and cancels the previous one. Only for accounts that have never been signed in to. Without a mail server, the response contains the link; it is not shown again. At most ten links a day per account.',
      message: 'link_sent',
      handler: async ({ actor, params }) => reply(await links.send(actor, params.id, 'invitation')),
    }),

    operation({
      ...sending,
      path: '/api/admin/users/:id/reset-link',
      id: 'sendResetLink',
      summary: 'Send a password reset link',
      description:
        'Mails a link for setting a new password, valid for one hour, and cancels the previous one. Password and sign-ins are unchanged until it is used. Without a mail server, the response contains the link; it is not shown again. At most ten links a day per account.',
      message: 'link_sent',
      handler: async ({ actor, params }) => reply(await links.send(actor, params.id, 'password_reset')),
    }),
  ];
}

function reply(data: Awaited<ReturnType<AccountLinkService['send']>>) {
  return data.link_mailed ? { data } : { data, message: { key: 'link_created' } as const };
}
