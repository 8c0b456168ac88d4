import { z } from 'zod';
import { sql, t } from '../../db/sql/sql.ts';
import { one } from '../../db/statements.ts';
import { actingRole, groupsInScope } from '../../transactions/scope-sql.ts';

/** The groups that a queued message to an administrator is about, or null for the whole school. */
export const messageScope = z.object({ admin_id: z.int(), group_ids: z.array(z.int()).nullable() });
type MessageScope = z.infer<typeof messageScope>;

/** Whether the administrator may still see all of it, when the message is sent. */
export const maySeeScope = one(
  'may_see_message_scope',
  { allowed: t.boolean },
  ({ admin_id, group_ids }: MessageScope) => {
    const id = t.bigint(admin_id);
    const hasGroups =
      group_ids === null
        ? sql`false`
        : sql`${actingRole} = 'class_admin' AND ${t.bigints(group_ids)} <@ ARRAY(${groupsInScope(id)})`;
    return sql`SELECT EXISTS (
    SELECT FROM users u WHERE u.id = ${id} AND u.status = 'active' AND (${actingRole} = 'admin' OR ${hasGroups})) AS allowed`;
  },
);
