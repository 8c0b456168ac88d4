import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { command, query } from '../../db/statement.ts';
import { type RowOf, t } from '../../db/types.ts';

const mailColumns = {
  id: t.bigint,
  recipient: t.text,
  subject: t.text,
  body: t.text,
  created_at: t.timestamptz,
  attempts: t.integer,
};
export type OutboxMail = RowOf<typeof mailColumns>;
export type NewOutboxMail = { recipient: string; subject: string; body: string; created_at: Date };

const insertMail = command('insert_mail', ({ recipient, subject, body, created_at }: NewOutboxMail) => {
  const now = t.timestamptz(created_at);
  return sql`
    INSERT INTO mail_outbox (recipient, subject, body, created_at, next_at)
    VALUES (${t.text(recipient)}, ${t.text(subject)}, ${t.text(body)}, ${now}, ${now})`;
});
// The process that updates next_at may send: of several at once, one.
const claimNext = query(
  'claim_next_mail',
  mailColumns,
  (now: Date, leaseEnd: Date) => sql`
    UPDATE mail_outbox SET next_at = ${t.timestamptz(leaseEnd)}, attempts = attempts + 1
    WHERE id = (
      SELECT id FROM mail_outbox WHERE next_at <= ${t.timestamptz(now)} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, recipient, subject, body, created_at, attempts`,
);
const postponeMail = command(
  'postpone_mail',
  (id: number, nextAt: Date) => sql`
    UPDATE mail_outbox SET next_at = ${t.timestamptz(nextAt)} WHERE id = ${t.bigint(id)}`,
);
const deleteMail = command('delete_mail', (id: number) => sql`DELETE FROM mail_outbox WHERE id = ${t.bigint(id)}`);

export function createMailOutboxRepository(db: Executor) {
  return {
    insert: (mail: NewOutboxMail) => db.execute(insertMail(mail)),
    claimNext: (now: Date, leaseEnd: Date) => db.maybeOne(claimNext(now, leaseEnd)),
    postpone: (id: number, nextAt: Date) => db.execute(postponeMail(id, nextAt)),
    delete: (id: number) => db.execute(deleteMail(id)),
  };
}
