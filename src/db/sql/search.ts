import { join, type Sql, sql } from './sql.ts';
import { t } from './types.ts';

/** SQL: a name or an e-mail address as accounts are found by it: only ASCII letters change case, as no account has others. */
export const foldedName = (name: string): Sql => sql`lower(${t.text(name)} COLLATE "C") COLLATE "default"`;

/** SQL: whether one of the lower-case texts contains the search, ignoring case; `%` and `_` are plain characters. */
export function contains(search: string, ...texts: readonly Sql[]): Sql {
  const pattern = t.text(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
  return sql`(${join(
    texts.map((text) => sql`${text} LIKE lower(${pattern})`),
    sql` OR `,
  )})`;
}

/**
 * SQL: the same for one text with an index of its pairs of characters. Two characters are a pair of the index and need no
 * comparison; more are looked up by their pairs and then compared.
 */
export function containsByPairs(search: string, text: Sql): Sql {
  const length = [...search].length;
  if (length < 2) return contains(search, text);
  const pairs = sql`character_pairs(${text}) @> character_pairs(${t.text(search)})`;
  return length === 2 ? pairs : sql`${pairs} AND ${contains(search, text)}`;
}
