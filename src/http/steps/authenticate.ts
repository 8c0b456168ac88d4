import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { UnauthorizedError } from '../../errors.ts';
import type { IdentityReader } from '../../features/auth/identity.ts';
import type { PersonalTokenReader, Tokens, VerifiedToken } from '../../features/auth/tokens.ts';
import type { ListCache } from '../../list-cache/list-cache.ts';
import type { Operation } from '../operation.ts';
import { type GeneralLimits, userKey } from '../rate-limit.ts';
import { originOf } from '../request.ts';

export type LimitOptions = {
  tokens: Tokens;
  personalTokens: PersonalTokenReader;
  limits: GeneralLimits;
  rejected: RejectedSignIns;
};

/** Checks the token, without reading the account, and counts the request against the user or, without a valid token, the address. */
export function createLimitStep({ tokens, personalTokens, limits, rejected }: LimitOptions) {
  /** The lookup of an unknown personal access token counts against the address, to limit guessing. */
  async function subjectOf(token: string, request: Request, response: Response): Promise<VerifiedToken | undefined> {
    if (!personalTokens.isPersonal(token)) return tokens.check(token);
    const known = personalTokens.known(token);
    if (known !== undefined) return known;
    await limits.address(request, response);
    const subject = await personalTokens.read(token);
    if (subject === undefined) throw new UnauthorizedError('unauthorized');
    return subject;
  }

  async function limitSignedIn(operation: Operation, request: Request, response: Response): Promise<VerifiedToken> {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const subject = token === undefined ? undefined : await subjectOf(token, request, response);
    if (subject !== undefined && !rejected.has(subject.sign_in_id)) {
      const key = userKey(subject.user_id);
      await limits.user(request, response, key);
      if (operation.cost !== undefined) await limits.costs[operation.cost]?.(request, response, key);
      return subject;
    }
    await limits.address(request, response);
    if (subject === undefined) throw new UnauthorizedError('unauthorized');
    return subject;
  }

  return (operation: Operation): RequestHandler =>
    async (request, response, next) => {
      request.operation = operation;
      if (operation.unlimited === true) return next();
      if (operation.access === 'public') {
        await limits.address(request, response);
        await operation.limit?.(request, response);
      } else {
        request.subject = await limitSignedIn(operation, request, response);
      }
      next();
    };
}

/** Sign-ins that the database rejected recently: their requests count against the address. */
export const createRejectedSignIns = () => new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
export type RejectedSignIns = ReturnType<typeof createRejectedSignIns>;

type AuthenticateOptions = { identities: IdentityReader; listCache: ListCache; rejected: RejectedSignIns };

/**
 * Reads the caller of a token, with role and status of this moment: after the body has arrived and the request has waited for its
 * slot. The same statement reads whether a cached response is current, so the query is parsed first.
 */
export function createAuthenticateStep({ identities, listCache, rejected }: AuthenticateOptions) {
  return (operation: Operation): RequestHandler =>
    async (request, _response, next) => {
      const { info, subject } = request;
      const input = operation.read(request);
      request.input = input;
      if (subject === undefined) return next();
      const { user_id, sign_in_id, scopes, expires } = subject;
      const project_ids =
        input.cacheKey === undefined
          ? []
          : listCache.projectIdsOf(listCache.keyOf(operation.id, user_id, info.locale, input.cacheKey));
      const identity = await identities.read({ user_id, sign_in_id, project_ids });
      if (identity === undefined) {
        rejected.set(sign_in_id, true);
        throw new UnauthorizedError('unauthorized');
      }
      info.user_id = user_id;
      const { role } = identity.actor;
      const act = { actor_id: user_id, sign_in_id, role, action: operation.id, request_id: info.id };
      const actor = { ...identity.actor, scopes, expires, origin: originOf(info), act };
      request.identity = { actor, stamp: identity.stamp };
      next();
    };
}
