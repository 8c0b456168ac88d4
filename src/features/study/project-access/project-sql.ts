import type { Reader } from '../../../actor.ts';
import { constant, empty, type Interpolation, type RowOf, type Sql, selectList, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne } from '../../../db/statements.ts';
import {
  isAssignedInScope,
  isAssignedInScopeNow,
  isOnlyInScope,
  studentsInScope,
} from '../../../transactions/scope-sql.ts';
import { fieldColumns } from './project-fields.ts';
import { projectStatuses } from './project-values.ts';

/** A reader in SQL: parameters, or columns of a table of readers. `isLimited`: an administrator of groups; undefined if nobody is. */
export type SqlReader = { id: Interpolation; isAdmin: Interpolation; isLimited?: Interpolation };

export function sqlReader(reader: Reader | SqlReader): SqlReader {
  if (!('role' in reader)) return reader;
  const known = { id: t.bigint(reader.id), isAdmin: t.boolean(reader.role === 'admin') };
  return reader.role === 'class_admin' ? { ...known, isLimited: sql`true` } : known;
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

/** SQL: nothing, or a further condition for administrators who are limited to groups. */
const orLimited = ({ isLimited }: SqlReader, condition: () => Sql): Sql =>
  isLimited === undefined ? empty : sql` OR (${isLimited} AND ${condition()})`;

/**
 * SQL: for changing, deleting and the cover image. Administrators manage all projects, their owners, and those who are limited to
 * groups, the ones that are assigned to their students only.
 */
export function manageableBy(given: Reader | SqlReader): Sql {
  const reader = sqlReader(given);
  const { id, isAdmin } = reader;
  const limited = orLimited(reader, () => sql`${isAssignedInScope(sql`p.id`, id)} AND ${isOnlyInScope(sql`p.id`, id)}`);
  return sql`(${isAdmin} OR p.user_id = ${id}${limited})`;
}

/** SQL: whether a limited administrator may restore the deleted project. */
export const wasOnlyInScope = ({ id, role }: Reader): Sql =>
  role === 'class_admin'
    ? sql`(p.deleted_at IS NOT NULL AND cardinality(p.former_user_ids) > 0
        AND p.former_user_ids <@ ARRAY(${studentsInScope(t.bigint(id), { active: false })}))`
    : sql`false`;

/** SQL: whether the reader sees the project: administrators all, others those that they own or that are assigned to them. */
export function visibleTo(given: Reader | SqlReader, assigned: (userId: Interpolation) => Sql = isAssigned): Sql {
  const reader = sqlReader(given);
  const { id, isAdmin } = reader;
  const inScope = assigned === isAssignedNow ? isAssignedInScopeNow : isAssignedInScope;
  const limited = orLimited(reader, () => inScope(sql`p.id`, id));
  return sql`(${isAdmin} OR p.user_id = ${id} OR ${assigned(id)}${limited})`;
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

/** The same for an administrator who is limited to groups: instead of those that are assigned to themselves, those to their students. */
export const scopedProjects = (adminId: Interpolation): Sql => sql`
  SELECT DISTINCT a.project_id AS id, a.project_created_at AS created_at FROM project_assignments a
  WHERE a.user_id IN (${studentsInScope(adminId)}) AND a.owner_id <> ${adminId}`;

const plainColumns = {
  id: t.bigint,
  ...fieldColumns,
  status: t.oneOf(projectStatuses),
  current_hours: t.numeric,
  progress: t.numeric,
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

/** SQL: of a project `p`, for nobody in particular: the chosen color, or else one that follows from the id. */
export const colorOf = sql`coalesce(p.color, (p.id - 1) % 12 + 1)::integer`;
/** SQL: the same for a person, whose active projects have different ones. The hues are read once, not for each row. */
export const colorFor = (person: Interpolation, hues = sql`project_hues(${person})`): Sql =>
  sql`coalesce(p.color, CASE WHEN p.status = 'active' THEN ((SELECT ${hues}) ->> p.id::text)::integer END, ${colorOf})`;
/** SQL: seconds in percent of a target that is not 0, as `progress` of projects is computed: 100 only from the target on. */
export const percentOf = (
  seconds: Sql,
  targetHours: Sql,
): Sql => sql`CASE WHEN ${seconds} >= ${targetHours} * 3600 THEN 100
  ELSE least(99.99, round(coalesce(${seconds}, 0) / 36.0 / (${targetHours}), 2)) END`;
const ownProgress = sql`CASE WHEN p.target_hours = 0 THEN 0 ELSE ${percentOf(sql`own.seconds`, sql`p.target_hours`)} END`;

const { color: _, ...fixedColumns } = plainColumns;
const selectFixed = constant(
  selectList(fixedColumns, sql`p`, {
    own_progress: ownProgress,
    own_hours: sql`coalesce(own.hours, 0)`,
    own_last_session: sql`own.last_session`,
  }),
);

/** SQL: these columns of a row `p` of projects; the caller joins `ownPart`. */
export const selectProject = (reader: Reader | SqlReader, color = colorFor(sqlReader(reader).id)): Sql =>
  sql`${selectFixed}, ${color} AS color, ${assignedUserIds(reader)} AS assigned_user_ids, ${membersCount(reader)} AS members_count`;

/** SQL: a WITH query that `selectNewProject` needs: the hues of the owners of the rows `created`, which their statement does not see yet. */
export const huesOfCreated = sql`
    hues AS MATERIALIZED (
      SELECT c.user_id, project_hues(c.user_id, array_agg(c.id), array_agg(c.color)) AS hues FROM created c GROUP BY c.user_id)`;

/** SQL: these columns of a project `p` of the rows `created`, without assigned users and records. */
export const selectNewProject = sql`${selectList(plainColumns, sql`p`, {
  color: colorFor(sql`p.user_id`, sql`h.hues FROM hues h WHERE h.user_id = p.user_id`),
  own_progress: sql`0::numeric`,
  own_hours: sql`0::numeric`,
  own_last_session: sql`NULL::timestamptz`,
})}, '{}'::bigint[] AS assigned_user_ids, 0::bigint AS members_count`;

/** SQL: joins the totals of the reader on project `p`, as `own`. */
export const ownPart = (reader: Reader | SqlReader): Sql =>
  sql`LEFT JOIN project_user_totals own ON own.user_id = ${sqlReader(reader).id} AND own.project_id = p.id`;

/** In a smaller project, averages would tell a member about another. */
const minMembersShown = sql`5`;

/** SQL: the number of assigned users, if the reader may know it. */
const membersCount = (given: Reader | SqlReader): Sql => {
  const reader = sqlReader(given);
  const limited = orLimited(reader, () => sql`true`);
  return sql`(
    SELECT CASE WHEN ${reader.isAdmin} OR p.user_id = ${reader.id}${limited} OR count(*) >= ${minMembersShown} THEN count(*) END
    FROM project_assignments a WHERE a.project_id = p.id)`;
};

/** SQL: the assigned users, in order, that the reader may see: all as administrator or owner, else only themselves. */
function assignedUserIds(given: Reader | SqlReader): Sql {
  const reader = sqlReader(given);
  const { id, isAdmin, isLimited } = reader;
  const seen = sql`${isAdmin} OR p.user_id = ${id} OR a.user_id = ${id}`;
  const inScope = sql`a.user_id IN (${studentsInScope(id, { active: false })})`;
  return sql`ARRAY(
    SELECT a.user_id FROM project_assignments a
    WHERE a.project_id = p.id
      AND (${isLimited === undefined ? seen : sql`CASE WHEN ${isLimited} THEN ${inScope} ELSE ${seen} END`})
    ORDER BY a.position, a.user_id)`;
}

export const findAccess = maybeOne(
  'find_project_access',
  { user_id: t.bigint, visible: t.boolean, manageable: t.boolean },
  (reader: Reader, id: number) => sql`
    SELECT p.user_id, ${visibleTo(reader)} AS visible, ${manageableBy(reader)} AS manageable
    FROM projects p WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`,
);

/** As the owner of none of them sees them, in the order of their ids; without those in the trash. */
export const listShown = many('list_shown_projects', projectColumns, (ids: readonly number[]) => {
  const nobody: Reader = { id: 0, role: 'admin' };
  return sql`
    SELECT ${selectProject(nobody)} FROM projects p ${ownPart(nobody)}
    WHERE p.id = ANY(${t.bigints(ids)}) AND p.deleted_at IS NULL ORDER BY p.id`;
});
