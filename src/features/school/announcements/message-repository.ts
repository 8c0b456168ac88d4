import { sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';

/** The active users among them. */
export const listRecipients = many(
  'list_message_recipients',
  { id: t.bigint, email: t.text, display_name: t.text, locale: t.oneOf(locales).orNull },
  (ids: readonly number[]) => sql`
    SELECT u.id, u.email, u.display_name, u.locale FROM users u
    WHERE u.id = ANY(${t.bigints(ids)}) AND u.status = 'active' AND u.deleted_at IS NULL ORDER BY u.id`,
);
