import type { Actor } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many, values } from '../../../db/statements.ts';
import { isAssignedInScope, studentsInScope } from '../../../transactions/scope-sql.ts';
import { rejoined } from './membership-ends-repository.ts';

const changeColumns = {
  project_id: t.bigint,
  owner_id: t.bigint,
  added: t.bigints,
  removed: t.bigints,
  moved: t.bigints,
};
/** The users of a project whose assignments a write changed. `moved`: only their positions changed. */
export type AssignmentChange = RowOf<typeof changeColumns>;
const none = sql`'{}'::bigint[]`;
const idsOf = (id: Sql) => sql`coalesce(array_agg(${id}) FILTER (WHERE ${id} IS NOT NULL), ${none})`;

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
    const [projects, joining] = [t.bigints(projectIds), t.bigints(assignable)];
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
        WHERE p.id = ANY(${projects}) AND k.user_id = ANY(${joining})
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
      ${rejoined(projects, joining, sql`SELECT project_id, joining_id FROM changes`)}
      SELECT project_id, owner_id, ${idsOf(sql`joining_id`)} AS added, ${idsOf(sql`leaving_id`)} AS removed, ${idsOf(sql`moved_id`)} AS moved
      FROM (
        SELECT project_id, owner_id, joining_id, leaving_id, NULL::bigint AS moved_id FROM replaced
        UNION ALL SELECT project_id, owner_id, user_id, NULL, NULL FROM added
        UNION ALL SELECT project_id, owner_id, NULL, user_id, NULL FROM removed
        UNION ALL SELECT project_id, owner_id, NULL, NULL, user_id FROM moved) AS e
      GROUP BY project_id, owner_id`;
  },
);

export const addAll = many(
  'add_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[]) => {
    const [projects, users] = [t.bigints(projectIds), t.bigints(userIds)];
    return sql`
      WITH added AS (
        INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
        SELECT p.id, k.user_id, last.position + k.position, p.user_id, p.created_at
        FROM projects p
        CROSS JOIN LATERAL (
          SELECT coalesce(max(a.position), 0) AS position FROM project_assignments a WHERE a.project_id = p.id) AS last
        CROSS JOIN unnest(${users}) WITH ORDINALITY AS k (user_id, position)
        WHERE p.id = ANY(${projects})
        ON CONFLICT (project_id, user_id) DO NOTHING
        RETURNING project_id, user_id, owner_id),
      ${rejoined(projects, users, sql`SELECT project_id, user_id FROM added`)}
      SELECT project_id, owner_id, array_agg(user_id) AS added, ${none} AS removed, ${none} AS moved FROM added GROUP BY 1, 2`;
  },
);

export const removeAll = many(
  'remove_assignments',
  changeColumns,
  (projectIds: readonly number[], userIds: readonly number[]) => sql`
    WITH removed AS (
      DELETE FROM project_assignments a
      WHERE a.project_id = ANY(${t.bigints(projectIds)}) AND a.user_id = ANY(${t.bigints(userIds)})
      RETURNING a.project_id, a.user_id, a.owner_id)
    SELECT project_id, owner_id, ${none} AS added, array_agg(user_id) AS removed, ${none} AS moved FROM removed GROUP BY 1, 2`,
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

export const listUsernames = async (db: Executor, userIds: readonly number[]) =>
  new Map((await listUsernamesStatement(db, userIds)).map((row) => [row.id, row.username]));
