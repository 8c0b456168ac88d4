import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';

const jobColumns = {
  id: t.bigint,
  kind: t.text,
  queue: t.text,
  ordering_key: t.text.orNull,
  payload: t.json<unknown>(),
  created_at: t.timestamptz,
  claims: t.integer,
  failures: t.integer,
};

export type BackgroundJob = RowOf<typeof jobColumns>;
const columns = sql`b.id, b.kind, b.queue, b.ordering_key, b.payload, b.created_at, b.claims, b.failures`;

export type NewBackgroundJob = {
  kind: string;
  queue?: string;
  ordering_key?: string;
  payload: unknown;
  created_at: Date;
};

export type Claim = { kind: string; queue: string; now: Date; leaseEnd: Date };
// The row lock, and the condition checked again under it, admit one process. Ids of jobs with the same key follow the
// order of commits, since their writers lock the object that the key names.
const claimNext = query('claim_background_job', jobColumns, ({ kind, queue, now, leaseEnd }: Claim) => {
  const [ofKind, inQueue, moment] = [t.text(kind), t.text(queue), t.timestamptz(now)];
  return sql`
    WITH due AS (
      SELECT j.id FROM background_jobs j
      WHERE j.kind = ${ofKind} AND j.queue = ${inQueue} AND j.next_at <= ${moment}
        AND NOT EXISTS (
          SELECT FROM background_jobs o
          WHERE o.kind = ${ofKind} AND o.queue = ${inQueue} AND o.ordering_key = j.ordering_key AND o.id < j.id)
      ORDER BY j.id LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE background_jobs b
    SET claimed_at = ${moment}, next_at = ${t.timestamptz(leaseEnd)}, claims = claims + 1
    FROM due WHERE b.id = due.id
    RETURNING ${columns}`;
});

export type ClaimNumber = Pick<BackgroundJob, 'id' | 'claims'>;
// A claim that outlived its lease has another number than its successor, and changes nothing.
const isCurrent = ({ id, claims }: ClaimNumber) =>
  sql`id = ${t.bigint(id)} AND claims = ${t.integer(claims)} AND claimed_at IS NOT NULL`;

const retryJob = command(
  'retry_background_job',
  (claim: ClaimNumber, nextAt: Date, errorCode: string, now: Date) => sql`
    UPDATE background_jobs
    SET claimed_at = NULL, next_at = ${t.timestamptz(nextAt)}, failures = failures + 1,
      error_code = ${t.text(errorCode)}, failed_at = ${t.timestamptz(now)}
    WHERE ${isCurrent(claim)}`,
);

const listByKey = query(
  'list_background_jobs_by_key',
  jobColumns,
  (kind: string, key: string, limit: number) => sql`
    SELECT ${columns} FROM background_jobs b
    WHERE b.kind = ${t.text(kind)} AND b.queue = '' AND b.ordering_key = ${t.text(key)}
    ORDER BY b.id LIMIT ${t.integer(limit)}`,
);
const deleteJobs = command(
  'delete_background_jobs',
  (ids: readonly number[]) => sql`DELETE FROM background_jobs WHERE id = ANY(${t.bigints(ids)})`,
);

/** Methods that report an outcome return false if the claim is no longer current. */
export function createBackgroundJobRepository(db: Executor) {
  const current = (statement: string, { id, claims }: ClaimNumber) =>
    db.table('background_jobs', statement).where({ id, claims }).whereNotNull('claimed_at');
  return {
    async insert({ kind, queue = '', ordering_key, payload, created_at }: NewBackgroundJob): Promise<void> {
      const job = { kind, queue, ordering_key: ordering_key ?? null, payload: JSON.stringify(payload) };
      const row = { ...job, created_at, next_at: created_at };
      await db.table('background_jobs', 'insert_background_job').insert(row);
    },
    /** Claims the oldest due job until `leaseEnd`, for one process only. */
    claimNext: (claim: Claim) => db.maybeOne(claimNext(claim)),
    complete: async (claim: ClaimNumber) => (await current('complete_background_job', claim).delete()) > 0,
    retry: async (claim: ClaimNumber, nextAt: Date, errorCode: string, now: Date) =>
      (await db.execute(retryJob(claim, nextAt, errorCode, now))) > 0,
    /** Releases the claim without counting a failure. */
    postpone: async (claim: ClaimNumber, next_at: Date) =>
      (await current('postpone_background_job', claim).update({ claimed_at: null, next_at })) > 0,
    listByKey: (kind: string, key: string, limit: number) => db.many(listByKey(kind, key, limit)),
    deleteOlderThan: async (before: Date) =>
      db.table('background_jobs', 'delete_abandoned_background_jobs').where('created_at', '<', before).delete(),
    deleteAll: (ids: readonly number[]) => db.execute(deleteJobs(ids)),
  };
}
