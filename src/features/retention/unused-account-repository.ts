import type { Executor } from '../../db/database.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';

export const unusedNotice = 'account_unused';

/** `unusedSince`: accounts without a use since then; `announcedBefore`: it was announced after their last use, and before this. */
export type UnusedBefore = { unusedSince: Date; announcedBefore?: Date };

// A sign-in has ended, and is deleted, at most 120 days after it began: `last_login_at` is then the last use that is known.
const unused = ({ unusedSince, announcedBefore }: UnusedBefore) => sql`
  FROM users u
  CROSS JOIN LATERAL (
    SELECT greatest(u.created_at, u.last_login_at, max(coalesce(s.last_used_at, s.created_at))) AS at
    FROM sign_ins s WHERE s.user_id = u.id) AS used
  LEFT JOIN account_notices n ON n.user_id = u.id AND n.notice = ${t.text(unusedNotice)} AND n.since > used.at
  WHERE u.role = 'user' AND u.status = 'active' AND u.created_at <= ${t.timestamptz(unusedSince)}
    AND used.at <= ${t.timestamptz(unusedSince)}
    AND ${announcedBefore === undefined ? sql`n.since IS NULL` : sql`n.since <= ${t.timestamptz(announcedBefore)}`}`;

const countUnused = query(
  'count_unused_accounts',
  { count: t.bigint },
  (before: UnusedBefore) => sql`SELECT count(*) AS count ${unused(before)}`,
);
const listUnused = query(
  'list_unused_accounts',
  { id: t.bigint },
  (before: UnusedBefore, afterId: number, limit: number) => sql`
    SELECT u.id ${unused(before)} AND u.id > ${t.bigint(afterId)} ORDER BY u.id LIMIT ${t.bigint(limit)}`,
);
const findUnused = query(
  'find_unused_account',
  { id: t.bigint },
  (before: UnusedBefore, id: number) => sql`SELECT u.id ${unused(before)} AND u.id = ${t.bigint(id)}`,
);

export function createUnusedAccountRepository(db: Executor) {
  return {
    count: async (before: UnusedBefore) => (await db.one(countUnused(before))).count,
    list: async (before: UnusedBefore, afterId: number, limit: number) =>
      (await db.many(listUnused(before, afterId, limit))).map(({ id }) => id),
    /** Whether the account is still one of them. */
    isUnused: async (before: UnusedBefore, id: number) => (await db.maybeOne(findUnused(before, id))) !== undefined,
    /** An account that is activated again is announced again. */
    forgetNotice: async (user_id: number) =>
      db.table('account_notices', 'delete_notice_of_unused_account').where({ user_id, notice: unusedNotice }).delete(),
  };
}
