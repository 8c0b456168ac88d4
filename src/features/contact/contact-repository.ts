import { type Executor, sql } from '../../db/database.ts';
import type { AdvancedRequest, ContactStatus, ContactSubject, Submission } from './contact-schemas.ts';

const insertRequest = sql(`
  INSERT INTO contact_requests (name, email, phone, subject, message, ip_address, user_agent, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING id`);

// The condition stands in the update, so that of several at once none takes a request back.
const advanceRequest = sql(`
  UPDATE contact_requests r
  SET status = $2, admin_note = CASE WHEN $3::boolean THEN $4 ELSE r.admin_note END, updated_at = greatest(r.updated_at, $5)
  WHERE r.id = $1 AND array_position($6::text[], r.status) <= array_position($6::text[], $2)
  RETURNING r.id, r.name, r.email, r.status, r.admin_note, r.updated_at`);

const resolveOpenRequest = sql(`
  UPDATE contact_requests r SET status = 'resolved', user_id = $3, updated_at = greatest(r.updated_at, $4)
  WHERE r.id = $1 AND r.subject = $2 AND r.status <> 'resolved' RETURNING r.id`);

const findState = sql('SELECT r.status, r.subject FROM contact_requests r WHERE r.id = $1');
const deleteRequest = sql('DELETE FROM contact_requests WHERE id = $1 RETURNING id');
const deleteResolvedBefore = sql(`DELETE FROM contact_requests WHERE status = 'resolved' AND updated_at < $1`);

export type NewContactRequest = Pick<Submission, 'name' | 'email' | 'phone' | 'subject' | 'message'> & {
  ip_address: string;
  user_agent: string;
};
export type ContactState = { status: ContactStatus; subject: ContactSubject };

export function createContactRepository(db: Executor) {
  return {
    async insert(request: NewContactRequest, at: Date): Promise<number> {
      const { name, email, phone, subject, message, ip_address, user_agent } = request;
      const [row] = await db.rows<{ id: number }>(insertRequest, [
        name,
        email,
        phone,
        subject,
        message,
        ip_address,
        user_agent,
        at,
      ]);
      if (row === undefined) throw new Error('an insert returns its row');
      return row.id;
    },
    /** Moves a request on to `status`, never back; `order` is the order of the statuses. An undefined note stays. */
    async advance(
      id: number,
      status: ContactStatus,
      note: string | null | undefined,
      at: Date,
      order: readonly ContactStatus[],
    ): Promise<AdvancedRequest | undefined> {
      const values = [id, status, note !== undefined, note ?? null, at, order];
      const [row] = await db.rows<AdvancedRequest>(advanceRequest, values);
      return row;
    },
    /** Resolves a request about `subject` that is open, for the sake of an account. False when there is none. */
    async resolveOpen(id: number, subject: ContactSubject, userId: number, at: Date): Promise<boolean> {
      return (await db.rows(resolveOpenRequest, [id, subject, userId, at])).length > 0;
    },
    async findState(id: number): Promise<ContactState | undefined> {
      const [row] = await db.rows<ContactState>(findState, [id]);
      return row;
    },
    /** False when there was none. */
    async delete(id: number): Promise<boolean> {
      return (await db.rows(deleteRequest, [id])).length > 0;
    },
    async deleteResolvedBefore(moment: Date): Promise<void> {
      await db.rows(deleteResolvedBefore, [moment]);
    },
  };
}
