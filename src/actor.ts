import type { Origin } from './lib/log/security-log.ts';

/**
 * With which somebody acts. `class_admin` is an administrator who is limited to groups: an ordinary user wherever the code does not give
 * them more, so that nothing is open to them by omission.
 */
export type Role = 'admin' | 'class_admin' | 'user';
export const actingRoles = ['admin', 'class_admin', 'user'] as const satisfies readonly Role[];

/** Whether the account is that of an administrator, limited to groups or not. */
export const isAdministrator = ({ role }: Pick<Actor, 'role'>): boolean => role !== 'user';

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
  context?: WriteContext;
};

/**
 * Who writes in a transaction, through which operation and request. The transaction verifies that they still have the
 * rights of their request; the audit log attributes administrators' changes to it.
 */
export type WriteContext = {
  actor_id: number;
  sign_in_id: string;
  role: Role;
  action: string;
  request_id: string;
  /** Also of an ordinary user: rights that the identity provider gives or takes are in the audit log. */
  audited?: boolean;
  /** Users whose rights the transaction changes: their own transactions commit before it or see it. */
  changes?: readonly number[];
};

export function withLockedUsers(
  context: WriteContext | undefined,
  userIds: readonly number[],
): WriteContext | undefined {
  return context && { ...context, changes: userIds };
}

/** Of personal access tokens. */
export const scopes = ['read', 'sessions:write', 'projects:write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Stored scopes, in the order in which they are documented. */
export const toScopes = (stored: readonly string[]): Scope[] => scopes.filter((scope) => stored.includes(scope));

export type TokenSubject = {
  user_id: number;
  sign_in_id: string;
  /** Of a personal access token. */
  scopes?: readonly Scope[];
};

/** `expires`: in milliseconds. */
export type VerifiedToken = TokenSubject & { expires: number };

/** No user is signed in, so that nothing is attributed to a request. */
export const actorOf = (user: Omit<Actor, 'sign_in_id'>): Actor => ({ ...user, sign_in_id: '' });

export type Reader = Pick<Actor, 'id' | 'role'>;

export const roles = ['admin', 'user'] as const;

export const userStatuses = ['active', 'inactive'] as const;
