import type { Executor } from '../../db/database.ts';
import { UnavailableError } from '../../errors.ts';
import { createBatch } from '../../lib/batch.ts';
import type { Origin } from '../../lib/log/security-log.ts';
import type { Stamp } from '../../list-cache/stamps.ts';
import type { AuditContext } from './audit-context.ts';
import { createIdentityReadModel, type IdentityRequest } from './identity-read-model.ts';
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
  origin?: Origin;
  /** Undefined in commands, where no user is signed in. */
  act?: AuditContext;
};

/** The caller, and the stamp that their cached list must have to be current. */
export type Identity = { actor: Actor; stamp: Stamp };

/**
 * Reads the caller on every request: role and status are never taken from the token. Reads are batched over all callers; undefined
 * for a sign-in that is no longer valid.
 */
export function createIdentityReader(db: Executor) {
  const identities = createIdentityReadModel(db);

  async function readAll(requests: readonly IdentityRequest[]): Promise<(Identity | undefined)[]> {
    const rows = await identities.readAll(requests);
    const found = new Map(
      rows.map(({ position, list, rows: versions, ...actor }) => [
        position,
        { actor, stamp: { list, rows: versions } },
      ]),
    );
    return requests.map((_, index) => found.get(index + 1));
  }

  return { read: createBatch(readAll, { isShared: (error) => error instanceof UnavailableError }) };
}

export type IdentityReader = ReturnType<typeof createIdentityReader>;
