import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { maxOpen, type SignInRow } from './sign-in-repository.ts';
import type { SignInService } from './sign-in-service.ts';

const exampleId = '0b7c9b1e-3f52-4c0e-9a55-6a1d2f0c8e11';

const signIn = z
  .object({
    id: z.uuid().meta({ example: exampleId }),
    device: z.string().meta({
      description: 'The User-Agent header of the client, at most 200 characters; clients can send any text.',
      example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
    }),
    address: z.string().meta({ description: 'The address it was last used from.', example: '192.0.2.10' }),
    created_at: timestamp,
    last_used_at: timestamp.meta({ description: 'When its tokens were last issued; not updated by every request.' }),
    expires_at: timestamp.meta({
      description: 'When it ends unless it is refreshed; at the latest 90 days after it was created.',
    }),
    current: z.boolean().meta({ description: 'Whether this request belongs to it.' }),
  })
  .meta({ id: 'SignIn' });

const signInParams = z.object({
  id: z.uuid({ error: 'invalid_uuid' }).meta({ description: 'The id of the sign-in.', example: exampleId }),
});

const endSignInsQuery = z.object({
  current: z.enum(['true', 'false']).default('false').meta({ description: 'Whether the current one ends, too.' }),
});

function toSignInResponse(row: SignInRow, currentId: string): z.input<typeof signIn> {
  const { id, device, address, created_at, last_used_at, expires_at } = row;
  return { id, device, address, created_at, last_used_at, expires_at, current: id === currentId };
}

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
