import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import { clientOf } from '../../../http/request.ts';
import {
  createdToken,
  createTokenBody,
  personalToken,
  tokenParams,
  toTokenResponse,
} from './personal-token-schemas.ts';
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
      description: 'Valid tokens, newest first, without the secrets.',
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
        'For your own programs, sent in the same header as the token of a sign-in. It is valid until it expires or is revoked, the password is changed or the account is deactivated. At most 50 per user. Requires a sign-in, not a token.',
      body: createTokenBody,
      data: createdToken,
      status: 201,
      secrets: ['token'],
      message: 'token_created',
      idempotent: true,
      errors: ['CONFLICT'],
      handler: async ({ actor, body, store, request }) => {
        const { row, token } = await tokens.create(store, actor, body, clientOf(request));
        return { data: { ...toTokenResponse(row), token }, location: `/api/me/tokens/${row.id}` };
      },
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/me/tokens/:id',
      id: 'revokeToken',
      summary: 'Revoke one of your personal access tokens',
      description: 'It is rejected from then on, even in requests that are in progress.',
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
