import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import { toScopes } from '../auth/scopes.ts';
import type { VerifiedToken } from '../auth/tokens.ts';

/** Lets people and secret scanners recognise a token. */
const prefix = 'studytrack_';
const tokenLength = prefix.length + 43;

export const createPersonalToken = () => `${prefix}${randomBytes(32).toString('base64url')}`;
export const hashPersonalToken = (token: string) => createHash('sha256').update(token).digest();

/**
 * Finds the owner of a token. What is cached for a minute never changes; whether the token is still valid is read on
 * every request, as for sign-ins.
 */
export function createPersonalTokenReader({ store, clock }: { store: Store; clock: Clock }) {
  const cache = new LRUCache<string, VerifiedToken>({ max: 10_000, ttl: 60_000 });
  const current = (subject: VerifiedToken | undefined) =>
    subject !== undefined && subject.expires > clock().getTime() ? subject : undefined;

  return {
    isPersonal: (token: string): boolean => token.startsWith(prefix) && token.length === tokenLength,

    /** Does not use the database; undefined also for a token that was not read recently. */
    known: (token: string): VerifiedToken | undefined => current(cache.get(token)),

    async read(token: string): Promise<VerifiedToken | undefined> {
      const row = await store.personalTokens.use(hashPersonalToken(token), clock());
      if (row === undefined) return undefined;
      const { user_id, sign_in_id, expires_at } = row;
      const subject = { user_id, sign_in_id, scopes: toScopes(row.scopes), expires: Date.parse(expires_at) };
      cache.set(token, subject);
      return subject;
    },
  };
}

export type PersonalTokenReader = ReturnType<typeof createPersonalTokenReader>;
