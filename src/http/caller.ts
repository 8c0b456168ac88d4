import type { Actor, TokenSubject, VerifiedToken } from '../actor.ts';
import type { CacheVersion } from '../list-cache/list-cache.ts';
import type { TokenFault } from '../texts/access-errors.ts';

/** The caller, and the cache version that their cached list must have to be current. */
export type Identity = { actor: Actor; cacheVersion: CacheVersion };

/** How the steps of a request learn who sends it: implemented by the accounts. */
export type CallerReader = {
  /** Checks the signature of an access token. */
  tokens: { check(token: string): VerifiedToken | TokenFault };
  personalTokens: {
    isPersonal(token: string): boolean;
    /** Does not use the database; undefined also for a token that was not read recently. */
    known(token: string): VerifiedToken | undefined;
    read(token: string): Promise<VerifiedToken | undefined>;
  };
  /** Reads the account of a valid token; undefined if its sign-in has ended. `project_ids`: those of a cached list. */
  identities: {
    read(of: TokenSubject & { project_ids: readonly number[] }): Promise<Identity | undefined>;
  };
};

export const userKey = (userId: number) => `user ${userId}`;
