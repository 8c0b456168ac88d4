import type { RateLimits } from '../../http/limits/rate-limit.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { originOf } from '../../http/request/request.ts';
import { idParams } from '../../http/validation/fields.ts';
import { acceptBody, accepted, accountLink, forgotPasswordBody } from './account-link-schemas.ts';
import type { AccountLinkService } from './account-link-service.ts';
import type { ResetRequests } from './reset-requests.ts';

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
        'With the token of an invitation (valid for 72 hours) or of a reset (1 hour), which can be used once. Ends all sign-ins of the account and its other links; the second factor stays. Signing in is a request of its own.',
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
      summary: 'Ask for a link that resets the password',
      description:
        'The same response for every address; a mail is sent if an active account has it, and at most three a day for an account. At most five requests an hour for an e-mail address and from an IP address.',
      access: 'public',
      body: forgotPasswordBody,
      message: 'reset_requested',
      limit: rateLimits('forgot', floodPerMinute),
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
        'Mails a link with which they choose their password, valid for 72 hours; a former one is valid no longer. For accounts that nobody has signed in to. Without a mail server the link is returned, this once. At most ten links a day for an account.',
      message: 'link_sent',
      handler: async ({ actor, params }) => reply(await links.send(actor, params.id, 'invitation')),
    }),

    operation({
      ...sending,
      path: '/api/admin/users/:id/reset-link',
      id: 'sendResetLink',
      summary: 'Send a link that resets the password',
      description:
        'Valid for an hour; a former one is valid no longer. Password and sign-ins stay as they are until it is used. Without a mail server the link is returned, this once. At most ten links a day for an account.',
      message: 'link_sent',
      handler: async ({ actor, params }) => reply(await links.send(actor, params.id, 'password_reset')),
    }),
  ];
}

function reply(data: Awaited<ReturnType<AccountLinkService['send']>>) {
  return data.link_mailed ? { data } : { data, message: { key: 'link_created' } as const };
}
