import { AppError, ConflictError, ValidationError } from '../../errors.ts';
import type { Reply } from '../../http/reply.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { KeyId, StoredResponse } from './idempotency-key-repository.ts';

export type Claim = KeyId & { content: string };

export function readClaim(header: string | undefined, caller: string, path: string, body: unknown): Claim | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,128}$/.test(header)) throw ValidationError.of('Idempotency-Key', 'invalid_idempotency_key');
  return { caller, path, key: header, content: JSON.stringify(body) ?? '' };
}

/**
 * Runs `work` once per key. The key is claimed first, so a concurrent identical request, in any process, waits for
 * this transaction and then gets the stored response. A rejected request stores none and can be retried. Requests may
 * contain passwords: only their keyed digest is stored. Responses are stored encrypted.
 */
export function runOnce<Data>(
  store: Store,
  seal: Seal,
  claim: Claim,
  work: (store: Store) => Promise<Reply<Data> | AppError>,
  render: (reply: Reply) => StoredResponse,
): Promise<Reply<Data> | AppError> {
  return store.transaction(async (tx) => {
    if (!(await tx.idempotencyKeys.claim(claim, seal.digest(claim.content)))) return replay(tx, seal, claim);
    const outcome = await work(tx);
    if (outcome instanceof AppError) {
      await tx.idempotencyKeys.release(claim);
      return outcome;
    }
    const response = render(outcome);
    await tx.idempotencyKeys.storeResponse(claim, { ...response, body: seal.seal(response.body) });
    return outcome;
  });
}

async function replay(tx: TransactionStore, seal: Seal, claim: Claim): Promise<Reply<never>> {
  const stored = await tx.idempotencyKeys.find(claim);
  if (stored === undefined) throw new ConflictError('CONFLICT', 'conflict'); // purged between the two statements
  if (!seal.matches(claim.content, stored.request_hash))
    throw new ConflictError('IDEMPOTENCY_MISMATCH', 'idempotency_mismatch');
  const { status, location } = stored;
  const body = seal.open(stored.body ?? '');
  if (body === undefined || status === null) throw new ConflictError('CONFLICT', 'conflict'); // encrypted with a former secret
  const headers = { 'Idempotent-Replayed': 'true' };
  return { status, bytes: Buffer.from(body), headers, ...(location !== null && { location }) };
}
