import { setImmediate } from 'node:timers/promises';
import type { Executor } from '../../db/database.ts';
import { UnavailableError } from '../../errors.ts';
import type { Stamp } from '../../freshness/stamps.ts';
import type { Origin } from '../../lib/security-log.ts';
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
  /** What the personal access token of the request is for; undefined for a sign-in. */
  scopes?: readonly Scope[] | undefined;
  origin?: Origin;
  /** What the request is about to do; missing in commands, which act for nobody who is signed in. */
  act?: AuditContext;
};

/** The caller, and the state that their cached list must have to be current. */
export type Identity = { actor: Actor; stamp: Stamp };

type Waiting = {
  request: IdentityRequest;
  resolve: (identity: Identity | undefined) => void;
  reject: (error: unknown) => void;
};

// One more starts while the results of the other are processed; with more of them, each would only be smaller.
const maxReads = 2;

/**
 * Reads who the caller is with every request: role and status are never taken from the token. Requests that arrive
 * together, or while reads are in progress, are batched in the next one, which starts after all of them arrived and
 * is therefore as fresh as one read each.
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
