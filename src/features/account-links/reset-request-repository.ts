import type { Executor } from '../../db/database.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { type Locale, locales } from '../../messages/index.ts';

const requestColumns = { email: t.text, locale: t.oneOf(locales), requested_at: t.timestamptz };

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
    async insert(email: string, locale: Locale, requested_at: Date): Promise<void> {
      await db
        .table('password_reset_requests', 'insert_password_reset_request')
        .insert({ email, locale, requested_at });
    },
    /** Deletes and returns the oldest request that no other process has locked; a rollback restores it. */
    takeNext: () => db.maybeOne(takeNext()),
  };
}
