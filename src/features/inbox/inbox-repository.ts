import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';
import { type ContactStatus, type ContactSubject, contactStatuses } from '../contact/contact-schemas.ts';

const advanced = {
  id: t.bigint,
  name: t.text,
  email: t.text,
  status: t.oneOf(contactStatuses),
  admin_note: t.text.orNull,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};

export type Handling = { actor_id: number; at: Date };
const handled = ({ actor_id, at }: Handling) =>
  sql`handled_by = ${t.bigint(actor_id)}, updated_at = greatest(r.updated_at, ${t.timestamptz(at)})`;

// The condition is part of the update, so that no concurrent update moves a request back.
const advanceRequest = query(
  'advance_contact_request',
  advanced,
  (id: number, status: ContactStatus, note: string | null | undefined, by: Handling, version: number | undefined) => {
    const order = t.texts(contactStatuses);
    const target = t.text(status);
    return sql`
      UPDATE contact_requests r
      SET status = ${target}, ${handled(by)},
        admin_note = CASE WHEN ${t.boolean(note !== undefined)} THEN ${t.text(note ?? null)} ELSE r.admin_note END
      WHERE r.id = ${t.bigint(id)} AND array_position(${order}, r.status) <= array_position(${order}, ${target})
        AND (${t.bigint(version ?? null)} IS NULL OR r.row_version = ${t.bigint(version ?? null)})
      RETURNING r.id, r.name, r.email, r.status, r.admin_note, r.updated_at, r.row_version`;
  },
);

const resolveRequest = command(
  'resolve_contact_request',
  (id: number, subject: ContactSubject, userId: number, by: Handling) => sql`
    UPDATE contact_requests r
    SET status = 'resolved', user_id = ${t.bigint(userId)}, ${handled(by)}
    WHERE r.id = ${t.bigint(id)} AND r.subject = ${t.text(subject)} AND r.status <> 'resolved'`,
);

const lockRequests = query(
  'lock_contact_requests',
  { id: t.bigint, status: t.oneOf(contactStatuses) },
  (ids: readonly number[]) => sql`
    SELECT r.id, r.status FROM contact_requests r WHERE r.id = ANY(${t.bigints(ids)}) ORDER BY r.id FOR NO KEY UPDATE`,
);

const advanceAll = command(
  'advance_contact_requests',
  (ids: readonly number[], status: ContactStatus, by: Handling) => sql`
    UPDATE contact_requests r SET status = ${t.text(status)}, ${handled(by)} WHERE r.id = ANY(${t.bigints(ids)})`,
);

const deleteAll = command(
  'delete_contact_requests',
  (ids: readonly number[]) => sql`DELETE FROM contact_requests WHERE id = ANY(${t.bigints(ids)})`,
);

export function createInboxRepository(db: Executor) {
  return {
    /** Moves a request forward to `status`; undefined if that would be backward. An undefined note is unchanged. */
    advance: (
      id: number,
      status: ContactStatus,
      note: string | null | undefined,
      by: Handling,
      version: number | undefined,
    ) => db.maybeOne(advanceRequest(id, status, note, by, version)),
    /** Resolves a request about `subject` and links the account; false if there is no such unresolved request. */
    resolve: async (id: number, subject: ContactSubject, userId: number, by: Handling) =>
      (await db.execute(resolveRequest(id, subject, userId, by))) > 0,
    findState: async (id: number) =>
      db
        .table('contact_requests', 'find_contact_request_state')
        .where({ id })
        .first('status', 'subject', 'row_version'),
    /** Returns false if it does not exist in this version. */
    delete: async (id: number, row_version: number | undefined) => {
      const request = row_version === undefined ? { id } : { id, row_version };
      return (await db.table('contact_requests').where(request).delete()) > 0;
    },
    lockAll: (ids: readonly number[]) => db.many(lockRequests(ids)),
    advanceAll: (ids: readonly number[], status: ContactStatus, by: Handling) =>
      db.execute(advanceAll(ids, status, by)),
    deleteAll: (ids: readonly number[]) => db.execute(deleteAll(ids)),
    deleteResolvedBefore: async (moment: Date) =>
      db
        .table('contact_requests', 'delete_resolved_contact_requests')
        .where({ status: 'resolved' })
        .where('updated_at', '<', moment)
        .delete(),
  };
}
