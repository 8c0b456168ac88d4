import { type Executor, sql } from '../../db/database.ts';

/** A pair that a write has touched. `moved` pairs stay and change their place in the order. */
export type AssignmentChange = { project_id: number; user_id: number; change: 'added' | 'removed' | 'moved' };
export type AssignableFacts = { id: number; username: string; role: 'admin' | 'user'; status: 'active' | 'inactive' };
export type AssignmentRow = {
  user_id: number;
  username: string;
  display_name: string;
  status: 'active' | 'inactive';
  assigned_at: string;
};
export type MemberRow = Omit<AssignmentRow, 'assigned_at'> & {
  assigned_at: string | null;
  active_assignment: boolean;
  sessions_count: number;
  hours: number;
  last_session: string | null;
};

const listUserIds = sql(
  'SELECT a.user_id FROM project_assignments a WHERE a.project_id = $1 ORDER BY a.position, a.id',
);

// A shared lock: an account cannot be deactivated between this look and the commit.
const lockUsers = sql(`
  SELECT u.id, u.username, u.role, u.status FROM users u
  WHERE u.id = ANY($1::bigint[]) AND u.deleted_at IS NULL ORDER BY u.id FOR SHARE`);
const listUsernames = sql('SELECT u.id, u.username FROM users u WHERE u.id = ANY($1::bigint[])');
const lockProjects = sql(`
  SELECT p.id, p.name FROM projects p
  WHERE p.id = ANY($1::bigint[]) AND p.deleted_at IS NULL ORDER BY p.id FOR NO KEY UPDATE`);

// Only the difference is written. The three parts touch different rows, so their order does not matter.
const replaceAll = sql(`
  WITH asked AS (SELECT k.user_id, k.position::integer FROM unnest($2::bigint[]) WITH ORDINALITY AS k (user_id, position)),
  removed AS (
    DELETE FROM project_assignments a
    WHERE a.project_id = ANY($1::bigint[]) AND NOT EXISTS (SELECT FROM asked k WHERE k.user_id = a.user_id)
    RETURNING a.project_id, a.user_id),
  moved AS (
    UPDATE project_assignments a SET position = k.position, updated_at = now() FROM asked k
    WHERE a.project_id = ANY($1::bigint[]) AND a.user_id = k.user_id AND a.position <> k.position
    RETURNING a.project_id, a.user_id),
  added AS (
    INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
    SELECT p.id, k.user_id, k.position, p.user_id, p.created_at
    FROM projects p CROSS JOIN asked k
    WHERE p.id = ANY($1::bigint[]) AND k.user_id = ANY($3::bigint[])
      AND NOT EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = k.user_id)
    RETURNING project_id, user_id)
  SELECT project_id, user_id, 'removed' AS change FROM removed
  UNION ALL SELECT project_id, user_id, 'moved' FROM moved
  UNION ALL SELECT project_id, user_id, 'added' FROM added`);

const addAll = sql(`
  INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
  SELECT p.id, k.user_id, last.position + k.position, p.user_id, p.created_at
  FROM projects p
  CROSS JOIN LATERAL (
    SELECT coalesce(max(a.position), 0) AS position FROM project_assignments a WHERE a.project_id = p.id) AS last
  CROSS JOIN unnest($2::bigint[]) WITH ORDINALITY AS k (user_id, position)
  WHERE p.id = ANY($1::bigint[])
  ON CONFLICT ON CONSTRAINT project_assignments_pair_key DO NOTHING
  RETURNING project_id, user_id, 'added' AS change`);

const removeAll = sql(`
  DELETE FROM project_assignments a WHERE a.project_id = ANY($1::bigint[]) AND a.user_id = ANY($2::bigint[])
  RETURNING a.project_id, a.user_id, 'removed' AS change`);

const listAssignments = sql(`
  SELECT u.id AS user_id, u.username, u.display_name, u.status, a.assigned_at
  FROM project_assignments a JOIN users u ON u.id = a.user_id
  WHERE a.project_id = $1 ORDER BY a.position, a.id`);

const listMembers = sql(`
  WITH worked AS (
    SELECT s.user_id, count(*)::integer AS sessions_count, round(sum(s.duration_seconds) / 3600.0, 2) AS hours, max(s.ended_at) AS last_session
    FROM study_sessions s WHERE s.project_id = $1 AND s.ended_at IS NOT NULL GROUP BY s.user_id),
  assigned AS (SELECT a.user_id, a.assigned_at, a.position, a.id FROM project_assignments a WHERE a.project_id = $1)
  SELECT u.id AS user_id, u.username, u.display_name, u.status, assigned.assigned_at,
    assigned.user_id IS NOT NULL AS active_assignment,
    coalesce(worked.sessions_count, 0) AS sessions_count, coalesce(worked.hours, 0) AS hours, worked.last_session
  FROM assigned FULL JOIN worked ON worked.user_id = assigned.user_id
  JOIN users u ON u.id = coalesce(assigned.user_id, worked.user_id)
  ORDER BY assigned.position, assigned.id, u.id`);

/** The relation between projects and users. Writers hold the locks of the users first, then of the projects, in id order. */
export function createAssignmentRepository(db: Executor) {
  return {
    /** The assigned users in the order of assignment. */
    async listUserIds(projectId: number): Promise<number[]> {
      return (await db.rows<{ user_id: number }>(listUserIds, [projectId])).map((row) => row.user_id);
    },
    /** What decides whether the users may be assigned. It stays so until the transaction ends. */
    lockUsers: (userIds: readonly number[]) => db.rows<AssignableFacts>(lockUsers, [userIds]),
    /** The projects that exist, locked until the transaction ends. */
    lockProjects: (projectIds: readonly number[]) => db.rows<{ id: number; name: string }>(lockProjects, [projectIds]),
    async listUsernames(userIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await db.rows<{ id: number; username: string }>(listUsernames, [userIds]);
      return new Map(rows.map((row) => [row.id, row.username]));
    },
    /** Makes `userIds` the whole list of every project, in that order; of those not assigned yet only the `assignable` are added. */
    replaceAll: (projectIds: readonly number[], userIds: readonly number[], assignable: readonly number[]) =>
      db.rows<AssignmentChange>(replaceAll, [projectIds, userIds, assignable]),
    /** Appends the users to every project that does not have them yet. */
    addAll: (projectIds: readonly number[], userIds: readonly number[]) =>
      db.rows<AssignmentChange>(addAll, [projectIds, userIds]),
    removeAll: (projectIds: readonly number[], userIds: readonly number[]) =>
      db.rows<AssignmentChange>(removeAll, [projectIds, userIds]),
    listAssignments: (projectId: number) => db.rows<AssignmentRow>(listAssignments, [projectId]),
    listMembers: (projectId: number) => db.rows<MemberRow>(listMembers, [projectId]),
  };
}

/** Whether a user may be newly assigned: active and ordinary. */
export function isAssignable(user: AssignableFacts | undefined): boolean {
  return user?.role === 'user' && user.status === 'active';
}
