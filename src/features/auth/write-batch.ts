import { isServerUnavailable, raisedError } from '../../db/errors.ts';
import { KeyTakenError, type RequestKey } from '../../http/idempotency-repository.ts';
import { createBatch } from '../../lib/batch.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from './identity.ts';

/** `key`: the Idempotency-Key of the request, which is stored with the id of what it creates. */
export type WriteRequest<Input> = { actor: Actor; input: Input; key?: RequestKey | undefined };

type Write<Input, Output> = (
  tx: TransactionStore,
  requests: readonly WriteRequest<Input>[],
) => Promise<(Output | Error)[]>;

/**
 * Requests that arrive together are written in one transaction, which takes fewer messages than one for each. `write` returns what it
 * created, or the error that rejects the request, for each of them in their order; an error of one does not affect the others.
 * If the transaction fails, each request runs again in a transaction of its own.
 */
export function createWriteBatch<Input, Output extends { id: number }>(store: Store, write: Write<Input, Output>) {
  const run = createBatch(
    async (requests: readonly WriteRequest<Input>[], alone: boolean) => {
      const sorted = [...requests].sort((a, b) => a.actor.id - b.actor.id); // locks are taken in id order
      const outputs = await store.transaction(async (tx) => {
        const rejected = await rejections(tx, sorted, alone);
        const accepted = sorted.filter((request) => !rejected.has(request));
        const written = accepted.length === 0 ? [] : await write(tx, accepted);
        await claimKeys(tx, accepted, written);
        return new Map([...rejected, ...accepted.map((request, index) => [request, written[index]] as const)]);
      });
      return requests.map((request) => outputs.get(request));
    },
    { isShared: isServerUnavailable },
  );
  return async (request: WriteRequest<Input>): Promise<Output> => {
    const output = await run(request);
    if (output === undefined) throw new Error('the batch returned nothing for a request');
    if (output instanceof Error) throw output;
    return output;
  };
}

/** Requests whose actors have lost their rights, and repetitions of earlier requests. */
async function rejections<Input>(tx: TransactionStore, requests: readonly WriteRequest<Input>[], alone: boolean) {
  const verdicts = await tx.actors.verifyAll(
    requests.map(({ actor, key }) => ({ context: actor.context, key: key?.id })),
    alone,
  );
  const rejected = new Map<WriteRequest<Input>, Error>();
  for (const [index, request] of requests.entries()) {
    const { verdict = null, key_taken = false } = verdicts[index] ?? {};
    const error = verdict === null ? undefined : raisedError(verdict);
    if (error !== undefined) rejected.set(request, error);
    else if (key_taken) rejected.set(request, new KeyTakenError());
  }
  return rejected;
}

async function claimKeys<Input, Output extends { id: number }>(
  { idempotencyKeys }: TransactionStore,
  requests: readonly WriteRequest<Input>[],
  written: (Output | Error)[],
) {
  const withKey = requests.flatMap(({ key }, index) => {
    const output = written[index];
    return key === undefined || output === undefined ? [] : [{ key, index, output }];
  });
  await idempotencyKeys.claimCreated(
    withKey.flatMap(({ key, output }) => (output instanceof Error ? [] : [{ ...key, resource_id: output.id }])),
  );
  // A request can be rejected because of what its own repetition has just created.
  for (const { key, index, output } of withKey)
    if (output instanceof Error && (await idempotencyKeys.find(key.id)) !== undefined)
      written[index] = new KeyTakenError();
}
