import { raisedError } from '../db/errors.ts';
import { byPosition } from '../db/executor.ts';
import { type Sql, sql, t } from '../db/sql/sql.ts';
import { claimKeys, isTaken } from './idempotency-repository.ts';
import type { WriteRequest } from './write-batch.ts';

// A locked row must not delay the others of a batch for long: after an error each request runs alone, with the normal timeout.
const shortLockTimeout = sql`CASE WHEN set_config('lock_timeout', '20ms', true) <> '' THEN`;

// Commands have no context, and all rights.
const verdict = sql`coalesce(
  CASE WHEN r.actor_id IS NOT NULL THEN actor_verdict(r.actor_id, r.sign_in_id, r.actor_role) END,
  CASE WHEN ${isTaken(sql`r`)} THEN 'ZA409' END)`;

/**
 * SQL: `requested`, the input of each request with its `position`, the `new_id` of what it creates, and its `verdict`: the code of the
 * error that rejects it, because its actor has lost their rights, which are locked otherwise, or because it is a repetition.
 */
export function requested<Input extends object>(
  requests: readonly WriteRequest<Input>[],
  { input, newId, alone }: { input: Sql; newId: Sql; alone: boolean },
): Sql {
  const rows = requests.map(({ actor: { context }, key, input }, index) => ({
    position: index + 1,
    actor_id: context?.actor_id,
    sign_in_id: context?.sign_in_id,
    actor_role: context?.role,
    ...key?.id,
    request_hash: key?.requestHash.toString('hex'),
    ...input,
  }));
  return sql`
    requested AS MATERIALIZED (
      SELECT r.*, ${newId} AS new_id, ${alone ? verdict : sql`${shortLockTimeout} ${verdict} END`} AS verdict
      FROM jsonb_to_recordset(${t.jsonb(JSON.stringify(rows))}) AS r (position integer, actor_id bigint, sign_in_id uuid,
        actor_role text, caller text, path text, key text, request_hash text, ${input}))`;
}

/** SQL: stores the keys of the rows `created`. */
export const claimed = sql`
    claimed AS (${claimKeys(sql`
      SELECT r.caller, r.path, r.key, r.request_hash, c.id AS resource_id
      FROM created c JOIN requested r ON r.new_id = c.id WHERE r.key IS NOT NULL`)})`;

/** For each request, in their order, the error of its verdict or the output of its row. */
export function outputsOf<Row extends { position: number; verdict: string | null }, Output>(
  requests: readonly unknown[],
  rows: readonly Row[],
  output: (row: Row) => Output,
): (Output | Error)[] {
  return byPosition(requests, rows).map((row) => {
    if (row === undefined) throw new Error('the statement returned no row for a request');
    return row.verdict === null
      ? output(row)
      : (raisedError(row.verdict) ?? new Error(`unknown verdict ${row.verdict}`));
  });
}
