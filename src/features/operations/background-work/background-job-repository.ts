import type { Executor } from '../../../db/database.ts';
import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { changes, execute, many, maybeOne } from '../../../db/statements.ts';
import { backgroundKinds } from './background-work-schemas.ts';

const jobColumns = {
  id: t.bigint,
  kind: t.text,
  queue: t.text,
  ordering_key: t.text.orNull,
  sender: t.bigint.orNull,
  payload: t.json<unknown>(),
  created_at: t.timestamptz,
  claims: t.integer,
  failures: t.integer,
};

export type BackgroundJob = RowOf<typeof jobColumns>;
const columns = sql`b.id, b.kind, b.queue, b.ordering_key, b.sender, b.payload, b.created_at, b.claims, b.failures`;

export type NewBackgroundJob = {
  kind: string;
  queue?: string;
  ordering_key?: string;
  /** The user who caused it: jobs of different senders alternate. */
  sender?: number | undefined;
  payload: unknown;
  created_at: Date;
};

export type Claim = { kind: string; queue: string; now: Date; leaseEnd: Date };
// The row lock, and the condition checked again under it, admit one process. Ids of jobs with the same key follow the
// order of commits, since their writers lock the object that the key names.
/** Claims the first due job until `leaseEnd`, for one process only. */
export const claimNext = maybeOne('claim_background_job', jobColumns, ({ kind, queue, now, leaseEnd }: Claim) => {
  const [ofKind, inQueue, moment] = [t.text(kind), t.text(queue), t.timestamptz(now)];
  return sql`
    WITH due AS (
      SELECT j.id FROM background_jobs j
      WHERE j.kind = ${ofKind} AND j.queue = ${inQueue} AND j.next_at <= ${moment}
        AND NOT EXISTS (
          SELECT FROM background_jobs o
          WHERE o.kind = ${ofKind} AND o.queue = ${inQueue} AND o.ordering_key = j.ordering_key AND o.id < j.id)
      ORDER BY j.turn, j.id LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE background_jobs b
    SET claimed_at = ${moment}, next_at = ${t.timestamptz(leaseEnd)}, claims = claims + 1, merge_key = NULL
    FROM due WHERE b.id = due.id
    RETURNING ${columns}`;
});

export type ClaimNumber = Pick<BackgroundJob, 'id' | 'claims'>;
// A claim that outlived its lease has another number than its successor, and changes nothing.
const isCurrent = ({ id, claims }: ClaimNumber) =>
  sql`id = ${t.bigint(id)} AND claims = ${t.integer(claims)} AND claimed_at IS NOT NULL`;

export const retry = changes(
  'retry_background_job',
  (claim: ClaimNumber, nextAt: Date, errorCode: string, now: Date) => sql`
    UPDATE background_jobs
    SET claimed_at = NULL, next_at = ${t.timestamptz(nextAt)}, failures = failures + 1,
      error_code = ${t.text(errorCode)}, failed_at = ${t.timestamptz(now)}
    WHERE ${isCurrent(claim)}`,
);

export const listByKey = many(
  'list_background_jobs_by_key',
  jobColumns,
  (kind: string, key: string, limit: number) => sql`
    SELECT ${columns} FROM background_jobs b
    WHERE b.kind = ${t.text(kind)} AND b.queue = '' AND b.ordering_key = ${t.text(key)}
    ORDER BY b.id LIMIT ${t.integer(limit)}`,
);
export const deleteAll = execute(
  'delete_background_jobs',
  (ids: readonly number[]) => sql`DELETE FROM background_jobs WHERE id = ANY(${t.bigints(ids)})`,
);

/**
 * SQL: the turn after which the next jobs of a sender follow: after those that wait already, but not before the first of the queue. Jobs
 * inserted at the same time may get the same turns, which is as fair.
 */
export const lastTurn = (kind: Sql, queue: Sql, sender: Sql) => sql`
  greatest(0,
    (SELECT max(l.turn) FROM background_jobs l WHERE l.kind = ${kind} AND l.queue = ${queue} AND l.sender = ${sender}),
    (SELECT min(f.turn) - 1 FROM background_jobs f WHERE f.kind = ${kind} AND f.queue = ${queue}))`;

type NewJobs = Omit<NewBackgroundJob, 'payload'>;
const insertJobs = execute('insert_background_jobs', (job: NewJobs, payloads: readonly unknown[]) => {
  const [kind, queue, created] = [t.text(job.kind), t.text(job.queue ?? ''), t.timestamptz(job.created_at)];
  const sender = sql`${t.bigint(job.sender ?? null)}::bigint`;
  return sql`
    INSERT INTO background_jobs (kind, queue, ordering_key, sender, turn, payload, created_at, next_at)
    SELECT ${kind}, ${queue}, ${t.text(job.ordering_key ?? null)}, ${sender},
      ${lastTurn(sql`${kind}`, sql`${queue}`, sender)} + p.position, p.payload, ${created}, ${created}
    FROM jsonb_array_elements(${t.jsonb(JSON.stringify(payloads))}) WITH ORDINALITY AS p (payload, position)
    ORDER BY p.position`;
});

/** `list`: that of the payload in which the lists of merged jobs are united. */
export type Merged = { key: string; list: string };
// A claim takes the key away, so that what is enqueued while the job runs is a job of its own.
export const insertMerged = execute('insert_merged_background_job', (job: NewBackgroundJob, { key, list }: Merged) => {
  const [kind, created, merged] = [t.text(job.kind), t.timestamptz(job.created_at), t.text(key)];
  const name = sql`${t.text(list)}::text`;
  return sql`
    INSERT INTO background_jobs AS j (kind, ordering_key, merge_key, sender, payload, created_at, next_at)
    VALUES (${kind}, ${merged}, ${merged}, ${t.bigint(job.sender ?? null)}, ${t.jsonb(JSON.stringify(job.payload))}, ${created}, ${created})
    ON CONFLICT (kind, merge_key) WHERE merge_key IS NOT NULL DO UPDATE SET payload = excluded.payload || jsonb_build_object(${name}, (
      SELECT coalesce(jsonb_agg(DISTINCT e.element), '[]')
      FROM jsonb_array_elements((j.payload -> ${name}) || (excluded.payload -> ${name})) AS e (element)))`;
});

/** Methods that report an outcome return false if the claim is no longer current. */
const current = (db: Executor, statement: string, { id, claims }: ClaimNumber) =>
  db.table('background_jobs', statement).where({ id, claims }).whereNotNull('claimed_at');
export async function insertAll(db: Executor, job: NewJobs, payloads: readonly unknown[]): Promise<void> {
  if (payloads.length > 0) await insertJobs(db, job, payloads);
}
export const complete = async (db: Executor, claim: ClaimNumber) =>
  (await current(db, 'complete_background_job', claim).delete()) > 0;
/** Releases the claim without counting a failure. */
export const postpone = async (db: Executor, claim: ClaimNumber, next_at: Date) =>
  (await current(db, 'postpone_background_job', claim).update({ claimed_at: null, next_at })) > 0;
export const deleteOlderThan = async (db: Executor, before: Date) =>
  db.table('background_jobs', 'delete_abandoned_background_jobs').where('created_at', '<', before).delete();

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
export const summarize = many('summarize_background_work', summaryColumns, (moment: Date) => {
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
