import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { backgroundKinds } from './background-work-schemas.ts';

const columns = {
  kind: t.oneOf(backgroundKinds),
  queued: t.bigint,
  running: t.bigint,
  failed: t.bigint,
  oldest_at: t.timestamptz.orNull,
  next_attempt_at: t.timestamptz.orNull,
  last_error_code: t.text.orNull,
  last_failed_at: t.timestamptz.orNull,
};
export type KindOfWork = RowOf<typeof columns>;

// One pass over the jobs, of which there can be hundreds of thousands; an index finds the last failure.
const summarize = query('summarize_background_work', columns, (moment: Date) => {
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
