import { type Columns, type Executor, only } from '../../db/database.ts';
import type { Submission } from './contact-schemas.ts';

export type NewContactRequest = Pick<Submission, 'name' | 'email' | 'phone' | 'subject' | 'message'> & {
  ip_address: string;
  user_agent: string;
};

const inserted = [
  ...(['id', 'subject', 'status', 'admin_note', 'user_id', 'handled_by', 'created_at', 'updated_at'] as const),
] satisfies Columns<'contact_requests'>;

export function createSubmissionRepository(db: Executor) {
  return {
    async insert(request: NewContactRequest, at: Date) {
      const { name, email, phone, subject, message, ip_address, user_agent } = request;
      const sent = { name, email, phone, subject, message, ip_address, user_agent };
      const row = { ...sent, created_at: at, updated_at: at };
      return only(await db.table('contact_requests', 'insert_contact_request').insert(row, inserted));
    },
  };
}
