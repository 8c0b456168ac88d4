import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';
import { locales } from '../../messages/index.ts';

const requestColumns = { email: t.text, locale: t.oneOf(locales), requested_at: t.timestamptz };

const insertRequest = command(
  'insert_password_reset_request',
  (email: string, locale: string, at: Date) => sql`
    INSERT INTO password_reset_requests (email, locale, requested_at)
    VALUES (${t.text(email)}, ${t.text(locale)}, ${t.timestamptz(at)})`,
);
const takeNext = query(
  'take_next_password_reset_request',
  requestColumns,
  () => sql`
    DELETE FROM password_reset_requests
    WHERE id = (SELECT id FROM password_reset_requests ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING email, locale, requested_at`,
);

export function createResetRequestRepository(db: Executor) {
  return {
    insert: (email: string, locale: string, at: Date) => db.execute(insertRequest(email, locale, at)),
    /** Deletes and returns the oldest request that no other process has locked; a rollback restores it. */
    takeNext: () => db.maybeOne(takeNext()),
  };
}
