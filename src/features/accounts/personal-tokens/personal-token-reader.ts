import { LRUCache } from 'lru-cache';
import { toScopes, type VerifiedToken } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as personalTokens from './personal-token-repository.ts';

/** Lets people and secret scanners recognise a token. */
const prefix = 'studytrack_';

const tokenLength = prefix.length + 43;

export const createPersonalToken = () => `${prefix}${createRandomToken()}`;

/**
 * Finds the owner of a token. What is cached for a minute never changes; whether the token is still valid is read on
 * every request, as for sign-ins.
 */
export function createPersonalTokenReader({ store, clock }: { store: Db; clock: Clock }) {
  const cache = new LRUCache<string, VerifiedToken>({ max: 10_000, ttl: 60_000 });
  const current = (subject: VerifiedToken | undefined) =>
    subject !== undefined && subject.expires > clock().getTime() ? subject : undefined;

  return {
    isPersonal: (token: string): boolean => token.startsWith(prefix) && token.length === tokenLength,

    /** Does not use the database; undefined also for a token that was not read recently. */
    known: (token: string): VerifiedToken | undefined => current(cache.get(token)),

    async read(token: string): Promise<VerifiedToken | undefined> {
      const row = await personalTokens.use(store, digestOf(token), clock());
      if (row === undefined) return undefined;
      const { user_id, sign_in_id, expires_at } = row;
      const subject = { user_id, sign_in_id, scopes: toScopes(row.scopes), expires: Date.parse(expires_at) };
      cache.set(token, subject);
      return subject;
    },
  };
}
