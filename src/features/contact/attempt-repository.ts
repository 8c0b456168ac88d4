import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import type { Window } from '../../lib/clock.ts';

/** Each purpose is counted separately. */
export type AttemptPurpose = 'contact' | 'password_reset';
/** The e-mail in lower case and the normalised address that a submission counts against. */
export type Sender = { email: string; address: string };

const lockEmail = command(
  'lock_contact_email',
  (email: string) => sql`SELECT pg_advisory_xact_lock(hashtext('contact email'), hashtext(${t.text(email)}))`,
);

const lockAddress = command(
  'lock_contact_address',
  (address: string) => sql`SELECT pg_advisory_xact_lock(hashtext('contact address'), hashtext(${t.text(address)}))`,
);

const blocks = { full_since: t.timestamptz.orNull, accepted_at: t.timestamptz.orNull };
// The oldest of the `limit` newest attempts: until it leaves the window, no further one is accepted.
type Rule = { purpose: AttemptPurpose; limit: number };
const findBlocks = query('find_contact_blocks', blocks, (sender: Sender, { since, until }: Window, rule: Rule) => {
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

export function createAttemptRepository(db: Executor) {
  return {
    /** Serialises submissions of this e-mail or address until the transaction ends. */
    async lock({ email, address }: Sender): Promise<void> {
      // Always the e-mail before the address, so that no two submissions deadlock.
      await db.execute(lockEmail(email));
      await db.execute(lockAddress(address));
    },
    /** What blocks a submission: `limit` attempts in the window, or an accepted one. */
    findBlocks: (sender: Sender, window: Window, rule: Rule) => db.one(findBlocks(sender, window, rule)),
    async insert(sender: Sender, purpose: AttemptPurpose, accepted: boolean, attempted_at: Date): Promise<void> {
      const { email, address } = sender;
      const attempt = { email, address, purpose, accepted, attempted_at };
      await db.table('contact_attempts', 'insert_contact_attempt').insert(attempt);
    },
    deleteOutside: async ({ since, until }: Window) =>
      db
        .table('contact_attempts', 'delete_contact_attempts_outside')
        .where('attempted_at', '<=', since)
        .orWhere('attempted_at', '>=', until)
        .delete(),
  };
}
