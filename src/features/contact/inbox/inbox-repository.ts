import type { Executor } from '../../../db/database.ts';
import { type RowOf, selectList, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import { type ContactStatus, contactStatuses, contactSubjects } from '../submissions/contact-schemas.ts';

const columns = {
  id: t.bigint,
  name: t.text,
  email: t.text,
  subject: t.oneOf(contactSubjects),
  status: t.oneOf(contactStatuses),
  admin_note: t.text.orNull,
  user_id: t.bigint.orNull,
  handled_by: t.bigint.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
/** The part of a request that rules and events need. */
export type ContactRow = RowOf<typeof columns>;
const selected = selectList(columns, sql`r`);

/** Undefined fields are unchanged. */
export type Advancement = {
  status: ContactStatus;
  admin_note?: string | null | undefined;
  user_id?: number | undefined;
  handled_by: number;
  at: Date;
};

/** Those that exist. */
export const lock = many(
  'lock_contact_requests',
  columns,
  (ids: readonly number[]) => sql`
    SELECT ${selected} FROM contact_requests r WHERE r.id = ANY(${t.bigints(ids)}) ORDER BY r.id FOR NO KEY UPDATE`,
);
/** Of locked requests. */
export const advance = many(
  'advance_contact_requests',
  columns,
  (ids: readonly number[], { status, admin_note, user_id, handled_by, at }: Advancement) => sql`
    UPDATE contact_requests r
    SET status = ${t.text(status)}, handled_by = ${t.bigint(handled_by)},
      updated_at = greatest(r.updated_at, ${t.timestamptz(at)}),
      user_id = coalesce(${t.bigint(user_id ?? null)}, r.user_id),
      admin_note = CASE WHEN ${t.boolean(admin_note !== undefined)} THEN ${t.text(admin_note ?? null)} ELSE r.admin_note END
    WHERE r.id = ANY(${t.bigints(ids)}) RETURNING ${selected}`,
);
export const lockResolvedBefore = many(
  'lock_resolved_contact_requests',
  columns,
  (time: Date, limit: number) => sql`
    SELECT ${selected} FROM contact_requests r WHERE r.status = 'resolved' AND r.updated_at < ${t.timestamptz(time)}
    ORDER BY r.id LIMIT ${t.integer(limit)} FOR UPDATE SKIP LOCKED`,
);

export const exists = async (db: Executor, id: number) =>
  (await db.table('contact_requests', 'find_contact_request_id').where({ id }).first('id')) !== undefined;
export const remove = async (db: Executor, ids: readonly number[]) =>
  db.table('contact_requests').whereIn('id', ids).delete();
