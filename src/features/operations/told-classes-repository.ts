import { z } from 'zod';
import { sql, t } from '../../db/sql/sql.ts';
import { one } from '../../db/statements.ts';
import { actingRole, groupsInScope } from '../../transactions/scope-sql.ts';

/** What a queued message tells an administrator about: these groups, or null for the whole school. */
export const toldClasses = z.object({ admin_id: z.int(), group_ids: z.array(z.int()).nullable() });
type ToldClasses = z.infer<typeof toldClasses>;

/** Whether the administrator may still know it, when it is sent. */
export const mayBeTold = one(
  'may_be_told_of_classes',
  { allowed: t.boolean },
  ({ admin_id, group_ids }: ToldClasses) => {
    const id = t.bigint(admin_id);
    const hasGroups =
      group_ids === null
        ? sql`false`
        : sql`${actingRole} = 'class_admin' AND ${t.bigints(group_ids)} <@ ARRAY(${groupsInScope(id)})`;
    return sql`SELECT EXISTS (
    SELECT FROM users u WHERE u.id = ${id} AND u.status = 'active' AND (${actingRole} = 'admin' OR ${hasGroups})) AS allowed`;
  },
);
