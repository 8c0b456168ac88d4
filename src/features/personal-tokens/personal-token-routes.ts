import { z } from 'zod';
import { type Operation, operation } from '../../http/operation.ts';
import { clientOf } from '../../http/request/request.ts';
import { toTokenResponse } from './personal-token-responses.ts';
import { createdToken, createTokenBody, personalToken, tokenParams } from './personal-token-schemas.ts';
import type { PersonalTokenService } from './personal-token-service.ts';

export function createPersonalTokenRoutes({ tokens }: { tokens: PersonalTokenService }): Operation[] {
  const base = { tag: 'Sign-in', access: 'user', scope: 'none' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/me/tokens',
      id: 'listTokens',
      summary: 'List your personal access tokens',
      description: 'Those that are valid, the newest first, without the tokens themselves.',
      data: z.array(personalToken),
      handler: async ({ actor }) => ({ data: (await tokens.list(actor.id)).map(toTokenResponse) }),
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/me/tokens',
      id: 'createToken',
      summary: 'Create a personal access token',
      description:
        'For a program of your own, in the same header as the token of a sign-in. It ends when it expires or is revoked, and with a new password or the deactivation of the account. At most 50, and not with a token.',
      body: createTokenBody,
      data: createdToken,
      status: 201,
      secrets: ['token'],
      message: 'token_created',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: ({ actor, body, once, request }) =>
        once(async (store) => {
          const { row, token } = await tokens.create(store, actor, body, clientOf(request));
          return { data: { ...toTokenResponse(row), token }, location: `/api/me/tokens/${row.id}` };
        }),
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/me/tokens/:id',
      id: 'revokeToken',
      summary: 'Revoke one of your personal access tokens',
      description: 'It is rejected from then on, also in requests that are still in progress.',
      params: tokenParams,
      message: 'token_revoked',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await tokens.revoke(actor, params.id);
        return {};
      },
    }),
  ];
}
