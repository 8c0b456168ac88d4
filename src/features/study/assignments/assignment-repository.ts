import type { Actor } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many, values } from '../../../db/statements.ts';
import { isAssignedInScope, studentsInScope } from '../../../transactions/scope-sql.ts';

const changes = ['added', 'removed', 'moved'] as const;
const changeColumns = { project_id: t.bigint, owner_id: t.bigint, user_ids: t.bigints, change: t.oneOf(changes) };
/** The users of a project whose assignment a write changed. `moved`: only their positions changed. */
export type AssignmentChange = RowOf<typeof changeColumns>;
/** Some users of a project. */
export type Members = Pick<AssignmentChange, 'project_id' | 'user_ids'>;
const pairColumns = { project_id: t.bigint, user_id: t.bigint };

export const listUserIds = values(
  'list_assigned_users',
  { user_id: t.bigint },
  (projectId: number) => sql`
    SELECT a.user_id FROM project_assignments a WHERE a.project_id = ${t.bigint(projectId)} ORDER BY a.position, a.user_id`,
);

const listUsernamesStatement = many(
  'list_usernames',
  { id: t.bigint, username: t.text },
  (userIds: readonly number[]) => sql`SELECT u.id, u.username FROM users u WHERE u.id = ANY(${t.bigints(userIds)})`,
);
export const lockProjects = many(
  'lock_projects_to_assign',
  { id: t.bigint, name: t.text },
  (projectIds: readonly number[]) => sql`
    SELECT p.id, p.name FROM projects p
    WHERE p.id = ANY(${t.bigints(projectIds)}) AND p.deleted_at IS NULL ORDER BY p.id FOR NO KEY UPDATE`,
);

/** Those of the projects that a limited administrator sees. */
export const listInScope = many(
  'list_projects_in_scope',
  { id: t.bigint },
  (adminId: number, projectIds: readonly number[]) => {
    const me = t.bigint(adminId);
    return sql`
      SELECT p.id FROM projects p
      WHERE p.id = ANY(${t.bigints(projectIds)}) AND (p.user_id = ${me} OR ${isAssignedInScope(sql`p.id`, me)})`;
  },
);

/** SQL: users who are assigned again see the current name of the project. */
const rejoined = (added: Sql) => sql`
  rejoined AS (
    DELETE FROM project_membership_ends e USING (${added}) AS a (project_id, user_id)
    WHERE e.user_id = a.user_id AND e.project_id = a.project_id)`;

type Replacing = Pick<Actor, 'id' | 'role'>;

// Only the difference is written. A user who is added takes the row of one who leaves the same project: this writes one row instead of
// two, and the database does not check again that the project exists. Those who stay keep their positions if these are in the requested
// order and all who are added come after them; then none of their rows is written. NOT IN is a hashed subplan and a full join a hashed
// one whatever the planner expects; other joins of two sets of unknown size could be nested loops.
/**
 * Replaces the list of every project with `userIds`, in that order; adds only those that are `assignable`. For a limited administrator
 * it is the list of their students: the others stay, in their order.
 */
export const replaceAll = many(
  'replace_assignments',
  changeColumns,
  (actor: Replacing, projectIds: readonly number[], userIds: readonly number[], assignable: readonly number[]) => {
    const projects = t.bigints(projectIds);
    const isLimited = actor.role === 'class_admin';
    const own = isLimited ? sql`AND user_id IN (${studentsInScope(t.bigint(actor.id), { active: false })})` : empty;
    return sql`
      WITH requested AS (
        SELECT k.user_id, k.position::integer FROM unnest(${t.bigints(userIds)}) WITH ORDINALITY AS k (user_id, position)),
      assigned AS MATERIALIZED (
        SELECT a.ctid AS place, a.project_id, a.user_id, a.position, k.position AS requested
        FROM project_assignments a LEFT JOIN requested k ON k.user_id = a.user_id
        WHERE a.project_id = ANY(${projects})),
      staying AS MATERIALIZED (
        SELECT project_id, user_id, position, requested,
          position > lag(position, 1, 0) OVER (PARTITION BY project_id ORDER BY requested) AS in_order
        FROM assigned WHERE requested IS NOT NULL),
      kept AS (
        SELECT project_id, max(position) - max(requested) AS offset_of_added
        FROM staying GROUP BY project_id HAVING bool_and(in_order) AND count(*) = max(requested)),
      leaving AS (
        SELECT project_id, user_id, place, row_number() OVER (PARTITION BY project_id) AS number
        FROM assigned WHERE requested IS NULL ${own}),
      joining AS (
        SELECT p.id AS project_id, k.user_id, k.position + coalesce(kept.offset_of_added, 0) AS position,
          p.user_id AS owner_id, p.created_at, row_number() OVER (PARTITION BY p.id) AS number
        FROM projects p CROSS JOIN requested k LEFT JOIN kept ON kept.project_id = p.id
        WHERE p.id = ANY(${projects}) AND k.user_id = ANY(${t.bigints(assignable)})
          AND (p.id, k.user_id) NOT IN (SELECT project_id, user_id FROM staying)),
      changes AS MATERIALIZED (
        SELECT project_id, l.place, l.user_id AS leaving_id, j.user_id AS joining_id, j.position, j.owner_id, j.created_at
        FROM leaving l FULL JOIN joining j USING (project_id, number)),
      replaced AS (
        UPDATE project_assignments a
        SET user_id = c.joining_id, position = c.position, assigned_at = now(), created_at = now(), updated_at = now()
        FROM changes c WHERE a.ctid = c.place AND c.joining_id IS NOT NULL
        RETURNING a.project_id, a.owner_id, c.leaving_id, c.joining_id),
      removed AS (
        DELETE FROM project_assignments a USING changes c WHERE a.ctid = c.place AND c.joining_id IS NULL
        RETURNING a.project_id, a.owner_id, a.user_id),
      moved AS (
        UPDATE project_assignments a SET position = k.requested, updated_at = now() FROM staying k
        WHERE a.project_id = k.project_id AND a.user_id = k.user_id AND k.position <> k.requested
          AND k.project_id NOT IN (SELECT project_id FROM kept)
        RETURNING a.project_id, a.owner_id, a.user_id),
      added AS (
        INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
        SELECT project_id, joining_id, position, owner_id, created_at FROM changes WHERE place IS NULL
        RETURNING project_id, owner_id, user_id),
      ${rejoined(sql`SELECT project_id, joining_id FROM changes`)}
      SELECT project_id, owner_id, array_agg(user_id) AS user_ids, change FROM (
        SELECT project_id, owner_id, user_id, 'removed' AS change FROM removed
        UNION ALL SELECT project_id, owner_id, leaving_id, 'removed' FROM replaced
        UNION ALL SELECT project_id, owner_id, user_id, 'moved' FROM moved
        UNION ALL SELECT project_id, owner_id, user_id, 'added' FROM added
        UNION ALL SELECT project_id, owner_id, joining_id, 'added' FROM replaced) AS e
      GROUP BY project_id, owner_id, change`;
  },
);

