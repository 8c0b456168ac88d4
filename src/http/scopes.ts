import { ScopeRequiredError } from '../errors.ts';
import type { Scope } from '../features/auth/scopes.ts';
import type { Operation } from './operation.ts';

type Declared = Pick<Operation, 'access' | 'method' | 'scope'>;

/**
 * The scope that a personal access token needs for an operation. A writing operation that names none is for sign-ins only,
 * so that no token gets to something new by omission.
 */
export function scopeOf({ access, method, scope }: Declared): Scope | 'none' {
  return scope ?? (access === 'admin' ? 'admin' : method === 'get' ? 'read' : 'none');
}

/** Throws unless the caller signed in, where `granted` is undefined, or has a token with the scope. */
export function assertScope(required: Scope | 'none', granted: readonly Scope[] | undefined): void {
  if (granted === undefined || granted.some((scope) => scope === required)) return;
  throw new ScopeRequiredError(required);
}
