import { type Executor, sql } from '../../db/database.ts';

export type OutboxMail = {
  id: number;
  recipient: string;
  subject: string;
  body: string;
  created_at: string;
  attempts: number;
};

const insertMail = sql(
  'INSERT INTO mail_outbox (recipient, subject, body, created_at, next_at) VALUES ($1, $2, $3, $4, $4)',
);
// The process that updates next_at may send: of several at once, one.
const claimNext = sql(`
  UPDATE mail_outbox SET next_at = $2, attempts = attempts + 1
  WHERE id = (SELECT id FROM mail_outbox WHERE next_at <= $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, subject, body, created_at, attempts`);
const postponeMail = sql('UPDATE mail_outbox SET next_at = $2 WHERE id = $1');
const deleteMail = sql('DELETE FROM mail_outbox WHERE id = $1');

export function createMailOutboxRepository(db: Executor) {
  return {
    async insert(recipient: string, subject: string, body: string, now: Date): Promise<void> {
      await db.rows(insertMail, [recipient, subject, body, now]);
    },
    /** The oldest mail that is due, reserved until `leaseEnd`. */
    async claimNext(now: Date, leaseEnd: Date): Promise<OutboxMail | undefined> {
      const [mail] = await db.rows<OutboxMail>(claimNext, [now, leaseEnd]);
      return mail;
    },
    async postpone(id: number, nextAt: Date): Promise<void> {
      await db.rows(postponeMail, [id, nextAt]);
    },
    async delete(id: number): Promise<void> {
      await db.rows(deleteMail, [id]);
    },
  };
}
