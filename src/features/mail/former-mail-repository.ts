import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

// A row that a process of the former version is sending becomes due when its lease ends.
const takeDue = query(
  'take_mails_of_former_version',
  { recipient: t.text, subject: t.text, body: t.text, created_at: t.timestamptz },
  (now: Date, limit: number) => sql`
    DELETE FROM mail_outbox WHERE id IN (
      SELECT id FROM mail_outbox WHERE next_at <= ${t.timestamptz(now)}
      ORDER BY id LIMIT ${t.integer(limit)} FOR UPDATE SKIP LOCKED)
    RETURNING recipient, subject, body, created_at`,
);

/** The outbox of version 1.0, whose processes still write to it during a rolling upgrade. */
export function createFormerMailRepository(db: Executor) {
  return { takeDue: (now: Date, limit: number) => db.many(takeDue(now, limit)) };
}
