import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { type RowOf, t } from '../../db/sql/types.ts';
import { contactSubjects } from './contact-schemas.ts';

const mailedRequest = {
  id: t.bigint,
  name: t.text,
  email: t.text,
  phone: t.text.orNull,
  subject: t.oneOf(contactSubjects),
  message: t.text,
  created_at: t.timestamptz,
};
export type MailedRequest = RowOf<typeof mailedRequest>;
const listRequests = query(
  'list_requests_to_mail',
  mailedRequest,
  (ids: readonly number[]) => sql`
    SELECT r.id, r.name, r.email, r.phone, r.subject, r.message, r.created_at
    FROM contact_requests r WHERE r.id = ANY(${t.bigints(ids)}) ORDER BY r.id`,
);

const findPause = query(
  'find_contact_mail_pause',
  { next_at: t.timestamptz },
  () => sql`SELECT next_at FROM contact_mailer`,
);
const setPause = command(
  'set_contact_mail_pause',
  (nextAt: Date) => sql`UPDATE contact_mailer SET next_at = ${t.timestamptz(nextAt)}`,
);

/** The requests that mails report, and the pause between mails, which all processes share. */
export function createContactMailRepository(db: Executor) {
  return {
    listRequests: (ids: readonly number[]) => db.many(listRequests(ids)),
    findPause: async () => new Date((await db.one(findPause())).next_at),
    setPause: (until: Date) => db.execute(setPause(until)),
  };
}
