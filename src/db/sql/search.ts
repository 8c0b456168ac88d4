import { join, type Sql, sql } from './sql.ts';
import { t } from './types.ts';

/** Accounts are found by names and e-mail addresses in lower case. Only ASCII letters change, since they contain no others. */
export const foldedName = (name: string): Sql => sql`lower(${t.text(name)} COLLATE "C") COLLATE "default"`;

export function contains(search: string, ...texts: readonly Sql[]): Sql {
  const pattern = t.text(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
  return sql`(${join(
    texts.map((text) => sql`${text} LIKE lower(${pattern})`),
    sql` OR `,
  )})`;
}

/** The same for a text with an index of character pairs: two characters need no further comparison, more do. */
export function containsByPairs(search: string, text: Sql): Sql {
  const length = [...search].length;
  if (length < 2) return contains(search, text);
  const pairs = sql`character_pairs(${text}) @> character_pairs(${t.text(search)})`;
  return length === 2 ? pairs : sql`${pairs} AND ${contains(search, text)}`;
}
