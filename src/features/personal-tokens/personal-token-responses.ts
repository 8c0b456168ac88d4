import type { z } from 'zod';
import { toScopes } from '../auth/tokens.ts';
import type { PersonalTokenRow } from './personal-token-repository.ts';
import type { personalToken } from './personal-token-schemas.ts';

export function toTokenResponse(row: PersonalTokenRow): z.input<typeof personalToken> {
  const { id, name, created_at, expires_at, last_used_at } = row;
  return { id, name, scopes: toScopes(row.scopes), created_at, expires_at, last_used_at };
}
