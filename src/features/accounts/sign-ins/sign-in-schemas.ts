import { z } from 'zod';
import { timestamp } from '../../../http/time-fields.ts';
import type { SignInRow } from './sign-in-repository.ts';

const exampleId = '0b7c9b1e-3f52-4c0e-9a55-6a1d2f0c8e11';

export const signIn = z
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

export const signInParams = z.object({
  id: z.uuid({ error: 'invalid_uuid' }).meta({ description: 'The id of the sign-in.', example: exampleId }),
});

export const endSignInsQuery = z.object({
  current: z.enum(['true', 'false']).default('false').meta({ description: 'Whether the current one ends, too.' }),
});

export function toSignInResponse(row: SignInRow, currentId: string): z.input<typeof signIn> {
  const { id, device, address, created_at, last_used_at, expires_at } = row;
  return { id, device, address, created_at, last_used_at, expires_at, current: id === currentId };
}
