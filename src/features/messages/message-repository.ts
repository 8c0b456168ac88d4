import type { Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { locales } from '../../messages/index.ts';

const listRecipients = query(
  'list_message_recipients',
  { id: t.bigint, email: t.text, display_name: t.text, locale: t.oneOf(locales).orNull },
  (ids: readonly number[]) => sql`
    SELECT u.id, u.email, u.display_name, u.locale FROM users u
    WHERE u.id = ANY(${t.bigints(ids)}) AND u.status = 'active' AND u.deleted_at IS NULL ORDER BY u.id`,
);

export function createMessageRepository(db: Executor) {
  return {
    /** The active users among them. */
    listRecipients: (ids: readonly number[]) => db.many(listRecipients(ids)),
  };
}
