import { isServerUnavailable } from '../../db/errors.ts';
import { ConflictError, KeyTakenError } from '../../errors.ts';
import type { RequestKey } from '../../http/idempotency-repository.ts';
import { createBatch } from '../../lib/batch.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from './identity.ts';

/** `key`: the Idempotency-Key of the request, which is stored with the id of what it creates. */
export type WriteRequest<Input> = { actor: Actor; input: Input; key?: RequestKey | undefined };

type Written<Output> = readonly (Output | Error)[];

type Writes<Input, Output> = {
  /**
   * In one message instead of the three of a transaction, for writes from which nothing else follows. Returns undefined if
   * something does, after writing nothing.
   */
  inOneStatement?: (requests: readonly WriteRequest<Input>[], alone: boolean) => Promise<Written<Output> | undefined>;
  inTransaction: (
    tx: TransactionStore,
    requests: readonly WriteRequest<Input>[],
    alone: boolean,
  ) => Promise<Written<Output>>;
};

/**
 * Requests that arrive together are written in one transaction, which takes fewer messages than one for each. The functions return what
 * they created, or the error that rejects the request, for each of them in their order; an error of one does not affect the others.
 * If the transaction fails, each request runs again in a transaction of its own.
 */
export function createWriteBatch<Input, Output>(store: Store, writes: Writes<Input, Output>) {
  const run = createBatch(
    async (requests: readonly WriteRequest<Input>[], alone: boolean) => {
      const sorted = [...requests].sort((a, b) => a.actor.id - b.actor.id); // locks are taken in id order
      const written =
        (await writes.inOneStatement?.(sorted, alone)) ??
        (await store.transaction((tx) => writes.inTransaction(tx, sorted, alone)));
      const outputs = new Map(sorted.map((request, index) => [request, written[index]]));
      return requests.map((request) => outputs.get(request));
    },
    { isShared: isServerUnavailable },
  );
  /** A request can conflict with what its own repetition has just created. */
  async function isRepeated({ key }: WriteRequest<Input>, error: Error): Promise<boolean> {
    return (
      error instanceof ConflictError && key !== undefined && (await store.idempotencyKeys.find(key.id)) !== undefined
    );
  }

  return async (request: WriteRequest<Input>): Promise<Output> => {
    const output = await run(request);
    if (output === undefined) throw new Error('the batch returned nothing for a request');
    if (!(output instanceof Error)) return output;
    throw (await isRepeated(request, output)) ? new KeyTakenError() : output;
  };
}
