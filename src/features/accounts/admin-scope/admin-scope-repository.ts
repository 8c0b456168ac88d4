import { sql, t } from '../../../db/sql/sql.ts';
import { execute, many } from '../../../db/statements.ts';
import { groupsInScope, studentsInScope } from '../../../transactions/scope-sql.ts';

/** The existing ones of these groups, which cannot be deleted before the commit. */
export const lockGroups = many(
  'lock_groups_of_scope',
  { id: t.bigint },
  (ids: readonly number[]) => sql`
    SELECT g.id FROM groups g WHERE g.id = ANY(${t.bigints(ids)}) ORDER BY g.id FOR KEY SHARE`,
);

/** The groups exist and are locked. */
export const setGroups = execute('set_admin_groups', (adminId: number, groupIds: readonly number[]) => {
  const [id, ids] = [t.bigint(adminId), t.bigints(groupIds)];
  return sql`
    WITH removed AS (DELETE FROM admin_groups WHERE user_id = ${id} AND group_id <> ALL(${ids}))
    INSERT INTO admin_groups (user_id, group_id) SELECT ${id}, k.id FROM unnest(${ids}) AS k (id) ON CONFLICT DO NOTHING`;
});

export const listGroups = many('list_groups_in_scope', { group_id: t.bigint }, (adminId: number) =>
  groupsInScope(t.bigint(adminId)),
);

/** Those of the users who are in scope. */
export const listStudents = many(
  'list_students_in_scope',
  { user_id: t.bigint },
  (adminId: number, userIds: readonly number[], which?: { active: boolean }) => sql`
    SELECT DISTINCT s.user_id FROM (${studentsInScope(t.bigint(adminId), which)}) AS s WHERE s.user_id = ANY(${t.bigints(userIds)})`,
);

// In id order, as members are removed. A removal waits until the commit: it has its effect after this transaction.
/** The memberships of ordinary users in the groups of an administrator. */
export const lockMemberships = many(
  'lock_memberships_in_scope',
  { user_id: t.bigint, group_id: t.bigint },
  (adminId: number, userIds: readonly number[]) => sql`
    SELECT m.user_id, m.group_id FROM group_members m JOIN users u ON u.id = m.user_id AND u.role = 'user'
    WHERE m.user_id = ANY(${t.bigints(userIds)}) AND m.group_id IN (${groupsInScope(t.bigint(adminId))})
    ORDER BY m.group_id, m.user_id FOR SHARE OF m`,
);

/** Those of the users who are a member of a group outside. */
export const listWithOtherGroups = many(
  'list_users_with_groups_out_of_scope',
  { user_id: t.bigint },
  (adminId: number, userIds: readonly number[]) => sql`
    SELECT DISTINCT m.user_id FROM group_members m
    WHERE m.user_id = ANY(${t.bigints(userIds)}) AND m.group_id NOT IN (${groupsInScope(t.bigint(adminId))})`,
);
