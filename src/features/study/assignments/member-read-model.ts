import type { Reader } from '../../../actor.ts';
import { userStatuses } from '../../../actor.ts';
import type { Database } from '../../../db/database.ts';
import { unpagedRows } from '../../../db/row-stream.ts';
import { empty, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';

/** SQL: a condition on users `u` for limited administrators, who see their own students only. */
const seenBy = ({ id, role }: Reader): Sql =>
  role === 'class_admin' ? sql`AND u.id IN (${studentsInScope(t.bigint(id), { active: false })})` : empty;

const person = { user_id: t.bigint, username: t.text, display_name: t.text, status: t.oneOf(userStatuses) };

const listAssignments = query(
  'list_assignments',
  { ...person, assigned_at: t.timestamptz },
  (reader: Reader, projectId: number, limit: number | null) => sql`
    SELECT u.id AS user_id, u.username, u.display_name, u.status, a.assigned_at
    FROM project_assignments a JOIN users u ON u.id = a.user_id
    WHERE a.project_id = ${t.bigint(projectId)} ${seenBy(reader)} ORDER BY a.position, a.user_id LIMIT ${t.bigint(limit)}`,
);

const listMembers = query(
  'list_members',
  {
    ...person,
    assigned_at: t.timestamptz.orNull,
    active_assignment: t.boolean,
    sessions_count: t.integer,
    hours: t.numeric,
    last_session: t.timestamptz.orNull,
  },
  (reader: Reader, projectId: number, limit: number | null) => {
    const project = t.bigint(projectId);
    return sql`
      WITH totals AS (
        SELECT k.user_id, k.sessions_count, k.hours, k.last_session FROM project_user_totals k
        WHERE k.project_id = ${project} AND k.sessions_count > 0),
      assigned AS (
        SELECT a.user_id, a.assigned_at, a.position FROM project_assignments a WHERE a.project_id = ${project})
      SELECT u.id AS user_id, u.username, u.display_name, u.status, assigned.assigned_at,
        assigned.user_id IS NOT NULL AS active_assignment,
        coalesce(totals.sessions_count, 0) AS sessions_count, coalesce(totals.hours, 0) AS hours, totals.last_session
      FROM assigned FULL JOIN totals ON totals.user_id = assigned.user_id
      JOIN users u ON u.id = coalesce(assigned.user_id, totals.user_id) ${seenBy(reader)}
      ORDER BY assigned.position, u.id LIMIT ${t.bigint(limit)}`;
  },
);

export const createMemberReadModel = (database: Database) => ({
  assignments: (reader: Reader, projectId: number) =>
    unpagedRows(database, (limit) => listAssignments(reader, projectId, limit)),
  members: (reader: Reader, projectId: number) =>
    unpagedRows(database, (limit) => listMembers(reader, projectId, limit)),
});

export type MemberReadModel = ReturnType<typeof createMemberReadModel>;
