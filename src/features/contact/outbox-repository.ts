import { type Executor, sql } from '../../db/database.ts';
import type { ContactRow } from './inbox-read-model.ts';

export type MailedRequest = Pick<ContactRow, 'id' | 'name' | 'email' | 'phone' | 'subject' | 'message' | 'created_at'>;

const insertEntry = sql('INSERT INTO contact_outbox (request_id) VALUES ($1)');

// Whoever moves the next moment on may send: of several processes at once, one.
const claimTurn = sql(`
  UPDATE contact_mailer SET next_at = $2 WHERE next_at <= $1 AND EXISTS (SELECT FROM contact_outbox) RETURNING failures`);
const listWaiting = sql(`
  SELECT r.id, r.name, r.email, r.phone, r.subject, r.message, r.created_at
  FROM contact_outbox o JOIN contact_requests r ON r.id = o.request_id ORDER BY r.id LIMIT $1`);
const settleSent = sql(`
  WITH sent AS (DELETE FROM contact_outbox WHERE request_id = ANY($1::bigint[]))
  UPDATE contact_mailer SET next_at = $2, failures = 0`);
const settleFailed = sql('UPDATE contact_mailer SET next_at = $1, failures = failures + 1');

/** The requests that no mail has told of yet, and the turn to send the next mail, which all processes share. */
export function createOutboxRepository(db: Executor) {
  return {
    async insert(requestId: number): Promise<void> {
      await db.rows(insertEntry, [requestId]);
    },
    /**
     * Takes the turn until `leaseEnd`, when something waits and it is time: answers how often sending has failed in
     * a row, undefined when it is not our turn.
     */
    async claim(now: Date, leaseEnd: Date): Promise<{ failures: number } | undefined> {
      const [row] = await db.rows<{ failures: number }>(claimTurn, [now, leaseEnd]);
      return row;
    },
    listWaiting: (limit: number) => db.rows<MailedRequest>(listWaiting, [limit]),
    async settleSent(requestIds: readonly number[], nextAt: Date): Promise<void> {
      await db.rows(settleSent, [requestIds, nextAt]);
    },
    async settleFailed(nextAt: Date): Promise<void> {
      await db.rows(settleFailed, [nextAt]);
    },
  };
}
