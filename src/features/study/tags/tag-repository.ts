import type { Executor } from '../../../db/executor.ts';
import { searchForm } from '../../../db/sql/search.ts';
import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one } from '../../../db/statements.ts';

const tagColumns = {
  name: t.text,
  sessions_count: t.bigint,
  last_used_at: t.timestamptz.orNull,
};
export type TagRow = RowOf<typeof tagColumns>;

const isNamed = (name: string): Sql => sql`${searchForm(sql`t.name`)} = ${searchForm(t.text(name))}`;

const tagsOf = (userId: number, condition: Sql) => sql`
    SELECT t.name, coalesce(c.number, 0) AS sessions_count, c.last_used_at
    FROM tags t LEFT JOIN (
      SELECT used.name, count(*) AS number, max(s.started_at) AS last_used_at
      FROM study_sessions s CROSS JOIN LATERAL unnest(s.tags) AS used (name)
      WHERE s.user_id = ${t.bigint(userId)} AND s.tags <> '{}' GROUP BY used.name) AS c ON c.name = t.name
    WHERE t.user_id = ${t.bigint(userId)} AND ${condition}
    ORDER BY c.last_used_at DESC NULLS LAST, t.name`;
/** The most recently used first. */
export const list = many('list_tags', tagColumns, (userId: number) => tagsOf(userId, sql`true`));
export const find = maybeOne('find_tag', tagColumns, (userId: number, name: string) => tagsOf(userId, isNamed(name)));

// Transactions that change the tags of this author or of their records wait here.
export const lockAuthor = execute(
  'lock_author_of_tags',
  (userId: number) => sql`SELECT FROM users u WHERE u.id = ${t.bigint(userId)} FOR NO KEY UPDATE`,
);

// New records lock the tags that they use until their commit.
const lockTag = maybeOne(
  'lock_tag',
  { name: t.text },
  (userId: number, name: string) => sql`
    SELECT t.name FROM tags t WHERE t.user_id = ${t.bigint(userId)} AND ${isNamed(name)} FOR UPDATE`,
);

export const rename = execute(
  'rename_tag',
  (userId: number, name: string, newName: string) => sql`
    UPDATE tags t SET name = ${t.text(newName)} WHERE t.user_id = ${t.bigint(userId)} AND t.name = ${t.text(name)}`,
);

export const remove = execute(
  'remove_tag',
  (userId: number, name: string) => sql`
    DELETE FROM tags t WHERE t.user_id = ${t.bigint(userId)} AND t.name = ${t.text(name)}`,
);

/** The records that one statement changes, so that none takes long. */
const recordsPerStatement = 5_000;

const retagSome = one(
  'change_tag_of_sessions',
  { changed: t.bigint, owner_ids: t.bigints },
  (userId: number, name: string, newName: string | null) => {
    const without = sql`array_remove(s.tags, ${t.text(name)})`;
    const renamed = sql`CASE WHEN ${t.text(newName)} IS NULL OR ${t.text(newName)} = ANY (s.tags) THEN ${without}
      ELSE array_replace(s.tags, ${t.text(name)}, ${t.text(newName)}) END`;
    return sql`
      WITH changed AS (
        UPDATE study_sessions s SET tags = ${renamed}
        WHERE s.id IN (
          SELECT o.id FROM study_sessions o
          WHERE o.user_id = ${t.bigint(userId)} AND o.tags <> '{}' AND ${t.text(name)} = ANY (o.tags)
          ORDER BY o.id LIMIT ${t.integer(recordsPerStatement)})
        RETURNING s.owner_id)
      SELECT count(*) AS changed, coalesce(array_agg(DISTINCT c.owner_id), '{}') AS owner_ids FROM changed c`;
  },
);

/** The tag as its author writes it. */
export const lock = async (db: Executor, userId: number, name: string) => (await lockTag(db, userId, name))?.name;

/** Replaces a tag in all records of its author, or removes it (null). Returns the owners of their projects. */
export async function retag(db: Executor, userId: number, name: string, newName: string | null): Promise<number[]> {
  const owners = new Set<number>();
  for (let changed = recordsPerStatement; changed === recordsPerStatement; ) {
    const found = await retagSome(db, userId, name, newName);
    for (const id of found.owner_ids) owners.add(id);
    ({ changed } = found);
  }
  return [...owners];
}
