import { ScopeRequiredError } from '../errors.ts';
import type { Scope } from '../features/auth/scopes.ts';
import type { Operation } from './operation.ts';

type Declared = Pick<Operation, 'access' | 'method' | 'scope'>;

/** Writing operations require a sign-in by default, so that a new one is not open to tokens by omission. */
export function scopeOf({ access, method, scope }: Declared): Scope | 'none' {
  return scope ?? (access === 'admin' ? 'admin' : method === 'get' ? 'read' : 'none');
}

/** `granted` is undefined for a sign-in. */
export function assertScope(required: Scope | 'none', granted: readonly Scope[] | undefined): void {
  if (granted === undefined || granted.some((scope) => scope === required)) return;
  throw new ScopeRequiredError(required);
}
