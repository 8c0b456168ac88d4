import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { command, query } from '../../db/statement.ts';
import { type RowOf, t } from '../../db/types.ts';
import { contactSubjects } from './contact-schemas.ts';

const insertEntry = command(
  'insert_contact_outbox_entry',
  (requestId: number) => sql`INSERT INTO contact_outbox (request_id) VALUES (${t.bigint(requestId)})`,
);

// Of several processes at once, the one that moves `next_at` may send.
const claimTurn = query(
  'claim_contact_mailer',
  { failures: t.integer },
  (now: Date, leaseEnd: Date) => sql`
    UPDATE contact_mailer SET next_at = ${t.timestamptz(leaseEnd)}
    WHERE next_at <= ${t.timestamptz(now)} AND EXISTS (SELECT FROM contact_outbox) RETURNING failures`,
);
const mailedRequest = {
  id: t.bigint,
  name: t.text,
  email: t.text,
  phone: t.text.orNull,
  subject: t.oneOf(contactSubjects),
  message: t.text,
  created_at: t.timestamptz,
};
const listWaiting = query(
  'list_contact_outbox',
  mailedRequest,
  (limit: number) => sql`
    SELECT r.id, r.name, r.email, r.phone, r.subject, r.message, r.created_at
    FROM contact_outbox o JOIN contact_requests r ON r.id = o.request_id ORDER BY r.id LIMIT ${t.integer(limit)}`,
);
const settleSent = command(
  'settle_sent_contact_mail',
  (requestIds: readonly number[], nextAt: Date) => sql`
    WITH sent AS (DELETE FROM contact_outbox WHERE request_id = ANY(${t.bigints(requestIds)}))
    UPDATE contact_mailer SET next_at = ${t.timestamptz(nextAt)}, failures = 0`,
);
const settleFailed = command(
  'settle_failed_contact_mail',
  (nextAt: Date) => sql`UPDATE contact_mailer SET next_at = ${t.timestamptz(nextAt)}, failures = failures + 1`,
);

export type MailedRequest = RowOf<typeof mailedRequest>;

/** The requests that no mail has reported yet, and the turn to send the next mail, which all processes share. */
export function createOutboxRepository(db: Executor) {
  return {
    insert: (requestId: number) => db.execute(insertEntry(requestId)),
    /** Claims the turn until `leaseEnd`, if a mail is due; returns the number of consecutive failures. */
    claim: (now: Date, leaseEnd: Date) => db.maybeOne(claimTurn(now, leaseEnd)),
    listWaiting: (limit: number) => db.many(listWaiting(limit)),
    settleSent: (requestIds: readonly number[], nextAt: Date) => db.execute(settleSent(requestIds, nextAt)),
    settleFailed: (nextAt: Date) => db.execute(settleFailed(nextAt)),
  };
}
