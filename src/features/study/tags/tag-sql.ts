import { searchForm } from '../../../db/sql/search.ts';
import { type Interpolation, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { isNoTag } from './tag-fields.ts';

/**
 * SQL: the CTE `learned`, the tags that `named` selects by user and name, as their authors write them; new ones are added. Rows are
 * locked in one order until the commit, so that none of them is renamed or deleted before.
 */
export const learnedFrom = (named: Sql): Sql => sql`
    learned AS (
      INSERT INTO tags (user_id, name)
      SELECT DISTINCT ON (n.user_id, ${searchForm(sql`n.name`)}) n.user_id, n.name
      FROM (${named}) AS n (user_id, name) ORDER BY n.user_id, ${searchForm(sql`n.name`)}, n.name
      ON CONFLICT (user_id, search_form(name)) DO UPDATE SET name = tags.name RETURNING user_id, name)`;

/** SQL: given names as they were learned, in their order, without repetitions. */
export const tagsAsLearned = (userId: Interpolation, given: Interpolation): Sql => sql`ARRAY(
        SELECT l.name FROM unnest(${given}) WITH ORDINALITY AS g (name, position)
        JOIN learned l ON l.user_id = ${userId} AND ${searchForm(sql`l.name`)} = ${searchForm(sql`g.name`)}
        GROUP BY l.name ORDER BY min(g.position))`;

/** SQL: whether the session `s` has a tag, or none. */
export const hasTag = (name: string): Sql =>
  isNoTag(name)
    ? sql`s.tags = '{}'`
    : sql`s.tags <> '{}' AND search_forms(s.tags) @> ARRAY[${searchForm(t.text(name))}]`;

/** Whether few sessions match the filter. */
export const isSelective = (tag: string): boolean => tag !== '' && !isNoTag(tag);
