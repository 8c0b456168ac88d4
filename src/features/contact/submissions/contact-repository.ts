import { type Columns, type Executor, only } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, one } from '../../../db/statements.ts';
import type { Window } from '../../../lib/clock.ts';
import { contactSubjects, type Submission } from './contact-schemas.ts';

export type NewContactRequest = Pick<Submission, 'name' | 'email' | 'phone' | 'subject' | 'message'> & {
  ip_address: string;
  user_agent: string;
};

const inserted = [
  ...(['id', 'subject', 'status', 'admin_note', 'user_id', 'handled_by', 'created_at', 'updated_at'] as const),
] satisfies Columns<'contact_requests'>;

export const submissions = {
  async insert(db: Executor, request: NewContactRequest, at: Date) {
    const { name, email, phone, subject, message, ip_address, user_agent } = request;
    const sent = { name, email, phone, subject, message, ip_address, user_agent };
    const row = { ...sent, created_at: at, updated_at: at };
    return only(await db.table('contact_requests', 'insert_contact_request').insert(row, inserted));
  },
};

/** Each purpose is counted separately. */
export type AttemptPurpose = 'contact' | 'password_reset';
/** The e-mail in lower case and the normalised address that a submission counts against. */
export type Sender = { email: string; address: string };

const lockEmail = execute(
  'lock_contact_email',
  (email: string) => sql`SELECT pg_advisory_xact_lock(hashtext('contact email'), hashtext(${t.text(email)}))`,
);

const lockAddress = execute(
  'lock_contact_address',
  (address: string) => sql`SELECT pg_advisory_xact_lock(hashtext('contact address'), hashtext(${t.text(address)}))`,
);

const blocks = { full_since: t.timestamptz.orNull, accepted_at: t.timestamptz.orNull };
// The oldest of the `limit` newest attempts: until it leaves the window, no further one is accepted.
type Rule = { purpose: AttemptPurpose; limit: number };
const findBlocks = one('find_contact_blocks', blocks, (sender: Sender, { since, until }: Window, rule: Rule) => {
  const email = t.text(sender.email);
  const address = t.text(sender.address);
  const offset = t.integer(rule.limit - 1);
  return sql`
    WITH recent AS (
      SELECT a.email, a.address, a.accepted, a.attempted_at FROM contact_attempts a
      WHERE (a.email = ${email} OR a.address = ${address}) AND a.purpose = ${t.text(rule.purpose)}
        AND a.attempted_at > ${t.timestamptz(since)} AND a.attempted_at < ${t.timestamptz(until)})
    SELECT greatest(
        (SELECT r.attempted_at FROM recent r WHERE r.email = ${email} ORDER BY r.attempted_at DESC OFFSET ${offset} LIMIT 1),
        (SELECT r.attempted_at FROM recent r WHERE r.address = ${address} ORDER BY r.attempted_at DESC OFFSET ${offset} LIMIT 1)
      ) AS full_since,
      (SELECT max(r.attempted_at) FROM recent r WHERE r.email = ${email} AND r.accepted) AS accepted_at`;
});

export type Blocks = RowOf<typeof blocks>;

export const contactAttempts = {
  /** Serialises submissions of this e-mail or address until the transaction ends. */
  async lock(db: Executor, { email, address }: Sender): Promise<void> {
    // Always the e-mail before the address, so that no two submissions deadlock.
    await lockEmail(db, email);
    await lockAddress(db, address);
  },
  /** What blocks a submission: `limit` attempts in the window, or an accepted one. */
  findBlocks,
  async insert(
    db: Executor,
    sender: Sender,
    purpose: AttemptPurpose,
    accepted: boolean,
    attempted_at: Date,
  ): Promise<void> {
    const { email, address } = sender;
    const attempt = { email, address, purpose, accepted, attempted_at };
    await db.table('contact_attempts', 'insert_contact_attempt').insert(attempt);
  },
  deleteOutside: async (db: Executor, { since, until }: Window) =>
    db
      .table('contact_attempts', 'delete_contact_attempts_outside')
      .where('attempted_at', '<=', since)
      .orWhere('attempted_at', '>=', until)
      .delete(),
};

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
const listRequests = many(
  'list_requests_to_mail',
  mailedRequest,
  (ids: readonly number[]) => sql`
    SELECT r.id, r.name, r.email, r.phone, r.subject, r.message, r.created_at
    FROM contact_requests r WHERE r.id = ANY(${t.bigints(ids)}) ORDER BY r.id`,
);

/** The requests that mails report, and the pause between mails, which all processes share. */
export const contactMails = {
  listRequests,
  /** The addresses of the administrators who chose mails about new requests; those limited to groups have no inbox. */
  listSubscribers: async (db: Executor) =>
    (
      await db
        .table('users', 'list_subscribers_of_requests')
        .where({ role: 'admin', admin_scope: 'all', status: 'active', new_request_mail: true })
        .orderBy('id')
        .select('email')
    ).flatMap(({ email }) => email ?? []),
  findPause: async (db: Executor) =>
    new Date(only(await db.table('contact_mailer', 'find_contact_mail_pause').select('next_at')).next_at),
  setPause: async (db: Executor, until: Date) =>
    db.table('contact_mailer', 'set_contact_mail_pause').update({ next_at: until }),
};
