import { type Interpolation, type Sql, sql } from '../../db/sql/sql.ts';
import { t } from '../../db/sql/types.ts';
import type { Reader } from './project-policy.ts';

/** A reader in SQL: parameters, or columns of a table of readers. */
export type SqlReader = { id: Interpolation; isAdmin: Interpolation };

export function sqlReader(reader: Reader | SqlReader): SqlReader {
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

/** SQL: `canManageProject` of the policy. */
export function manageableBy(reader: Reader | SqlReader): Sql {
  const { id, isAdmin } = sqlReader(reader);
  return sql`(${isAdmin} OR p.user_id = ${id})`;
}

/** SQL: `canViewProject` of the policy. */
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
