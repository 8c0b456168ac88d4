import type { Reader } from '../../../actor.ts';
import { userStatuses } from '../../../actor.ts';
import type { Database } from '../../../db/database.ts';
import { unpagedRows } from '../../../db/row-stream.ts';
import { empty, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { many, one } from '../../../db/statements.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';
import { percentOf } from '../project-access/project-sql.ts';

type Page = { page: number; limit: number };

/** SQL: a condition for limited administrators, who see their own students only. */
const seenBy = ({ id, role }: Reader, userId: Sql): Sql =>
  role === 'class_admin' ? sql`AND ${userId} IN (${studentsInScope(t.bigint(id), { active: false })})` : empty;

const person = { user_id: t.bigint, username: t.text, display_name: t.text, status: t.oneOf(userStatuses) };

const listAssignments = query(
  'list_assignments',
  { ...person, assigned_at: t.timestamptz },
  (reader: Reader, projectId: number, limit: number | null) => sql`
    SELECT u.id AS user_id, u.username, u.display_name, u.status, a.assigned_at
    FROM project_assignments a JOIN users u ON u.id = a.user_id
    WHERE a.project_id = ${t.bigint(projectId)} ${seenBy(reader, sql`a.user_id`)} ORDER BY a.position, a.user_id LIMIT ${t.bigint(limit)}`,
);

const memberColumns = {
  ...person,
  assigned_at: t.timestamptz.orNull,
  active_assignment: t.boolean,
  sessions_count: t.integer,
  hours: t.numeric,
  progress: t.numeric.orNull,
  last_session: t.timestamptz.orNull,
};

/** SQL: who is assigned to a project or has recorded on it; those who left it have no position. */
const membersOf = (reader: Reader, projectId: number): Sql => sql`
  members AS (
    SELECT coalesce(a.user_id, k.user_id) AS user_id, a.position, a.assigned_at
    FROM (SELECT a.* FROM project_assignments a
      WHERE a.project_id = ${t.bigint(projectId)} ${seenBy(reader, sql`a.user_id`)}) AS a
    FULL JOIN (SELECT k.user_id FROM project_user_totals k
      WHERE k.project_id = ${t.bigint(projectId)} AND k.has_records ${seenBy(reader, sql`k.user_id`)}) AS k
    ON k.user_id = a.user_id)`;

const columns = sql`u.id AS user_id, u.username, u.display_name, u.status, m.assigned_at,
  m.position IS NOT NULL AS active_assignment,
  coalesce(k.sessions_count, 0) AS sessions_count, coalesce(k.hours, 0) AS hours, k.last_session,
  CASE WHEN p.target_hours > 0 THEN ${percentOf(sql`k.seconds`, sql`p.target_hours`)} END AS progress`;
const joinPerson = (projectId: number): Sql => sql`
  JOIN users u ON u.id = m.user_id JOIN projects p ON p.id = ${t.bigint(projectId)}
  LEFT JOIN project_user_totals k ON k.project_id = ${t.bigint(projectId)} AND k.user_id = m.user_id`;

const listMembers = query(
  'list_members',
  memberColumns,
  (reader: Reader, projectId: number, limit: number | null) => sql`
    WITH ${membersOf(reader, projectId)}
    SELECT ${columns} FROM members m ${joinPerson(projectId)}
    ORDER BY m.position, u.id LIMIT ${t.bigint(limit)}`,
);

const readMemberPage = many(
  'member_page',
  { total: t.bigint, ...memberColumns },
  (reader: Reader, projectId: number, { page, limit }: Page) => sql`
    WITH ${membersOf(reader, projectId)},
    page AS (
      SELECT m.*, count(*) OVER () AS total FROM members m ORDER BY m.position, m.user_id
      LIMIT ${t.bigint(limit)} OFFSET ${t.bigint((page - 1) * limit)})
    SELECT m.total, ${columns} FROM page m ${joinPerson(projectId)} ORDER BY m.position, u.id`,
);

const countMembers = one(
  'count_members',
  { total: t.bigint },
  (reader: Reader, projectId: number) => sql`
    WITH ${membersOf(reader, projectId)} SELECT count(*) AS total FROM members`,
);

export const createMemberReadModel = (database: Database) => ({
  assignments: (reader: Reader, projectId: number) =>
    unpagedRows(database, (limit) => listAssignments(reader, projectId, limit)),
  members: (reader: Reader, projectId: number) =>
    unpagedRows(database, (limit) => listMembers(reader, projectId, limit)),
  async memberPage(reader: Reader, projectId: number, page: Page) {
    const members = await readMemberPage(database, reader, projectId, page);
    const { total } = members[0] ?? (await countMembers(database, reader, projectId)); // past the end
    return { members, total };
  },
});

export type MemberReadModel = ReturnType<typeof createMemberReadModel>;