export const addAll = many(
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
      ON CONFLICT (project_id, user_id) DO NOTHING
      RETURNING project_id, user_id, owner_id),
    ${rejoined(sql`SELECT project_id, user_id FROM added`)}
    SELECT project_id, owner_id, array_agg(user_id) AS user_ids, 'added' AS change FROM added GROUP BY 1, 2`,
);

export const removeAll = many(
  'remove_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[]) => sql`
    WITH removed AS (
      DELETE FROM project_assignments a
      WHERE a.project_id = ANY(${t.bigints(projectIds)}) AND a.user_id = ANY(${t.bigints(userIds)})
      RETURNING a.project_id, a.user_id, a.owner_id)
    SELECT project_id, owner_id, array_agg(user_id) AS user_ids, 'removed' AS change FROM removed GROUP BY 1, 2`,
);

/** The projects of others on which an administrator has records or a timer, without being assigned. */
export const listVisits = many('list_visited_projects', { project_id: t.bigint, user_ids: t.bigints }, (id: number) => {
  const userId = t.bigint(id);
  return sql`
    SELECT p.id AS project_id, ARRAY[${userId}] AS user_ids
    FROM (
      SELECT k.project_id FROM project_user_totals k WHERE k.user_id = ${userId}
      UNION SELECT s.project_id FROM study_sessions s WHERE s.user_id = ${userId} AND s.ended_at IS NULL) AS visited
    JOIN projects p ON p.id = visited.project_id
    WHERE p.user_id <> ${userId} AND NOT EXISTS (
      SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${userId})`;
});

// The arrays of users are read first: joins of many pairs of few users would read all users and all running records.
/**
 * Keeps the names of projects for users who no longer see them and have studied; nothing else shows these names. Returns the pairs
 * of users who are studying.
 */
export const keepNames = many('keep_names_of_projects', pairColumns, (left: readonly Members[]) => {
  const [projectIds, userIds]: [number[], number[]] = [[], []];
  for (const { project_id, user_ids } of left)
    for (const id of user_ids) {
      projectIds.push(project_id);
      userIds.push(id);
    }
  const users = t.bigints([...new Set(userIds)]);
  return sql`
    WITH running AS MATERIALIZED (
      SELECT s.project_id, s.user_id FROM study_sessions s WHERE s.user_id = ANY(${users}) AND s.ended_at IS NULL),
    studied AS MATERIALIZED (
      SELECT k.project_id, k.user_id
      FROM unnest(${t.bigints(projectIds)}, ${t.bigints(userIds)}) AS k (project_id, user_id)
      WHERE (k.project_id, k.user_id) IN (SELECT project_id, user_id FROM running)
        OR EXISTS (SELECT FROM project_user_totals o WHERE o.user_id = k.user_id AND o.project_id = k.project_id)),
    kept AS (
      INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
      SELECT k.user_id, p.id, clock_timestamp(), p.name
      FROM studied k JOIN projects p ON p.id = k.project_id AND p.user_id <> k.user_id
      WHERE k.user_id = ANY(ARRAY(SELECT u.id FROM users u WHERE u.id = ANY(${users}) AND u.role <> 'admin'))
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET ended_at = excluded.ended_at, project_name = excluded.project_name
      RETURNING project_id, user_id)
    SELECT k.project_id, k.user_id FROM kept k JOIN running USING (project_id, user_id)`;
});
export const listUsernames = async (db: Executor, userIds: readonly number[]) =>
  new Map((await listUsernamesStatement(db, userIds)).map((row) => [row.id, row.username]));
