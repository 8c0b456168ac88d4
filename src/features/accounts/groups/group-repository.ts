import { userStatuses } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { contains, searchForm } from '../../../db/sql/search.ts';
import { empty, leftJoined, matched, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one, value, values } from '../../../db/statements.ts';
import { groupsInScope } from '../../../transactions/scope-sql.ts';
import type { ListGroupsQuery } from './group-schemas.ts';

const groupColumns = {
  id: t.bigint,
  name: t.text,
  members_count: t.integer,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
export type GroupRow = RowOf<typeof groupColumns>;

const memberColumns = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  status: t.oneOf(userStatuses),
  added_at: t.timestamptz,
};
export type MemberRow = RowOf<typeof memberColumns>;

const columns = sql`g.id, g.name, g.members_count, g.created_at, g.updated_at, g.row_version`;

/** `limitedTo`: the administrator to whose groups the list is limited. */
type GroupFilter = ListGroupsQuery & { limitedTo: number | undefined };

function matches({ search, user_id, limitedTo }: GroupFilter) {
  const userId = t.bigint(user_id ?? null);
  return sql`(${userId} IS NULL OR g.id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId}))
    ${limitedTo === undefined ? empty : sql`AND g.id IN (${groupsInScope(t.bigint(limitedTo))})`}
    ${search === '' ? empty : sql`AND ${contains(search, searchForm(sql`g.name`))}`}`;
}

const listGroups = many(
  'list_groups',
  { total: t.bigint, ...groupColumns },
  (filter: GroupFilter) => sql`
    SELECT count(*) OVER () AS total, ${columns} FROM groups g WHERE ${matches(filter)}
    ORDER BY lower(g.name)
    LIMIT ${t.bigint(filter.limit)} OFFSET ${t.bigint((filter.page - 1) * filter.limit)}`,
);
const countGroups = one(
  'count_groups',
  { total: t.bigint },
  (filter: GroupFilter) => sql`SELECT count(*) AS total FROM groups g WHERE ${matches(filter)}`,
);

const findGroup = many(
  'find_group',
  { ...groupColumns, ...leftJoined(memberColumns) },
  (id: number) => sql`
    SELECT ${columns}, u.id AS user_id, u.username, u.display_name, u.status, m.added_at
    FROM groups g LEFT JOIN (group_members m JOIN users u ON u.id = m.user_id) ON m.group_id = g.id
    WHERE g.id = ${t.bigint(id)} ORDER BY lower(u.username)`,
);
export const lock = maybeOne(
  'lock_group',
  groupColumns,
  (id: number) => sql`SELECT ${columns} FROM groups g WHERE g.id = ${t.bigint(id)} FOR NO KEY UPDATE`,
);

/** With whether the user is a member. */
export const findByNames = many(
  'find_groups_by_names',
  { id: t.bigint, members_count: t.integer, is_member: t.boolean },
  (names: readonly string[], userId: number) => sql`
    SELECT g.id, g.members_count,
      EXISTS (SELECT FROM group_members m WHERE m.group_id = g.id AND m.user_id = ${t.bigint(userId)}) AS is_member
    FROM groups g WHERE lower(g.name) IN (SELECT lower(n) FROM unnest(${t.texts(names)}) AS n)`,
);

/** Those of the names that no group has. */
export const listUnknown = values(
  'list_unknown_groups',
  { name: t.text },
  (names: readonly string[]) => sql`
    SELECT n.name FROM unnest(${t.texts(names)}) AS n (name)
    WHERE NOT EXISTS (SELECT FROM groups g WHERE lower(g.name) = lower(n.name)) ORDER BY lower(n.name)`,
);

export const insert = value(
  'insert_group',
  { id: t.bigint },
  (name: string) => sql`INSERT INTO groups (name) VALUES (${t.text(name)}) RETURNING id`,
);
export const rename = execute(
  'rename_group',
  (id: number, name: string) => sql`
    UPDATE groups g SET name = ${t.text(name)}, updated_at = greatest(now(), g.updated_at) WHERE g.id = ${t.bigint(id)}`,
);
export const remove = execute('delete_group', (id: number) => sql`DELETE FROM groups WHERE id = ${t.bigint(id)}`);

const memberIds = { user_id: t.bigint };
const addMembersStatement = many(
  'add_group_members',
  memberIds,
  (id: number, userIds: readonly number[]) => sql`
    INSERT INTO group_members (group_id, user_id)
    SELECT ${t.bigint(id)}, k.user_id FROM unnest(${t.bigints(userIds)}) AS k (user_id)
    ON CONFLICT DO NOTHING RETURNING user_id`,
);
const removeMembersStatement = many(
  'remove_group_members',
  memberIds,
  (id: number, userIds: readonly number[]) => sql`
    DELETE FROM group_members m WHERE m.group_id = ${t.bigint(id)} AND m.user_id = ANY(${t.bigints(userIds)})
    RETURNING m.user_id`,
);
const removeOthersStatement = many(
  'remove_other_group_members',
  memberIds,
  (id: number, userIds: readonly number[]) => sql`
    DELETE FROM group_members m WHERE m.group_id = ${t.bigint(id)} AND m.user_id <> ALL(${t.bigints(userIds)})
    RETURNING m.user_id`,
);

// A separate statement, which sees the changed members. The constraint of the column is the maximum.
/** Stores the number of members of locked groups, which also get a new row version. */
export const countMembers = execute(
  'count_group_members',
  (ids: readonly number[]) => sql`
    UPDATE groups g SET updated_at = greatest(now(), g.updated_at),
      members_count = (SELECT count(*) FROM group_members m WHERE m.group_id = g.id)
    WHERE g.id = ANY(${t.bigints(ids)})`,
);

// One statement: a single snapshot of the members of several groups.
/** Active ordinary members of the existing groups, by group; a group without any has one row with a null user. */
export const listActiveMembers = many(
  'list_members_of_groups',
  { group_id: t.bigint, user_id: t.bigint.orNull },
  (groupIds: readonly number[]) => sql`
    SELECT g.id AS group_id, u.id AS user_id
    FROM unnest(${t.bigints(groupIds)}) WITH ORDINALITY AS k (group_id, position)
    JOIN groups g ON g.id = k.group_id
    LEFT JOIN (group_members m JOIN users u ON u.id = m.user_id AND u.status = 'active' AND u.role = 'user')
      ON m.group_id = g.id
    ORDER BY k.position, lower(u.username)`,
);

const ids = (rows: readonly { user_id: number }[]): number[] => rows.map((row) => row.user_id);

/** Writers lock the users first, then the group. */
export async function list(db: Executor, filter: GroupFilter): Promise<{ groups: GroupRow[]; total: number }> {
  const groups = await listGroups(db, filter);
  const { total } = groups[0] ?? (await countGroups(db, filter)); // past the end
  return { groups, total };
}
export async function find(db: Executor, id: number): Promise<{ group: GroupRow; members: MemberRow[] } | undefined> {
  const rows = await findGroup(db, id);
  const [group] = rows;
  return group && { group, members: rows.flatMap((row) => matched(memberColumns, row) ?? []) };
}
/** These three return the users they added or removed. */
export const addMembers = async (db: Executor, id: number, userIds: readonly number[]) =>
  ids(await addMembersStatement(db, id, userIds));
export const removeMembers = async (db: Executor, id: number, userIds: readonly number[]) =>
  ids(await removeMembersStatement(db, id, userIds));
export const removeOthers = async (db: Executor, id: number, userIds: readonly number[]) =>
  ids(await removeOthersStatement(db, id, userIds));
