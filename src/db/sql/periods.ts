import { type Sql, sql } from './sql.ts';
import { t } from './types.ts';

export type PeriodPage = { page: number; limit: number; order: 'asc' | 'desc' };

/**
 * A page of a list ordered by time, found by the row counts of periods, so that earlier rows are not read. `counts` selects `opens`,
 * `closes` and `total` of each period; `rowsOf` selects the rows of a period `b`, ordered, without a limit. The returned page may
 * have more rows than the limit, in any order. Limits are subqueries, so that the planner does not plan anew for each page.
 */
export function pageByPeriods(counts: Sql, rowsOf: Sql, { page, limit, order }: PeriodPage) {
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const skipped = sql`(SELECT ${t.bigint((page - 1) * limit)})`;
  const size = sql`(SELECT ${t.bigint(limit)})`;
  return {
    matches: sql`periods AS MATERIALIZED (
      SELECT c.opens, c.closes, c.total, (sum(c.total) OVER (ORDER BY c.opens ${direction}))::bigint - c.total AS before
      FROM (${counts}) AS c WHERE c.total > 0),`,
    page: sql`
      SELECT r.* FROM (
        SELECT b.opens, b.closes, b.before FROM periods b
        WHERE b.before + b.total > ${skipped} AND b.before < ${skipped} + ${size}
        LIMIT 100) AS b
      CROSS JOIN LATERAL (${rowsOf} LIMIT ${size} OFFSET greatest(${skipped} - b.before, 0)) AS r`,
    total: sql`(SELECT coalesce(sum(b.total), 0)::bigint FROM periods b)`,
  };
}
