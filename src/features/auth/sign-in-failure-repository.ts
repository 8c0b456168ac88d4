import { type Executor, sql } from '../../db/database.ts';
import type { Window } from '../../lib/clock.ts';

/**
 * Whom a guess is counted against: the account, or the name that nobody has, and the normalised address. `caller` is who
 * waits for a turn at hashing.
 */
export type ThrottleKey = { account: string; user_id: number | null; address: string; caller: string };

export type Quotas = { account: number; address: number };

/** What was counted before a guess. The oldest failure is given where the quota of the account or address is used up. */
export type Standing = {
  account_blocked_since: string | null;
  address_blocked_since: string | null;
  /** Failures at this account from this address, those of a blocked account included. */
  tries: number;
  /** Whether the account signed in from this address lately. */
  known: boolean;
};

// Always the account before the address, so that no two attempts deadlock.
const lockAccount = sql(`SELECT pg_advisory_xact_lock(hashtext('sign-in account'), hashtext($1))`);
const lockAddress = sql(`SELECT pg_advisory_xact_lock(hashtext('sign-in address'), hashtext($1))`);

const readStanding = sql(`
  SELECT
    (SELECT min(f.failed_at) FROM sign_in_failures f
     WHERE f.account = $1 AND NOT f.blocked AND f.failed_at > $3 AND f.failed_at < $4 HAVING count(*) >= $5)
      AS account_blocked_since,
    (SELECT min(f.failed_at) FROM sign_in_failures f
     WHERE f.address = $2 AND NOT f.blocked AND f.failed_at > $3 AND f.failed_at < $4 HAVING count(*) >= $6)
      AS address_blocked_since,
    (SELECT count(*) FROM sign_in_failures f
     WHERE f.account = $1 AND f.address = $2 AND f.failed_at > $3 AND f.failed_at < $4) AS tries,
    EXISTS (
      SELECT FROM sign_in_addresses a
      WHERE a.user_id = $7 AND a.address = $2 AND a.last_signed_in_at > $8) AS known`);

const insertFailure = sql(
  'INSERT INTO sign_in_failures (account, address, failed_at, blocked) VALUES ($1, $2, $3, $4)',
);
const deleteOfAccount = sql('DELETE FROM sign_in_failures WHERE account = $1');
const deleteOutside = sql('DELETE FROM sign_in_failures WHERE failed_at <= $1 OR failed_at >= $2');

export function createSignInFailureRepository(db: Executor) {
  return {
    /** Until the transaction ends, nobody else's guess is decided for this account or from this address. */
    async lock({ account, address }: ThrottleKey): Promise<void> {
      await db.rows(lockAccount, [account]);
      await db.rows(lockAddress, [address]);
    },
    async readStanding(
      throttleKey: ThrottleKey,
      { since, until }: Window,
      quotas: Quotas,
      knownSince: Date,
    ): Promise<Standing> {
      const { account, address, user_id } = throttleKey;
      const values = [account, address, since, until, quotas.account, quotas.address, user_id, knownSince];
      const [standing] = await db.rows<Standing>(readStanding, values);
      if (standing === undefined) throw new Error('a row of subqueries is always there');
      return standing;
    },
    async insert({ account, address }: ThrottleKey, at: Date, blocked: boolean): Promise<void> {
      await db.rows(insertFailure, [account, address, at, blocked]);
    },
    async deleteOfAccount(account: string): Promise<void> {
      await db.rows(deleteOfAccount, [account]);
    },
    async deleteOutside({ since, until }: Window): Promise<void> {
      await db.rows(deleteOutside, [since, until]);
    },
  };
}
