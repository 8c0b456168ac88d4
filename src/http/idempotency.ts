import { commitsOnError, type Database, type Executor, sql } from '../db/database.ts';
import { ConflictError, ValidationError } from '../errors.ts';
import type { Seal } from '../lib/seal.ts';
import type { Reply } from './envelope.ts';

type Answer = { status: number; location: string | null; body: string };
type Claim = { caller: string; path: string; key: string; content: string };
type Kept = Answer & { request_hash: Buffer };

const claimKey = sql(`
  INSERT INTO idempotency_keys (caller, path, key, request_hash) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
    SET request_hash = excluded.request_hash, status = NULL, location = NULL, body = NULL, created_at = now()
    WHERE idempotency_keys.created_at < now() - interval '24 hours'
  RETURNING 1 AS claimed`);
const findKey = sql(`
  SELECT request_hash, status, location, body FROM idempotency_keys WHERE caller = $1 AND path = $2 AND key = $3`);
const keepAnswer = sql(`
  UPDATE idempotency_keys SET status = $4, location = $5, body = $6 WHERE caller = $1 AND path = $2 AND key = $3`);
const releaseKey = sql('DELETE FROM idempotency_keys WHERE caller = $1 AND path = $2 AND key = $3');
const sweepKeys = sql(`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`);

/** Reads the header; throws ValidationError for a key that is not 1 to 128 visible ASCII characters. */
export function readClaim(header: string | undefined, caller: string, path: string, body: unknown): Claim | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,128}$/.test(header)) throw ValidationError.of('Idempotency-Key', 'invalid_idempotency_key');
  return { caller, path, key: header, content: JSON.stringify(body) ?? '' };
}

/**
 * Runs `work` once per key. The key is claimed first, so an equal request at the same moment, in whichever process,
 * waits for this transaction and then finds the kept answer. A refused request keeps nothing and may be tried again.
 * Requests may hold passwords: a keyed digest of them is kept. Answers are kept sealed, as `render` makes them.
 */
export async function runOnce<Data>(
  database: Database,
  seal: Seal,
  claim: Claim,
  work: (db: Executor) => Promise<Reply<Data>>,
  render: (reply: Reply) => Answer,
): Promise<Reply<Data>> {
  const { caller, path, key, content } = claim;
  return database.transaction(async (tx) => {
    const [claimed] = await tx.rows(claimKey, [caller, path, key, seal.digest(content)]);
    if (claimed === undefined) return replay(tx, seal, claim);
    try {
      const reply = await work(tx);
      const answer = render(reply);
      await tx.rows(keepAnswer, [caller, path, key, answer.status, answer.location, seal.seal(answer.body)]);
      return reply;
    } catch (error) {
      if (commitsOnError(error)) await tx.rows(releaseKey, [caller, path, key]);
      throw error;
    }
  });
}

async function replay(tx: Executor, seal: Seal, { caller, path, key, content }: Claim): Promise<Reply<never>> {
  const [kept] = await tx.rows<Kept>(findKey, [caller, path, key]);
  if (kept === undefined) throw new ConflictError('CONFLICT', 'conflict'); // swept between the two statements
  if (!seal.matches(content, kept.request_hash))
    throw new ConflictError('IDEMPOTENCY_MISMATCH', 'idempotency_mismatch');
  const body = seal.open(kept.body);
  if (body === undefined) throw new ConflictError('CONFLICT', 'conflict'); // sealed under a secret that is gone
  const { status, location } = kept;
  const headers = { 'Idempotent-Replayed': 'true' };
  return { status, bytes: Buffer.from(body), headers, ...(location !== null && { location }) };
}

/** Forgets keys older than a day; for the periodic housekeeping. */
export async function sweepIdempotencyKeys(db: Executor): Promise<void> {
  await db.rows(sweepKeys);
}
