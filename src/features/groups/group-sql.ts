import { type Sql, sql, t } from '../../db/sql/sql.ts';

export function isMember(userId: Sql, groupId: number): Sql {
  return sql`${userId} IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ${t.bigint(groupId)})`;
}
