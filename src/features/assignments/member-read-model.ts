import type { Database } from '../../db/database.ts';
import { unpagedRows } from '../../db/pool.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { statuses } from './assignment-repository.ts';

const person = { user_id: t.bigint, username: t.text, display_name: t.text, status: t.oneOf(statuses) };

const listAssignments = query(
  'list_assignments',
  { ...person, assigned_at: t.timestamptz },
  (projectId: number, limit: number | null) => sql`
    SELECT u.id AS user_id, u.username, u.display_name, u.status, a.assigned_at
    FROM project_assignments a JOIN users u ON u.id = a.user_id
    WHERE a.project_id = ${t.bigint(projectId)} ORDER BY a.position, a.id LIMIT ${t.bigint(limit)}`,
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
  (projectId: number, limit: number | null) => {
    const project = t.bigint(projectId);
    return sql`
      WITH totals AS (
        SELECT k.user_id, k.sessions_count, k.hours, k.last_session FROM project_user_totals k
        WHERE k.project_id = ${project} AND k.sessions_count > 0),
      assigned AS (
        SELECT a.user_id, a.assigned_at, a.position, a.id FROM project_assignments a WHERE a.project_id = ${project})
      SELECT u.id AS user_id, u.username, u.display_name, u.status, assigned.assigned_at,
        assigned.user_id IS NOT NULL AS active_assignment,
        coalesce(totals.sessions_count, 0) AS sessions_count, coalesce(totals.hours, 0) AS hours, totals.last_session
      FROM assigned FULL JOIN totals ON totals.user_id = assigned.user_id
      JOIN users u ON u.id = coalesce(assigned.user_id, totals.user_id)
      ORDER BY assigned.position, assigned.id, u.id LIMIT ${t.bigint(limit)}`;
  },
);

export const createMemberReadModel = (database: Database) => ({
  assignments: (projectId: number) => unpagedRows(database, (limit) => listAssignments(projectId, limit)),
  members: (projectId: number) => unpagedRows(database, (limit) => listMembers(projectId, limit)),
});

export type MemberReadModel = ReturnType<typeof createMemberReadModel>;
