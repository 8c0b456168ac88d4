import type { Executor } from '../db/database.ts';
import { type Sql, sql, t } from '../db/sql/sql.ts';
import { command, query } from '../db/sql/statement.ts';

/** Keys are scoped to a caller and a path. */
export type KeyId = { caller: string; path: string; key: string };
/** A key with the digest of its request. */
export type RequestKey = { id: KeyId; requestHash: Buffer };
/** The key was used before: the request is a repetition. */
export class KeyTakenError extends Error {}

export type StoredResponse = { status: number; location: string | null; body: string };

const isKey = ({ caller, path, key }: KeyId) =>
  sql`caller = ${t.text(caller)} AND path = ${t.text(path)} AND key = ${t.text(key)}`;
const lifetime = sql`interval '24 hours'`;
const expired = sql`(idempotency_keys.created_at < now() - ${lifetime})`;

/** SQL: whether a key is taken. Not by EXISTS, because the planner may then read all keys. */
export const isTaken = ({ caller, path, key }: Readonly<Record<keyof KeyId, Sql>>): Sql => sql`
  (SELECT k.key FROM idempotency_keys k WHERE k.caller = ${caller} AND k.path = ${path} AND k.key = ${key}
     AND k.created_at >= now() - ${lifetime}) IS NOT NULL`;

/** `resource_id`: what the request created, if that is what a repetition returns instead of the response. */
type KeyClaim = RequestKey & { resource_id: number | null };
const claimKeys = command('claim_idempotency_keys', (claims: readonly KeyClaim[]) => {
  const texts = (of: (claim: KeyClaim) => string) => t.texts(claims.map(of));
  return sql`
    INSERT INTO idempotency_keys (caller, path, key, request_hash, resource_id)
    SELECT k.caller, k.path, k.key, decode(k.request_hash, 'hex'), k.resource_id
    FROM unnest(${texts(({ id }) => id.caller)}, ${texts(({ id }) => id.path)}, ${texts(({ id }) => id.key)},
      ${texts(({ requestHash }) => requestHash.toString('hex'))}, ${t.bigints(claims.map((claim) => claim.resource_id))})
      AS k (caller, path, key, request_hash, resource_id)
    ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
      SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, status = NULL, location = NULL,
        body = NULL, created_at = now()
      WHERE ${expired}`;
});
const findKey = query(
  'find_idempotency_key',
  {
    request_hash: t.bytea,
    status: t.integer.orNull,
    location: t.text.orNull,
    body: t.text.orNull,
    resource_id: t.bigint.orNull,
  },
  (id: KeyId) => sql`
    SELECT request_hash, status, location, body, resource_id FROM idempotency_keys
    WHERE ${isKey(id)} AND NOT ${expired}`,
);
const storeResponse = command(
  'store_idempotent_response',
  (id: KeyId, { status, location, body }: StoredResponse) => sql`
    UPDATE idempotency_keys SET status = ${t.integer(status)}, location = ${t.text(location)}, body = ${t.text(body)}
    WHERE ${isKey(id)}`,
);
const releaseKey = command(
  'release_idempotency_key',
  (id: KeyId) => sql`DELETE FROM idempotency_keys WHERE ${isKey(id)}`,
);
const purgeExpired = command('purge_idempotency_keys', () => sql`DELETE FROM idempotency_keys WHERE ${expired}`);
const purgeExcess = command(
  'purge_excess_idempotency_keys',
  (perCaller: number) => sql`
    DELETE FROM idempotency_keys USING (
      SELECT k.caller, (SELECT n.created_at FROM idempotency_keys n WHERE n.caller = k.caller
        ORDER BY n.created_at DESC OFFSET ${t.bigint(perCaller)} LIMIT 1) AS newest
      FROM idempotency_keys k GROUP BY k.caller HAVING count(*) > ${t.bigint(perCaller)}) AS excess
    WHERE idempotency_keys.caller = excess.caller AND idempotency_keys.created_at <= excess.newest`,
);

export function createIdempotencyKeyRepository(db: Executor) {
  return {
    /** Before the work of the request. Returns false if the key is taken. Waits for a transaction that is claiming it. */
    claim: async (key: RequestKey) => (await db.execute(claimKeys([{ ...key, resource_id: null }]))) > 0,
    /** After the work: throws KeyTakenError, which undoes it, if one of the keys is taken. */
    async claimCreated(created: readonly KeyClaim[]): Promise<void> {
      if (created.length > 0 && (await db.execute(claimKeys(created))) < created.length) throw new KeyTakenError();
    },
    find: (id: KeyId) => db.maybeOne(findKey(id)),
    storeResponse: (id: KeyId, response: StoredResponse) => db.execute(storeResponse(id, response)),
    release: (id: KeyId) => db.execute(releaseKey(id)),
    purgeExpired: () => db.execute(purgeExpired()),
    /** All but the newest keys of each caller. */
    purgeExcess: (perCaller: number) => db.execute(purgeExcess(perCaller)),
  };
}
