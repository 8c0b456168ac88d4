import type { Actor } from '../actor.ts';
import { isServerUnavailable } from '../db/errors.ts';
import { createBatch } from '../lib/batch.ts';
import { ConflictError, KeyTakenError } from '../texts/errors.ts';
import type { RequestKey } from './idempotency-repository.ts';
import * as idempotencyKeys from './idempotency-repository.ts';
import type { Db, Tx } from './transactions.ts';

/** `key`: the Idempotency-Key of the request, which is stored with the id of what it creates. */
export type WriteRequest<Input> = { actor: Actor; input: Input; key?: RequestKey | undefined };

/** Returns what each request created, or the error that rejects it, in their order; an error of one does not affect the others. */
type WriteAll<Input, Output> = (
  tx: Tx,
  requests: readonly WriteRequest<Input>[],
  alone: boolean,
) => Promise<readonly (Output | Error)[]>;

/**
 * Requests that arrive together are written in one transaction, which takes fewer messages than one for each. If the transaction fails, each request runs again in a transaction of its own.
 */
export function createWriteBatch<Input, Output>(store: Db, writeAll: WriteAll<Input, Output>) {
  const run = createBatch(
    async (requests: readonly WriteRequest<Input>[], alone: boolean) => {
      const sorted = [...requests].sort((a, b) => a.actor.id - b.actor.id); // locks are taken in id order
      const written = await store.asService((tx) => writeAll(tx, sorted, alone));
      const outputs = new Map(sorted.map((request, index) => [request, written[index]]));
      return requests.map((request) => outputs.get(request));
    },
    { isShared: isServerUnavailable },
  );
  /** A request can conflict with what its own repetition has just created. */
  async function isRepeated({ key }: WriteRequest<Input>, error: Error): Promise<boolean> {
    return (
      error instanceof ConflictError && key !== undefined && (await idempotencyKeys.find(store, key.id)) !== undefined
    );
  }

  return async (request: WriteRequest<Input>): Promise<Output> => {
    const output = await run(request);
    if (output === undefined) throw new Error('the batch returned nothing for a request');
    if (!(output instanceof Error)) return output;
    throw (await isRepeated(request, output)) ? new KeyTakenError() : output;
  };
}
