import { type Executor, sql } from '../../db/database.ts';
import type { Window } from '../../lib/clock.ts';

/** Whom a guess is counted against. */
export type Guesser = { account: string; address: string };

// Always the account before the address, so that no two guesses wait for each other crosswise.
const lockAccount = sql(`SELECT pg_advisory_xact_lock(hashtext('sign-in account'), hashtext($1))`);
const lockAddress = sql(`SELECT pg_advisory_xact_lock(hashtext('sign-in address'), hashtext($1))`);

const findBlocks = sql(`
  SELECT 'account' AS by, min(f.failed_at) AS oldest FROM sign_in_failures f
  WHERE f.account = $1 AND f.failed_at > $3 AND f.failed_at < $6 HAVING count(*) >= $4
  UNION ALL
  SELECT 'address', min(f.failed_at) FROM sign_in_failures f
  WHERE f.address = $2 AND f.failed_at > $3 AND f.failed_at < $6 HAVING count(*) >= $5`);

const insertFailure = sql('INSERT INTO sign_in_failures (account, address, failed_at) VALUES ($1, $2, $3)');
const deleteOfAccount = sql('DELETE FROM sign_in_failures WHERE account = $1');
const deleteOutside = sql('DELETE FROM sign_in_failures WHERE failed_at <= $1 OR failed_at >= $2');

export type Block = { by: 'account' | 'address'; oldest: string };

export function createSignInFailureRepository(db: Executor) {
  return {
    /** Until the transaction ends, nobody else's guess is decided for this account or from this address. */
    async lock({ account, address }: Guesser): Promise<void> {
      await db.rows(lockAccount, [account]);
      await db.rows(lockAddress, [address]);
    },
    /** The limits that are reached, with the oldest failure counted. */
    findBlocks: ({ account, address }: Guesser, { since, until }: Window, perAccount: number, perAddress: number) =>
      db.rows<Block>(findBlocks, [account, address, since, perAccount, perAddress, until]),
    async insert({ account, address }: Guesser, at: Date): Promise<void> {
      await db.rows(insertFailure, [account, address, at]);
    },
    async deleteOfAccount(account: string): Promise<void> {
      await db.rows(deleteOfAccount, [account]);
    },
    async deleteOutside({ since, until }: Window): Promise<void> {
      await db.rows(deleteOutside, [since, until]);
    },
  };
}
