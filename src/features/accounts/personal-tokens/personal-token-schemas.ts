import { z } from 'zod';
import { scopes, toScopes } from '../../../actor.ts';
import { id, idText, text } from '../../../http/fields.ts';
import { instant, timestamp } from '../../../http/time-fields.ts';
import type { PersonalTokenRow } from './personal-token-repository.ts';

const name = text({ min: 1, max: 50 }).meta({ description: 'The purpose of the token.', example: 'Backup script' });
const scopeList = z
  .array(z.enum(scopes))
  .min(1)
  .max(scopes.length)
  .meta({
    id: 'TokenScopes',
    description:
      '`read`: all reads except those for administrators; `sessions:write`: records and timer; `projects:write`: projects and their images; `admin`: all operations for administrators. No scope includes another. A token never permits more than its user currently may do.',
    example: ['read', 'sessions:write'],
  });

export const createTokenBody = z.object({
  name,
  scopes: scopeList,
  expires_at: instant.meta({
    description: 'When it expires; at most a year from now.',
    example: '2027-02-01T08:00:00Z',
  }),
});

export const personalToken = z
  .object({
    id,
    name,
    scopes: scopeList,
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'Accurate to about a minute; null until its first use.' }),
  })
  .meta({ id: 'PersonalToken' });

export const createdToken = personalToken
  .extend({
    token: z.string().meta({
      description: 'For the Authorization header. Returned only once; empty when the `Idempotency-Key` is repeated.',
      example: 'studytrack_pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2dQ',
    }),
  })
  .meta({ id: 'CreatedPersonalToken' });

export const tokenParams = z.object({ id: idText.meta({ description: 'The id of the token.' }) });

export function toTokenResponse(row: PersonalTokenRow): z.input<typeof personalToken> {
  const { id, name, created_at, expires_at, last_used_at } = row;
  return { id, name, scopes: toScopes(row.scopes), created_at, expires_at, last_used_at };
}
