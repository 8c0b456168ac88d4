import { empty, type Interpolation, type Sql, sql } from '../db/sql/sql.ts';

/** SQL: the role with which a user `u` acts: that of the account, except for administrators who are limited to groups. */
export const actingRole = sql`acting_role(u.role, u.admin_scope)`;

/** SQL: the ids of the groups to which an administrator is limited. */
export const groupsInScope = (adminId: Interpolation): Sql =>
  sql`SELECT ag.group_id FROM admin_groups ag WHERE ag.user_id = ${adminId}`;

/**
 * SQL: the ids of the students in the scope of a limited administrator: the active members of these groups. The one definition, which
 * all statements evaluate in their own snapshot. Only their accounts are also shown, and activated again, while they are inactive.
 */
export const studentsInScope = (adminId: Interpolation, { active = true } = {}): Sql => sql`
  SELECT sm.user_id FROM admin_groups ag JOIN group_members sm ON sm.group_id = ag.group_id
  JOIN users su ON su.id = sm.user_id AND su.role = 'user' ${active ? sql`AND su.status = 'active'` : empty}
  WHERE ag.user_id = ${adminId}`;

/** SQL: whether a project is assigned to at least one student in scope. Those that the administrator owns are in scope, too. */
export const isAssignedInScope = (projectId: Interpolation, adminId: Interpolation): Sql => sql`EXISTS (
  SELECT FROM project_assignments sa WHERE sa.project_id = ${projectId} AND sa.user_id IN (${studentsInScope(adminId)}))`;

/** SQL: the same as of the latest commit, for statements that wait for locks themselves. */
export const isAssignedInScopeNow = (projectId: Interpolation, adminId: Interpolation): Sql =>
  sql`is_assigned_in_scope(${projectId}, ${adminId})`;

/** SQL: whether a project is assigned to nobody outside the groups. Of its students, inactive ones count as members. */
export const isOnlyInScope = (projectId: Interpolation, adminId: Interpolation): Sql => sql`NOT EXISTS (
  SELECT FROM project_assignments sa WHERE sa.project_id = ${projectId}
    AND sa.user_id NOT IN (${studentsInScope(adminId, { active: false })}))`;
