import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { unique } from '../../lib/unique.ts';

const changes = ['added', 'removed', 'moved'] as const;
const changeColumns = { project_id: t.bigint, user_id: t.bigint, owner_id: t.bigint, change: t.oneOf(changes) };
/** A pair that a write changed. `moved`: only its position changed. */
export type AssignmentChange = RowOf<typeof changeColumns>;
const pairColumns = { project_id: t.bigint, user_id: t.bigint };
export type Pair = RowOf<typeof pairColumns>;

export const statuses = ['active', 'inactive'] as const;
const assignableColumns = {
  id: t.bigint,
  username: t.text,
  role: t.oneOf(['admin', 'user']),
  status: t.oneOf(statuses),
};
export type AssignableUser = RowOf<typeof assignableColumns>;

const listUserIds = query(
  'list_assigned_users',
  { user_id: t.bigint },
  (projectId: number) => sql`
    SELECT a.user_id FROM project_assignments a WHERE a.project_id = ${t.bigint(projectId)} ORDER BY a.position, a.id`,
);

// A shared lock: an account cannot be deactivated between this check and the commit. Users whose rows others have locked are
// `busy` and not locked.
const lockUsers = query(
  'lock_users_to_assign',
  { ...assignableColumns, busy: t.boolean },
  (userIds: readonly number[]) => sql`
    WITH locked AS MATERIALIZED (
      SELECT u.id, u.username, u.role, u.status FROM users u
      WHERE u.id = ANY(${t.bigints(userIds)}) AND u.deleted_at IS NULL ORDER BY u.id FOR SHARE SKIP LOCKED)
    SELECT l.id, l.username, l.role, l.status, false AS busy FROM locked l
    UNION ALL
    SELECT u.id, u.username, u.role, u.status, true FROM users u
    WHERE u.id = ANY(${t.bigints(userIds)}) AND u.deleted_at IS NULL AND NOT EXISTS (SELECT FROM locked l WHERE l.id = u.id)`,
);
const listUsernames = query(
  'list_usernames',
  { id: t.bigint, username: t.text },
  (userIds: readonly number[]) => sql`SELECT u.id, u.username FROM users u WHERE u.id = ANY(${t.bigints(userIds)})`,
);
const lockProjects = query(
  'lock_projects_to_assign',
  { id: t.bigint, name: t.text },
  (projectIds: readonly number[]) => sql`
    SELECT p.id, p.name FROM projects p
    WHERE p.id = ANY(${t.bigints(projectIds)}) AND p.deleted_at IS NULL ORDER BY p.id FOR NO KEY UPDATE`,
);

/** SQL: users who are assigned again see the current name of the project. */
const rejoined = sql`
  rejoined AS (
    DELETE FROM project_membership_ends e USING added a WHERE e.user_id = a.user_id AND e.project_id = a.project_id)`;

// Only the difference is written. The three parts change different rows, so their order does not matter.
const replaceAll = query(
  'replace_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[], assignable: readonly number[]) => {
    const projects = t.bigints(projectIds);
    return sql`
      WITH requested AS (
        SELECT k.user_id, k.position::integer FROM unnest(${t.bigints(userIds)}) WITH ORDINALITY AS k (user_id, position)),
      removed AS (
        DELETE FROM project_assignments a
        WHERE a.project_id = ANY(${projects}) AND NOT EXISTS (SELECT FROM requested k WHERE k.user_id = a.user_id)
        RETURNING a.project_id, a.user_id, a.owner_id),
      moved AS (
        UPDATE project_assignments a SET position = k.position, updated_at = now() FROM requested k
        WHERE a.project_id = ANY(${projects}) AND a.user_id = k.user_id AND a.position <> k.position
        RETURNING a.project_id, a.user_id, a.owner_id),
      added AS (
        INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
        SELECT p.id, k.user_id, k.position, p.user_id, p.created_at
        FROM projects p CROSS JOIN requested k
        WHERE p.id = ANY(${projects}) AND k.user_id = ANY(${t.bigints(assignable)})
          AND NOT EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = k.user_id)
        RETURNING project_id, user_id, owner_id),
      ${rejoined}
      SELECT project_id, user_id, owner_id, 'removed' AS change FROM removed
      UNION ALL SELECT project_id, user_id, owner_id, 'moved' FROM moved
      UNION ALL SELECT project_id, user_id, owner_id, 'added' FROM added`;
  },
);

