import { type Executor, sql } from '../../db/database.ts';
import type { Window } from '../../lib/clock.ts';

/** Whom a submission is counted against: the e-mail in lower case, the address as limits see it. */
export type Sender = { email: string; address: string };

// Always the e-mail before the address, so that no two submissions deadlock.
const lockEmail = sql(`SELECT pg_advisory_xact_lock(hashtext('contact email'), hashtext($1))`);
const lockAddress = sql(`SELECT pg_advisory_xact_lock(hashtext('contact address'), hashtext($1))`);

// The fifth newest of an e-mail or address: until it is out of the window, no sixth may follow.
const findBlocks = sql(`
  WITH recent AS (
    SELECT a.email, a.address, a.accepted, a.attempted_at FROM contact_attempts a
    WHERE (a.email = $1 OR a.address = $2) AND a.attempted_at > $3 AND a.attempted_at < $5)
  SELECT greatest(
      (SELECT r.attempted_at FROM recent r WHERE r.email = $1 ORDER BY r.attempted_at DESC OFFSET $4 - 1 LIMIT 1),
      (SELECT r.attempted_at FROM recent r WHERE r.address = $2 ORDER BY r.attempted_at DESC OFFSET $4 - 1 LIMIT 1)
    ) AS full_since,
    (SELECT max(r.attempted_at) FROM recent r WHERE r.email = $1 AND r.accepted) AS accepted_at`);

const insertAttempt = sql(`
  INSERT INTO contact_attempts (email, address, accepted, attempted_at) VALUES ($1, $2, $3, $4)`);
const deleteOutside = sql('DELETE FROM contact_attempts WHERE attempted_at <= $1 OR attempted_at >= $2');

export type Blocks = { full_since: string | null; accepted_at: string | null };

export function createAttemptRepository(db: Executor) {
  return {
    /** Until the transaction ends, no other submission is decided for this e-mail or from this address. */
    async lock({ email, address }: Sender): Promise<void> {
      await db.rows(lockEmail, [email]);
      await db.rows(lockAddress, [address]);
    },
    /** What stands against a submission: `limit` attempts in that time, or one that was accepted. */
    async findBlocks({ email, address }: Sender, { since, until }: Window, limit: number): Promise<Blocks> {
      const [row] = await db.rows<Blocks>(findBlocks, [email, address, since, limit, until]);
      return row ?? { full_since: null, accepted_at: null };
    },
    async insert({ email, address }: Sender, accepted: boolean, at: Date): Promise<void> {
      await db.rows(insertAttempt, [email, address, accepted, at]);
    },
    async deleteOutside({ since, until }: Window): Promise<void> {
      await db.rows(deleteOutside, [since, until]);
    },
  };
}
