import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, value } from '../../../db/statements.ts';

/** What is removed after a time, by table: where it is, since when it is kept, and how it is removed. */
type Kind = { from: Sql; isDue: (before: Date) => Sql; remove: (ids: Sql) => Sql };

const kinds = {
  audit_log: {
    from: sql`audit_log r`,
    isDue: (before) => sql`r.at <= ${t.timestamptz(before)}`,
    remove: (ids) => sql`DELETE FROM audit_log WHERE id = ANY(ARRAY(${ids}))`,
  },
  sign_ins: {
    from: sql`sign_ins r`,
    isDue: (before) => sql`
      (r.address <> '' OR r.device <> '') AND coalesce(r.last_used_at, r.created_at) <= ${t.timestamptz(before)}`,
    remove: (ids) => sql`UPDATE sign_ins SET address = '', device = '' WHERE id = ANY(ARRAY(${ids}))`,
  },
  contact_requests: {
    from: sql`contact_requests r`,
    isDue: (before) => sql`(r.ip_address <> '' OR r.user_agent <> '') AND r.created_at <= ${t.timestamptz(before)}`,
    remove: (ids) => sql`UPDATE contact_requests SET ip_address = '', user_agent = '' WHERE id = ANY(ARRAY(${ids}))`,
  },
} satisfies Record<string, Kind>;
export type RetainedKind = keyof typeof kinds;

export const countDue = value(
  'count_retention_due',
  { count: t.bigint },
  (kind: RetainedKind, before: Date) => sql`
    SELECT count(*) AS count FROM ${kinds[kind].from} WHERE ${kinds[kind].isDue(before)}`,
);

// Rows that are in use are left for the next run.
/** Removes at most `limit`; returns how many. */
export const removeDue = execute('remove_retention_due', (kind: RetainedKind, before: Date, limit: number) => {
  const { from, isDue, remove } = kinds[kind];
  return remove(sql`SELECT r.id FROM ${from} WHERE ${isDue(before)} LIMIT ${t.bigint(limit)} FOR UPDATE SKIP LOCKED`);
});
