import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';
import type { Submission } from './contact-schemas.ts';

export type NewContactRequest = Pick<Submission, 'name' | 'email' | 'phone' | 'subject' | 'message'> & {
  ip_address: string;
  user_agent: string;
};

const insertRequest = query('insert_contact_request', { id: t.bigint }, (request: NewContactRequest, at: Date) => {
  const { name, email, phone, subject, message, ip_address, user_agent } = request;
  const moment = t.timestamptz(at);
  return sql`
    INSERT INTO contact_requests (name, email, phone, subject, message, ip_address, user_agent, created_at, updated_at)
    VALUES (${t.text(name)}, ${t.text(email)}, ${t.text(phone)}, ${t.text(subject)}, ${t.text(message)},
      ${t.text(ip_address)}, ${t.text(user_agent)}, ${moment}, ${moment})
    RETURNING id`;
});

export function createSubmissionRepository(db: Executor) {
  return {
    insert: async (request: NewContactRequest, at: Date) => (await db.one(insertRequest(request, at))).id,
  };
}
