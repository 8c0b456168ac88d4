import { type Executor, only } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
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

/** The requests that mails report, and the pause between mails, which all processes share. */
export function createContactMailRepository(db: Executor) {
  return {
    listRequests: (ids: readonly number[]) => db.many(listRequests(ids)),
    findPause: async () =>
      new Date(only(await db.table('contact_mailer', 'find_contact_mail_pause').select('next_at')).next_at),
    setPause: async (until: Date) => db.table('contact_mailer', 'set_contact_mail_pause').update({ next_at: until }),
  };
}
