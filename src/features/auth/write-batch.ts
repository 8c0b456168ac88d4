import { isServerUnavailable, raisedError } from '../../db/errors.ts';
import { KeyTakenError, type RequestKey } from '../../http/idempotency-repository.ts';
import { createBatch } from '../../lib/batch.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from './identity.ts';

/** `key`: the Idempotency-Key of the request, which is stored with the id of what it creates. */
export type WriteRequest<Input> = { actor: Actor; input: Input; key?: RequestKey | undefined };

/**
 * Requests that arrive together are written in one transaction, which takes fewer messages than one for each. `write` returns what it
 * created, or the error that rejects the request, for each of them in their order; an error of one does not affect the others.
 * If the transaction fails, each request runs again in a transaction of its own.
 */
export function createWriteBatch<Input, Output extends { id: number }>(
  store: Store,
  write: (tx: TransactionStore, requests: readonly WriteRequest<Input>[]) => Promise<readonly (Output | Error)[]>,
): (request: WriteRequest<Input>) => Promise<Output> {
  const run = createBatch(
    async (requests: readonly WriteRequest<Input>[]) => {
      const outputs = new Map<WriteRequest<Input>, Output | Error>();
      // Locks are taken in id order.
      const sorted = [...requests].sort((a, b) => a.actor.id - b.actor.id);
      await store.transaction(async (tx) => {
        const verdicts = await tx.actors.verifyAll(
          sorted.map(({ actor, key }) => ({ context: actor.act, key: key?.id })),
        );
        const accepted = sorted.filter((request, index) => {
          const { verdict = null, key_taken = false } = verdicts[index] ?? {};
          const error = verdict === null ? (key_taken ? new KeyTakenError() : undefined) : raisedError(verdict);
          if (error !== undefined) outputs.set(request, error);
          return error === undefined;
        });
        const written = accepted.length === 0 ? [] : await write(tx, accepted);
        const created = written.flatMap((output, index) => {
          const request = accepted[index];
          if (request === undefined) throw new Error(`${written.length} outputs for ${accepted.length} requests`);
          outputs.set(request, output);
          return output instanceof Error || request.key === undefined
            ? []
            : [{ ...request.key, resource_id: output.id }];
        });
        await tx.idempotencyKeys.claimCreated(created);
      });
      return requests.map((request) => outputs.get(request));
    },
    { isShared: isServerUnavailable },
  );
  return async (request) => {
    const output = await run(request);
    if (output === undefined) throw new Error('the batch returned nothing for a request');
    if (output instanceof Error) throw output;
    return output;
  };
}
