import { userStatuses } from '../../../actor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';

const assignableColumns = {
  id: t.bigint,
  username: t.text,
  role: t.oneOf(['admin', 'user']),
  status: t.oneOf(userStatuses),
};
export type AssignableUser = RowOf<typeof assignableColumns>;

// A shared lock: an account cannot be deactivated between this check and the commit. Users whose rows others have locked are
// `busy` and not locked.
export const lock = many(
  'lock_users_to_assign',
  { ...assignableColumns, busy: t.boolean },
  (userIds: readonly number[]) => sql`
    WITH locked AS MATERIALIZED (
      SELECT u.id, u.username, u.role, u.status FROM users u
      WHERE u.id = ANY(${t.bigints(userIds)}) AND u.deleted_at IS NULL ORDER BY u.id FOR SHARE SKIP LOCKED)
    SELECT l.id, l.username, l.role, l.status, false AS busy FROM locked l
    UNION ALL
    SELECT u.id, u.username, u.role, u.status, true FROM users u
    WHERE u.id = ANY(${t.bigints(userIds)}) AND u.deleted_at IS NULL AND NOT EXISTS (SELECT FROM locked l WHERE l.id = u.id)`,
);
