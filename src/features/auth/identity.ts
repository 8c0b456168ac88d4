import type { Origin } from '../../lib/log/security-log.ts';
import type { Stamp } from '../../list-cache/stamps.ts';
import type { AuditContext } from './audit-context.ts';
import type { Scope } from './scopes.ts';

export type Role = 'admin' | 'user';

export type Actor = {
  id: number;
  username: string;
  role: Role;
  timezone: string;
  sign_in_id: string;
  must_change_password: boolean;
  totp_enabled: boolean;
  /** Those of the personal access token; undefined for a sign-in. */
  scopes?: readonly Scope[] | undefined;
  /** When the token expires, in milliseconds. */
  expires?: number;
  origin?: Origin;
  /** Undefined in commands, where no user is signed in. */
  act?: AuditContext;
};

/** The caller, and the stamp that their cached list must have to be current. */
export type Identity = { actor: Actor; stamp: Stamp };
