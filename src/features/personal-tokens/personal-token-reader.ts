import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import { toScopes } from '../auth/scopes.ts';
import type { TokenSubject } from '../auth/tokens.ts';

/** By which people and scanners of repositories recognise one. */
const prefix = 'studytrack_';
const tokenLength = prefix.length + 43;

export const createPersonalToken = () => `${prefix}${randomBytes(32).toString('base64url')}`;
export const hashPersonalToken = (token: string) => createHash('sha256').update(token).digest();

type Known = TokenSubject & { expires: number };

/**
 * Whose token a request carries. What is cached for a minute never changes; that the token still holds is read with each
 * request, as for every sign-in.
 */
export function createPersonalTokenReader({ store, clock }: { store: Store; clock: Clock }) {
  const known = new LRUCache<string, Known>({ max: 10_000, ttl: 60_000 });
  const current = (subject: Known | undefined) =>
    subject !== undefined && subject.expires > clock().getTime() ? subject : undefined;

  return {
    isPersonal: (token: string): boolean => token.startsWith(prefix) && token.length === tokenLength,

    /** Without the database; undefined also for a token that was not read lately. */
    known: (token: string): TokenSubject | undefined => current(known.get(token)),

    async read(token: string): Promise<TokenSubject | undefined> {
      const row = await store.personalTokens.use(hashPersonalToken(token), clock());
      if (row === undefined) return undefined;
      const { user_id, sign_in_id, expires_at } = row;
      const subject = { user_id, sign_in_id, scopes: toScopes(row.scopes), expires: Date.parse(expires_at) };
      known.set(token, subject);
      return subject;
    },
  };
}

export type PersonalTokenReader = ReturnType<typeof createPersonalTokenReader>;
