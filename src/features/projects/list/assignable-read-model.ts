import type { Database } from '../../../db/database.ts';
import { unpagedRows } from '../../../db/pool.ts';
import { containsByPairs } from '../../../db/sql/search.ts';
import { empty, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { isMember } from '../../users/user-sql.ts';
import type { AssignableUsersQuery } from '../project-schemas.ts';

const columns = {
  id: t.bigint,
  username: t.text,
  display_name: t.text,
  email: t.text,
  status: t.oneOf(['active']),
};

// With a filter, few users match: sorting their names is cheaper than walking the index of all names.
function select({ search, group_id }: AssignableUsersQuery): Sql {
  const isFiltered = search !== undefined || group_id !== undefined;
  return sql`
    WITH found AS ${isFiltered ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (
      SELECT u.id, u.username, u.display_name, u.email, u.status FROM users u
      WHERE u.role = 'user' AND u.status = 'active'
        ${search === undefined ? empty : sql`AND ${containsByPairs(search, sql`u.search_text`)}`}
        ${group_id === undefined ? empty : sql`AND ${isMember(sql`u.id`, group_id)}`})
    SELECT f.id, f.username, f.display_name, f.email, f.status FROM found f ORDER BY lower(f.username)`;
}

const listAssignable = query(
  'list_assignable_users',
  columns,
  (filter: AssignableUsersQuery, limit: number | null) => sql`${select(filter)} LIMIT ${t.bigint(limit)}`,
);

export const createAssignableReadModel = (database: Database) => ({
  users: (filter: AssignableUsersQuery) => unpagedRows(database, (limit) => listAssignable(filter, limit)),
});

export type AssignableReadModel = ReturnType<typeof createAssignableReadModel>;
