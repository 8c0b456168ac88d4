import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { UnauthorizedError } from '../../errors.ts';
import type { IdentityReader } from '../../features/auth/identity-read-model.ts';
import type { ListCache } from '../../list-cache/list-cache.ts';
import type { Operation } from '../operation.ts';
import { originOf } from '../request.ts';

/** Sign-ins that the database rejected recently: their requests count against the address. */
export const createRejectedSignIns = () => new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
export type RejectedSignIns = ReturnType<typeof createRejectedSignIns>;

type Options = { identities: IdentityReader; listCache: ListCache; rejected: RejectedSignIns };

/**
 * Reads the caller of a token, with role and status of this moment: after the body has arrived and the request has waited for its
 * slot. The same statement reads whether a cached response is current, so the query is parsed first.
 */
export function createAuthenticateStep({ identities, listCache, rejected }: Options) {
  return (operation: Operation): RequestHandler =>
    async (request, _response, next) => {
      const { info, subject } = request;
      const input = operation.read(request);
      request.input = input;
      if (subject === undefined) return next();
      const { user_id, sign_in_id, scopes, expires } = subject;
      const cacheKey = listCache.keyOf(operation.id, user_id, info.locale, input.cacheKey);
      const identity = await identities.read({ user_id, sign_in_id, project_ids: listCache.projectIdsOf(cacheKey) });
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
