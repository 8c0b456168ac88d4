import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type Actor, isAdministrator, type Scope, type VerifiedToken } from '../../actor.ts';
import type { ListCache } from '../../list-cache/list-cache.ts';
import {
  InvalidTokenError,
  OtpSetupRequiredError,
  PasswordChangeRequiredError,
  PermissionDeniedError,
  ScopeRequiredError,
  type TokenFault,
  UnauthorizedError,
} from '../../texts/access-errors.ts';
import { type CallerReader, userKey } from '../caller.ts';
import type { GeneralLimits } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { originOf } from '../request.ts';
import { isOwnOrigin } from '../web/security.ts';

export type LimitOptions = Pick<CallerReader, 'tokens' | 'personalTokens'> & {
  limits: GeneralLimits;
  rejected: RejectedSignIns;
};

/** Checks the token, without reading the account, and counts the request against the user or, without a valid token, the address. */
export function createLimitStep({ tokens, personalTokens, limits, rejected }: LimitOptions) {
  /** The lookup of an unknown personal access token counts against the address, to limit guessing. */
  async function subjectOf(token: string, request: Request, response: Response): Promise<VerifiedToken | TokenFault> {
    if (!personalTokens.isPersonal(token)) return tokens.check(token);
    const known = personalTokens.known(token);
    if (known !== undefined) return known;
    await limits.address(request, response);
    const subject = await personalTokens.read(token);
    if (subject === undefined) throw new InvalidTokenError('revoked'); // or expired, or never issued
    return subject;
  }

  async function limitSignedIn(operation: Operation, request: Request, response: Response): Promise<VerifiedToken> {
    const { authorization } = request.headers;
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    const subject = token === undefined ? 'malformed' : await subjectOf(token, request, response);
    if (typeof subject === 'object' && !rejected.has(subject.sign_in_id)) {
      const key = userKey(subject.user_id);
      await limits.user(request, response, key);
      if (operation.cost !== undefined) await limits.costs[operation.cost]?.(request, response, key);
      return subject;
    }
    await limits.address(request, response);
    if ((authorization ?? '').trim() === '') throw new UnauthorizedError('unauthorized');
    if (typeof subject === 'string') throw new InvalidTokenError(subject);
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
type RejectedSignIns = ReturnType<typeof createRejectedSignIns>;

type AuthenticateOptions = Pick<CallerReader, 'identities'> & { listCache: ListCache; rejected: RejectedSignIns };

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
        throw new InvalidTokenError('revoked');
      }
      info.user_id = user_id;
      const { role } = identity.actor;
      const context = { actor_id: user_id, sign_in_id, role, action: operation.id, request_id: info.id };
      const actor = { ...identity.actor, scopes, expires, origin: originOf(info), context };
      request.identity = { actor, cacheVersion: identity.cacheVersion };
      next();
    };
}

type RequireOtp = 'none' | 'admin' | 'all';

type Options = { requireOtp: RequireOtp; publicUrl: string | undefined };

/** Whether the caller may use the operation. Whether they may use a resource is up to its guard and its service. */
export function createAuthorizeStep({ requireOtp, publicUrl }: Options) {
  return (operation: Operation): RequestHandler =>
    (request, _response, next) => {
      if (request.identity !== undefined) assertAllowed(operation, request.identity.actor, requireOtp);
      if (operation.sameOrigin === true) assertSameOrigin(request, publicUrl);
      next();
    };
}

/** Writing operations require a sign-in by default, so that a new one is not open to tokens by omission. */
export function scopeOf({ access, method, scope }: Pick<Operation, 'access' | 'method' | 'scope'>): Scope | 'none' {
  return scope ?? (access === 'admin' ? 'admin' : method === 'get' ? 'read' : 'none');
}

/** `granted` is undefined for a sign-in. */
export function assertScope(required: Scope | 'none', granted: readonly Scope[] | undefined): void {
  if (granted === undefined || granted.some((scope) => scope === required)) return;
  throw new ScopeRequiredError(required);
}

function assertAllowed(operation: Operation, actor: Actor, requireOtp: RequireOtp): void {
  assertScope(scopeOf(operation), actor.scopes);
  assertAccountReady(operation, actor, requireOtp);
  if (operation.access !== 'admin' || actor.role === 'admin') return;
  if (actor.role === 'user') throw new PermissionDeniedError('admin_only');
  // A new operation is closed to limited administrators by default.
  if (operation.scoped !== true) throw new PermissionDeniedError('whole_school_only');
}

function assertAccountReady(operation: Operation, actor: Actor, requireOtp: RequireOtp): void {
  if (operation.allowedBeforePasswordChange === true) return;
  if (actor.must_change_password) throw new PasswordChangeRequiredError();
  if (operation.allowedBeforeOtpSetup === true) return;
  const isRequired = requireOtp === 'all' || (requireOtp === 'admin' && isAdministrator(actor));
  if (isRequired && !actor.totp_enabled) throw new OtpSetupRequiredError();
}

/**
 * Throws PermissionDeniedError unless a page of this service sent the request as JSON. Pages cannot forge `Sec-Fetch-Site`; browsers
 * do not send it over plain http, where `Origin` is compared instead.
 */
function assertSameOrigin(request: Request, publicUrl: string | undefined): void {
  const site = request.get('sec-fetch-site');
  const isOurs = site === undefined ? isOwnOrigin(request, publicUrl) : site === 'same-origin';
  const isJson = /^application\/json\s*(;|$)/i.test(request.get('content-type') ?? '');
  if (!isOurs || !isJson) throw new PermissionDeniedError('own_pages_only');
}