const addAll = query(
  'add_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[]) => sql`
    WITH added AS (
      INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
      SELECT p.id, k.user_id, last.position + k.position, p.user_id, p.created_at
      FROM projects p
      CROSS JOIN LATERAL (
        SELECT coalesce(max(a.position), 0) AS position FROM project_assignments a WHERE a.project_id = p.id) AS last
      CROSS JOIN unnest(${t.bigints(userIds)}) WITH ORDINALITY AS k (user_id, position)
      WHERE p.id = ANY(${t.bigints(projectIds)})
      ON CONFLICT ON CONSTRAINT project_assignments_pair_key DO NOTHING
      RETURNING project_id, user_id, owner_id),
    ${rejoined}
    SELECT project_id, user_id, owner_id, 'added' AS change FROM added`,
);

const removeAll = query(
  'remove_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[]) => sql`
    DELETE FROM project_assignments a
    WHERE a.project_id = ANY(${t.bigints(projectIds)}) AND a.user_id = ANY(${t.bigints(userIds)})
    RETURNING a.project_id, a.user_id, a.owner_id, 'removed' AS change`,
);

const listVisits = query('list_visited_projects', pairColumns, (id: number) => {
  const userId = t.bigint(id);
  return sql`
    SELECT p.id AS project_id, ${userId} AS user_id
    FROM (
      SELECT k.project_id FROM project_user_totals k WHERE k.user_id = ${userId}
      UNION SELECT s.project_id FROM study_sessions s WHERE s.user_id = ${userId} AND s.ended_at IS NULL) AS visited
    JOIN projects p ON p.id = visited.project_id
    WHERE p.user_id <> ${userId} AND NOT EXISTS (
      SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${userId})`;
});

// The array of ordinary users is read first: a join of many pairs of few users would read all users.
const keepNames = query('keep_names_of_projects', pairColumns, (pairs: readonly Pair[]) => {
  const userIds = pairs.map((pair) => pair.user_id);
  return sql`
    WITH kept AS (
      INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
      SELECT k.user_id, p.id, clock_timestamp(), p.name
      FROM unnest(${t.bigints(pairs.map((pair) => pair.project_id))}, ${t.bigints(userIds)}) AS k (project_id, user_id)
      JOIN projects p ON p.id = k.project_id AND p.user_id <> k.user_id
      WHERE k.user_id = ANY(ARRAY(
        SELECT u.id FROM users u WHERE u.id = ANY(${t.bigints(unique(userIds))}) AND u.role <> 'admin'))
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET ended_at = excluded.ended_at, project_name = excluded.project_name
      RETURNING project_id, user_id)
    SELECT k.project_id, k.user_id
    FROM kept k JOIN study_sessions s ON s.user_id = k.user_id AND s.project_id = k.project_id AND s.ended_at IS NULL`;
});

export function createAssignmentRepository(db: Executor) {
  return {
    listUserIds: async (projectId: number) => (await db.many(listUserIds(projectId))).map((row) => row.user_id),
    lockUsers: (userIds: readonly number[]) => db.many(lockUsers(userIds)),
    lockProjects: (projectIds: readonly number[]) => db.many(lockProjects(projectIds)),
    listUsernames: async (userIds: readonly number[]) =>
      new Map((await db.many(listUsernames(userIds))).map((row) => [row.id, row.username])),
    /** Replaces the list of every project with `userIds`, in that order; adds only those that are `assignable`. */
    replaceAll: (projectIds: readonly number[], userIds: readonly number[], assignable: readonly number[]) =>
      db.many(replaceAll(projectIds, userIds, assignable)),
    /** The projects of others on which an administrator has records or a timer, without being assigned. */
    listVisits: (userId: number) => db.many(listVisits(userId)),
    /** Keeps the names of projects that users no longer see. Returns the pairs of users who are studying. */
    keepNames: (pairs: readonly Pair[]) => db.many(keepNames(pairs)),
    addAll: (projectIds: readonly number[], userIds: readonly number[]) => db.many(addAll(projectIds, userIds)),
    removeAll: (projectIds: readonly number[], userIds: readonly number[]) => db.many(removeAll(projectIds, userIds)),
  };
}
