import type { Executor } from '../../../db/database.ts';
import { contains, containsByPairs } from '../../../db/sql/search.ts';
import { empty, sql, t } from '../../../db/sql/sql.ts';
import { many, one } from '../../../db/statements.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';
import { columns, isMember, type UserRow, userColumns } from './user-repository.ts';
import type { ListUsersQuery } from './user-schemas.ts';

/** `limitedTo`: the administrator to whose students the list is limited, active or not. */
export type UserFilter = ListUsersQuery & { limitedTo?: number | undefined };

/** The users of groups are few: comparing each with a search is faster than finding what matches among all users. */
const isFewOf = ({ group_id, limitedTo }: UserFilter) => group_id !== undefined || limitedTo !== undefined;

function matches(filter: UserFilter) {
  const { status, role, search, group_id, limitedTo } = filter;
  return sql`u.deleted_at IS NULL
    ${limitedTo === undefined ? empty : sql`AND u.id IN (${studentsInScope(t.bigint(limitedTo), { active: false })})`}
    ${status === 'all' ? empty : sql`AND u.status = ${t.text(status)}`}
    ${role === 'all' ? empty : sql`AND u.role = ${t.text(role)}`}
    ${group_id === undefined ? empty : sql`AND ${isMember(sql`u.id`, group_id)}`}
    ${search === '' ? empty : sql`AND ${isFewOf(filter) ? contains(search, sql`u.search_text`) : containsByPairs(search, sql`u.search_text`)}`}`;
}

// With a search or group, few users match; otherwise users are read in id order up to the page.
const listUsers = many(
  'list_users',
  { total: t.bigint, ...userColumns },
  (filter: UserFilter) => sql`
    WITH found AS ${filter.search === '' && !isFewOf(filter) ? sql`NOT MATERIALIZED` : sql`MATERIALIZED`} (
      SELECT u.id FROM users u WHERE ${matches(filter)}),
    page AS (
      SELECT f.id FROM found f ORDER BY f.id DESC
      LIMIT ${t.bigint(filter.limit)} OFFSET ${t.bigint((filter.page - 1) * filter.limit)})
    SELECT (SELECT count(*) FROM found) AS total, ${columns}
    FROM page p JOIN users u ON u.id = p.id
    ORDER BY u.id DESC`,
);

const countUsers = one(
  'count_users',
  { total: t.bigint },
  (filter: UserFilter) => sql`SELECT count(*) AS total FROM users u WHERE ${matches(filter)}`,
);

export async function list(db: Executor, filter: UserFilter): Promise<{ users: UserRow[]; total: number }> {
  const users = await listUsers(db, filter);
  const { total } = users[0] ?? (await countUsers(db, filter)); // past the end
  return { users, total };
}
