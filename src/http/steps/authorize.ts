import type { Request, RequestHandler } from 'express';
import {
  OtpSetupRequiredError,
  PasswordChangeRequiredError,
  PermissionDeniedError,
  ScopeRequiredError,
} from '../../errors.ts';
import type { Actor } from '../../features/auth/identity.ts';
import type { Scope } from '../../features/auth/tokens.ts';
import type { Operation } from '../operation.ts';

export type RequireOtp = 'none' | 'admin' | 'all';

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
  if (operation.access === 'admin' && actor.role !== 'admin') throw new PermissionDeniedError('admin_only');
}

function assertAccountReady(operation: Operation, actor: Actor, requireOtp: RequireOtp): void {
  if (operation.allowedBeforePasswordChange === true) return;
  if (actor.must_change_password) throw new PasswordChangeRequiredError();
  if (operation.allowedBeforeOtpSetup === true) return;
  const isRequired = requireOtp === 'all' || (requireOtp === 'admin' && actor.role === 'admin');
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

/** The scheme is not compared: behind a proxy the service does not know it. */
function isOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.get('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.get('host')?.toLowerCase() || (publicUrl !== undefined && host === new URL(publicUrl).host);
}
