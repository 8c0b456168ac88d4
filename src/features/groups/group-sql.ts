import { type Sql, sql } from '../../db/sql/sql.ts';
import { t } from '../../db/sql/types.ts';

export function isMember(userId: Sql, groupId: number): Sql {
  return sql`${userId} IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ${t.bigint(groupId)})`;
}
