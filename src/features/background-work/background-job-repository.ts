import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { backgroundKinds } from './background-work-schemas.ts';

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

function rowOf({ kind, queue = '', ordering_key, payload, created_at }: NewBackgroundJob) {
  const job = { kind, queue, ordering_key: ordering_key ?? null, payload: JSON.stringify(payload) };
  return { ...job, created_at, next_at: created_at };
}

/** Methods that report an outcome return false if the claim is no longer current. */
export function createBackgroundJobRepository(db: Executor) {
  const current = (statement: string, { id, claims }: ClaimNumber) =>
    db.table('background_jobs', statement).where({ id, claims }).whereNotNull('claimed_at');
  return {
    async insert(job: NewBackgroundJob): Promise<void> {
      await db.table('background_jobs', 'insert_background_job').insert(rowOf(job));
    },
    async insertAll(jobs: readonly NewBackgroundJob[]): Promise<void> {
      if (jobs.length > 0) await db.table('background_jobs').insert(jobs.map(rowOf));
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

const summaryColumns = {
  kind: t.oneOf(backgroundKinds),
  queued: t.bigint,
  running: t.bigint,
  failed: t.bigint,
  oldest_at: t.timestamptz.orNull,
  next_attempt_at: t.timestamptz.orNull,
  last_error_code: t.text.orNull,
  last_failed_at: t.timestamptz.orNull,
};
export type KindOfWork = RowOf<typeof summaryColumns>;

// One pass over the jobs, of which there can be hundreds of thousands; an index finds the last failure.
const summarize = query('summarize_background_work', summaryColumns, (moment: Date) => {
  const now = t.timestamptz(moment);
  return sql`
    SELECT k.kind, coalesce(c.unfinished - c.running - c.failed, 0) AS queued, coalesce(c.running, 0) AS running,
      coalesce(c.failed, 0) AS failed, c.oldest_at, c.next_attempt_at, f.error_code AS last_error_code,
      f.failed_at AS last_failed_at
    FROM unnest(${t.texts(backgroundKinds)}) WITH ORDINALITY AS k (kind, position)
    LEFT JOIN (
      SELECT j.kind, count(*) AS unfinished, count(*) FILTER (WHERE j.is_running) AS running,
        count(*) FILTER (WHERE j.has_failed AND NOT j.is_running) AS failed, min(j.created_at) AS oldest_at,
        min(j.next_at) FILTER (WHERE j.has_failed AND NOT j.is_running) AS next_attempt_at
      FROM (
        SELECT b.kind, b.created_at, b.next_at, b.claimed_at IS NOT NULL AND b.next_at > ${now} AS is_running,
          b.error_code IS NOT NULL AS has_failed
        FROM background_jobs b) AS j
      GROUP BY j.kind) AS c ON c.kind = k.kind
    LEFT JOIN LATERAL (
      SELECT b.error_code, b.failed_at FROM background_jobs b
      WHERE b.kind = k.kind AND b.failed_at IS NOT NULL ORDER BY b.failed_at DESC LIMIT 1) AS f ON true
    ORDER BY k.position`;
});

export function createBackgroundWorkReadModel(db: Executor) {
  return { summarize: (now: Date): Promise<KindOfWork[]> => db.many(summarize(now)) };
}
export type BackgroundWorkReadModel = ReturnType<typeof createBackgroundWorkReadModel>;
