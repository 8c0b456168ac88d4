import { sql, t } from '../../../db/sql/sql.ts';
import { exists, value, values } from '../../../db/statements.ts';

export const unusedNotice = 'account_unused';

/**
 * `unusedSince`: accounts without a use since then. A mail counts if it was sent after their last use and after `announcedSince`.
 * `announcedBefore`: those with such a mail before this; otherwise those without one.
 */
export type UnusedBefore = { unusedSince: Date; announcedSince: Date; announcedBefore?: Date };

// A calendar that a program reads for years does not show that anybody uses the account.
const unused = ({ unusedSince, announcedSince, announcedBefore }: UnusedBefore) => sql`
  FROM users u
  CROSS JOIN LATERAL (
    SELECT greatest(u.created_at, u.last_login_at, u.last_used_at, max(coalesce(s.last_used_at, s.created_at))) AS at
    FROM sign_ins s LEFT JOIN personal_tokens p ON p.sign_in_id = s.id
    WHERE s.user_id = u.id AND p.scopes IS DISTINCT FROM '{calendar}') AS used
  LEFT JOIN account_notices n ON n.user_id = u.id AND n.notice = ${t.text(unusedNotice)}
    AND n.since > greatest(used.at, ${t.timestamptz(announcedSince)})
  WHERE u.role = 'user' AND u.status = 'active' AND u.created_at <= ${t.timestamptz(unusedSince)}
    AND used.at <= ${t.timestamptz(unusedSince)}
    AND ${announcedBefore === undefined ? sql`n.since IS NULL` : sql`n.since <= ${t.timestamptz(announcedBefore)}`}`;

export const count = value(
  'count_unused_accounts',
  { count: t.bigint },
  (before: UnusedBefore) => sql`SELECT count(*) AS count ${unused(before)}`,
);
export const list = values(
  'list_unused_accounts',
  { id: t.bigint },
  (before: UnusedBefore, afterId: number, limit: number) => sql`
    SELECT u.id ${unused(before)} AND u.id > ${t.bigint(afterId)} ORDER BY u.id LIMIT ${t.bigint(limit)}`,
);
/** Whether the account is still one of them. */
export const isUnused = exists(
  'find_unused_account',
  { id: t.bigint },
  (before: UnusedBefore, id: number) => sql`SELECT u.id ${unused(before)} AND u.id = ${t.bigint(id)}`,
);
