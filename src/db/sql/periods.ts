import { type Sql, sql } from './sql.ts';
import { t } from './types.ts';

export type PeriodPage = { page: number; limit: number; order: 'asc' | 'desc' };

/**
 * SQL: a page of a list in the order of time, found by the numbers of rows in each period, so that what comes before it is
 * not read. `counts` selects `opens`, `closes` and `total` of each period; `rowsOf` selects the rows `r` of the period `b` in the
 * order of the list, without a limit. Returns common table expressions, the page (which has more rows than the limit, in no
 * order) and the total. Numbers are hidden from the planner, which would plan anew for each page.
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
