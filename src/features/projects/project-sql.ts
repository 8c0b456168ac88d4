import { constant, type Interpolation, type RowOf, type Sql, selectList, sql, t } from '../../db/sql/sql.ts';
import { percentageOf } from '../statistics/study-days.ts';
import type { Reader } from './project-access.ts';
import { projectCategories, projectStatuses, ratingStandards, targetScopes } from './project-schemas.ts';

/** A reader in SQL: parameters, or columns of a table of readers. */
export type SqlReader = { id: Interpolation; isAdmin: Interpolation };

function sqlReader(reader: Reader | SqlReader): SqlReader {
  return 'role' in reader ? { id: t.bigint(reader.id), isAdmin: t.boolean(reader.role === 'admin') } : reader;
}

/**
 * SQL: whether the user is assigned to the project, in the snapshot of the statement. As in all of these, `p` is a
 * row of projects.
 */
export const isAssigned = (userId: Interpolation): Sql =>
  sql`EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${userId})`;

/**
 * SQL: whether the user is assigned as of the latest commit. For statements that lock the project themselves: the
 * assignment may be removed while they wait, and their snapshot is older.
 */
export const isAssignedNow = (userId: Interpolation): Sql => sql`is_assigned(p.id, ${userId})`;

/** SQL: `canManageProject`. */
export function manageableBy(reader: Reader | SqlReader): Sql {
  const { id, isAdmin } = sqlReader(reader);
  return sql`(${isAdmin} OR p.user_id = ${id})`;
}

/** SQL: `canViewProject`. */
export function visibleTo(reader: Reader | SqlReader, assigned: (userId: Interpolation) => Sql = isAssigned): Sql {
  return sql`(${manageableBy(reader)} OR ${assigned(sqlReader(reader).id)})`;
}

/**
 * SQL: the projects visible to an ordinary user, each in exactly one of these two selections. Both return `id` and
 * `created_at` in index order. Deleted projects have no assignments.
 */
export const ownProjects = (userId: Interpolation): Sql =>
  sql`SELECT p.id, p.created_at FROM projects p WHERE p.user_id = ${userId} AND p.deleted_at IS NULL`;
export const assignedProjects = (userId: Interpolation): Sql => sql`
  SELECT a.project_id AS id, a.project_created_at AS created_at FROM project_assignments a
  WHERE a.user_id = ${userId} AND a.owner_id <> ${userId}`;

const plainColumns = {
  id: t.bigint,
  name: t.text,
  description: t.text,
  status: t.oneOf(projectStatuses),
  category: t.oneOf(projectCategories),
  target_hours: t.numeric,
  due_date: t.date.orNull,
  current_hours: t.numeric,
  progress: t.numeric,
  rating_standard: t.oneOf(ratingStandards),
  weekly_goal_hours: t.numeric.orNull,
  target_scope: t.oneOf(targetScopes),
  color: t.integer,
  own_hours: t.numeric,
  own_progress: t.numeric,
  own_last_session: t.timestamptz.orNull,
  image: t.text.orNull,
  user_id: t.bigint,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
/** The columns of a project as returned to a reader. */
export const projectColumns = { ...plainColumns, assigned_user_ids: t.bigints, members_count: t.bigint.orNull };
export type ProjectRow = RowOf<typeof projectColumns>;

/** SQL: of a project `p`; the chosen color, or else one that follows from the id. */
export const colorOf = sql`coalesce(p.color, (p.id - 1) % 12 + 1)::integer`;
/** As `progress` is computed from the hours of all users. */
const ownProgress = sql`CASE WHEN p.target_hours > 0
  THEN least(100, ${percentageOf(sql`p.target_hours`, sql`coalesce(own.seconds, 0)`)}) ELSE 0 END`;

const selectPlain = constant(
  selectList(plainColumns, sql`p`, {
    color: colorOf,
    own_progress: ownProgress,
    own_hours: sql`coalesce(own.hours, 0)`,
    own_last_session: sql`own.last_session`,
  }),
);

/** SQL: these columns of a row `p` of projects; the caller joins `ownPart`. */
export const selectProject = (reader: Reader | SqlReader): Sql =>
  sql`${selectPlain}, ${assignedUserIds(reader)} AS assigned_user_ids, ${membersCount(reader)} AS members_count`;

/** SQL: these columns of a project `p` without assigned users and records. */
export const selectNewProject = sql`${selectList(plainColumns, sql`p`, {
  color: colorOf,
  ...{ own_progress: sql`0::numeric`, own_hours: sql`0::numeric`, own_last_session: sql`NULL::timestamptz` },
})}, '{}'::bigint[] AS assigned_user_ids, 0::bigint AS members_count`;

/** SQL: joins the totals of the reader on project `p`, as `own`. */
export const ownPart = (reader: Reader | SqlReader): Sql =>
  sql`LEFT JOIN project_user_totals own ON own.user_id = ${sqlReader(reader).id} AND own.project_id = p.id`;

/** In a smaller project, averages would tell a member about another. */
const minMembersShown = sql`5`;

/** SQL: the number of assigned users, if the reader may know it. */
const membersCount = (reader: Reader | SqlReader): Sql => sql`(
  SELECT CASE WHEN ${manageableBy(reader)} OR count(*) >= ${minMembersShown} THEN count(*) END
  FROM project_assignments a WHERE a.project_id = p.id)`;

/** SQL: the assigned users, in order, that the reader may see: all if they manage the project, else only themselves. */
function assignedUserIds(reader: Reader | SqlReader): Sql {
  return sql`ARRAY(
    SELECT a.user_id FROM project_assignments a
    WHERE a.project_id = p.id AND (${manageableBy(reader)} OR a.user_id = ${sqlReader(reader).id})
    ORDER BY a.position, a.id)`;
}
