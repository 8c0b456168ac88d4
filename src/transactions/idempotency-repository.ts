import { type Sql, sql, t } from '../db/sql/sql.ts';
import { changes, execute, maybeOne } from '../db/statements.ts';

/** Keys are scoped to a caller and a path. */
export type KeyId = { caller: string; path: string; key: string };
/** A key with the digest of its request. */
export type RequestKey = { id: KeyId; requestHash: Buffer };

export type StoredResponse = { status: number; location: string | null; body: string };

const isKey = ({ caller, path, key }: KeyId) =>
  sql`caller = ${t.text(caller)} AND path = ${t.text(path)} AND key = ${t.text(key)}`;
const lifetime = sql`interval '24 hours'`;
const expired = sql`(idempotency_keys.created_at < now() - ${lifetime})`;

/** SQL: whether the key of a row is taken. Not by EXISTS, because the planner may then read all keys. */
export const isTaken = (row: Sql): Sql => sql`
  (SELECT k.key FROM idempotency_keys k WHERE k.caller = ${row}.caller AND k.path = ${row}.path AND k.key = ${row}.key
     AND k.created_at >= now() - ${lifetime}) IS NOT NULL`;

/** SQL: inserts rows of caller, path, key, hexadecimal digest and, if a repetition returns what the request created, its id. */
const insertKeys = (rows: Sql, isReplaced: Sql): Sql => sql`
  INSERT INTO idempotency_keys (caller, path, key, request_hash, resource_id)
  SELECT k.caller, k.path, k.key, decode(k.request_hash, 'hex'), k.resource_id
  FROM (${rows}) AS k (caller, path, key, request_hash, resource_id)
  ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
    SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, status = NULL, location = NULL,
      body = NULL, created_at = now()
    WHERE ${isReplaced}`;

/** SQL: the same; a key that is taken raises KeyTakenError. */
export const claimKeys = (rows: Sql): Sql => insertKeys(rows, sql`CASE WHEN ${expired} THEN true ELSE key_taken() END`);

/** Before the work of the request. Returns false if the key is taken. Waits for a transaction that is claiming it. */
export const claim = changes('claim_idempotency_key', ({ id, requestHash }: RequestKey) =>
  insertKeys(
    sql`SELECT ${t.text(id.caller)}, ${t.text(id.path)}, ${t.text(id.key)}, ${t.text(requestHash.toString('hex'))},
      NULL::bigint`,
    expired,
  ),
);
export const find = maybeOne(
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
export const storeResponse = execute(
  'store_idempotent_response',
  (id: KeyId, { status, location, body }: StoredResponse) => sql`
    UPDATE idempotency_keys SET status = ${t.integer(status)}, location = ${t.text(location)}, body = ${t.text(body)}
    WHERE ${isKey(id)}`,
);
export const release = execute(
  'release_idempotency_key',
  (id: KeyId) => sql`DELETE FROM idempotency_keys WHERE ${isKey(id)}`,
);
export const purgeExpired = execute('purge_idempotency_keys', () => sql`DELETE FROM idempotency_keys WHERE ${expired}`);
/** All but the newest keys of each caller. */
export const purgeExcess = execute(
  'purge_excess_idempotency_keys',
  (perCaller: number) => sql`
    DELETE FROM idempotency_keys USING (
      SELECT k.caller, (SELECT n.created_at FROM idempotency_keys n WHERE n.caller = k.caller
        ORDER BY n.created_at DESC OFFSET ${t.bigint(perCaller)} LIMIT 1) AS newest
      FROM idempotency_keys k GROUP BY k.caller HAVING count(*) > ${t.bigint(perCaller)}) AS excess
    WHERE idempotency_keys.caller = excess.caller AND idempotency_keys.created_at <= excess.newest`,
);
