import type { Request } from 'express';
import type { Encryption } from '../lib/secrets/encryption.ts';
import { AppError, ConflictError, KeyTakenError, ValidationError } from '../texts/errors.ts';
import type { KeyId } from '../transactions/idempotency-repository.ts';
import * as idempotencyKeys from '../transactions/idempotency-repository.ts';
import type { Db } from '../transactions/transactions.ts';
import type { Operation, Outcome, Work } from './operation.ts';
import { render, withoutSecrets } from './rendering.ts';
import type { Reply } from './reply.ts';

export type Claim = KeyId & { content: string };
export type Idempotency = ReturnType<typeof createIdempotency>;

/** The most that a run of the job leaves of one caller, so that keys of one caller cannot fill the database. */
const keysPerCaller = 50_000;

export async function purgeKeys(db: Db): Promise<void> {
  await idempotencyKeys.purgeExpired(db);
  await idempotencyKeys.purgeExcess(db, keysPerCaller);
}

export function createIdempotency({ store, encryption }: { store: Db; encryption: Encryption }) {
  async function replay(db: Db, claim: Claim, work: Work): Promise<Reply> {
    const stored = await idempotencyKeys.find(db, claim);
    if (stored === undefined) throw new ConflictError('CONFLICT', 'conflict'); // purged between the two statements
    if (!encryption.matches(claim.content, stored.request_hash))
      throw new ConflictError('IDEMPOTENCY_MISMATCH', 'idempotency_mismatch');
    const headers = { 'Idempotent-Replayed': 'true' };
    if (stored.resource_id !== null && work.replay !== undefined)
      return { ...(await work.replay(stored.resource_id)), headers };
    const { status, location } = stored;
    const body = encryption.decrypt(stored.body ?? '');
    if (body === undefined || status === null) throw new ConflictError('CONFLICT', 'conflict'); // encrypted with a former secret
    return { status, bytes: Buffer.from(body), headers, ...(location !== null && { location }) };
  }

  return {
    /** The Idempotency-Key of a request, which is scoped to the caller and the path; undefined without one. */
    claimOf(
      operation: Operation,
      { info, identity, headersDistinct }: Request,
      { params, body }: Work,
    ): Claim | undefined {
      const key = info.header('idempotency-key');
      if (key === undefined) return undefined;
      if ((headersDistinct['idempotency-key'] ?? []).length > 1)
        throw ValidationError.of('Idempotency-Key', 'header_given_once');
      if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw ValidationError.of('Idempotency-Key', 'invalid_idempotency_key');
      const caller = identity === undefined ? `address ${info.address}` : `user ${identity.actor.id}`;
      return { caller, path: pathOf(operation, params), key, content: JSON.stringify(body) ?? '' };
    },

    /**
     * Runs the work once per key. Work with a `replay` claims the key itself. For other work the key is claimed first, so a
     * concurrent identical request, in any process, waits for this transaction and then gets the stored response. A rejected
     * request stores none and can be retried. Requests may contain passwords: only their keyed digest is stored. Responses
     * are stored encrypted.
     */
    async run(operation: Operation, { info }: Request, claim: Claim, work: Work): Promise<Outcome> {
      const requestKey = { id: claim, requestHash: encryption.digest(claim.content) };
      if (work.replay !== undefined) {
        return await work.run(store, requestKey).catch((error: unknown) => {
          if (error instanceof KeyTakenError) return replay(store, claim, work);
          throw error;
        });
      }
      return store.asService(async (tx): Promise<Outcome> => {
        if (!(await idempotencyKeys.claim(tx, requestKey))) return replay(tx, claim, work);
        const outcome = await work.run(tx);
        if (outcome instanceof AppError) {
          await idempotencyKeys.release(tx, claim);
          return outcome;
        }
        if ('stream' in outcome) throw new Error(`${operation.id} is idempotent, but returned a stream`);
        const body = render(operation, withoutSecrets(operation, outcome), info.locale).toString();
        const { status = operation.status ?? 200, location = null } = outcome;
        await idempotencyKeys.storeResponse(tx, claim, { status, location, body: encryption.encrypt(body) });
        return outcome;
      });
    },
  };
}

/** The path with parsed parameters, whose length is bounded. */
function pathOf(operation: Operation, params: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  return operation.path.replace(/:(\w+)/g, (_, name: string) => String(values.get(name)));
}
