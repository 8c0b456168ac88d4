import { setImmediate } from 'node:timers/promises';
import type { Executor } from '../../db/database.ts';
import { UnavailableError } from '../../errors.ts';
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

type Waiting = {
  request: IdentityRequest;
  resolve: (identity: Identity | undefined) => void;
  reject: (error: unknown) => void;
};

// The second runs while the results of the first are processed; more would only make batches smaller.
const maxReads = 2;

/**
 * Reads the caller on every request: role and status are never taken from the token. Requests that arrive together,
 * or while reads are in progress, are batched into the next read. It starts after all of them arrived, so it is as
 * fresh as a read per request.
 */
export function createIdentityReader(db: Executor) {
  const identities = createIdentityReadModel(db);
  let waiting: Waiting[] = [];
  let active = 0;

  async function readBatch(batch: Waiting[]): Promise<void> {
    const rows = await identities.readAll(batch.map((entry) => entry.request));
    const found = new Map(
      rows.map(({ position, list, rows: versions, ...actor }) => [
        position,
        { actor, stamp: { list, rows: versions } },
      ]),
    );
    for (const [index, entry] of batch.entries()) entry.resolve(found.get(index + 1));
  }

  async function drain(): Promise<void> {
    active += 1;
    await setImmediate(); // requests that arrived together with the first are still being parsed
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await readBatch(batch).catch((error: unknown) => {
        // Database is down: fail queued requests too, instead of letting them wait for the same timeout.
        const isDown = error instanceof UnavailableError;
        for (const entry of isDown ? [...batch, ...waiting.splice(0)] : batch) entry.reject(error);
      });
    }
    active -= 1;
  }

  return {
    read(request: IdentityRequest): Promise<Identity | undefined> {
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        if (active < maxReads) void drain();
      });
    },
  };
}

export type IdentityReader = ReturnType<typeof createIdentityReader>;
