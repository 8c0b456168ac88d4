import { type Interpolation, join, type Sql, sql, t } from './sql.ts';

/** Accounts are found by names and e-mail addresses in lower case. Only ASCII letters change, since they contain no others. */
export const foldedName = (name: string): Sql => sql`lower(${t.text(name)} COLLATE "C") COLLATE "default"`;

/** A text without case, width and accents, as searches compare it. */
export const searchForm = (text: Interpolation): Sql => sql`search_form(${text})`;

/** The characters of a search in its form: without marks, and one may become several. */
export const searchLength = (search: string): number =>
  [
    ...search
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC'),
  ].length;

/** `texts` are in their search form. That of the search is computed once. A search of marks alone finds nothing. */
export function contains(search: string, ...texts: readonly Sql[]): Sql {
  if (searchLength(search) === 0) return sql`false`;
  const wanted = sql`(SELECT ${searchForm(t.text(search))})`;
  return sql`(${join(
    texts.map((text) => sql`strpos(${text}, ${wanted}) > 0`),
    sql` OR `,
  )})`;
}

/** The same for a text with an index of character pairs: two characters need no further comparison, more do. */
export function containsByPairs(search: string, text: Sql): Sql {
  const length = searchLength(search);
  if (length < 2) return contains(search, text);
  const pairs = sql`character_pairs(${text}) @> character_pairs(${searchForm(t.text(search))})`;
  return length === 2 ? pairs : sql`${pairs} AND ${contains(search, text)}`;
}

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
