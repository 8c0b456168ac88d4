import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import { maxOpen } from './sign-in-bounds.ts';
import { endSignInsQuery, signIn, signInParams, toSignInResponse } from './sign-in-schemas.ts';
import type { SignInService } from './sign-in-service.ts';

export function createSignInRoutes({ signIns }: { signIns: SignInService }): Operation[] {
  const base = { tag: 'Sign-in', access: 'user', scope: 'none', allowedBeforeOtpSetup: true } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/auth/sign-ins',
      id: 'listSignIns',
      summary: 'List your sign-ins',
      description: `Active sign-ins, most recently used first. An account has at most ${maxOpen}: with a further one, the oldest ends.`,
      data: z.array(signIn),
      handler: async ({ actor }) => {
        const rows = await signIns.list(actor.id);
        return { data: rows.map((row) => toSignInResponse(row, actor.sign_in_id)) };
      },
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/auth/sign-ins',
      id: 'endSignIns',
      summary: 'End your sign-ins',
      description:
        'Ends all others, or with `current=true` also the one of this request. Their tokens are rejected from then on. Personal access tokens remain.',
      query: endSignInsQuery,
      message: 'sign_ins_ended',
      handler: async ({ actor, query }) => {
        await signIns.endListed(actor, { current: query.current === 'true' });
        return {};
      },
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/auth/sign-ins/:id',
      id: 'endSignIn',
      summary: 'End one of your sign-ins',
      description:
        'Its tokens are rejected from then on. Ending the current one is the same as `POST /api/auth/logout`.',
      params: signInParams,
      message: 'sign_in_ended',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params }) => {
        await signIns.end(actor, params.id);
        return {};
      },
    }),
  ];
}
