import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { type RowOf, t } from '../../db/sql/types.ts';
import type { Window } from '../../lib/clock.ts';

/** The account (or name without an account) and the normalised address that a failure counts against. */
export type FailureKey = { account: string; user_id: number | null; address: string };

export type Quotas = { account: number; address: number };

// Always the account before the address, so that no two attempts deadlock.
const lockAccount = command(
  'lock_sign_in_account',
  (account: string) => sql`SELECT pg_advisory_xact_lock(hashtext('sign-in account'), hashtext(${t.text(account)}))`,
);
const lockAddress = command(
  'lock_sign_in_address',
  (address: string) => sql`SELECT pg_advisory_xact_lock(hashtext('sign-in address'), hashtext(${t.text(address)}))`,
);

const countColumns = {
  /** The oldest failure, if the quota of the account or address is exhausted. */
  account_blocked_since: t.timestamptz.orNull,
  address_blocked_since: t.timestamptz.orNull,
  /** Failures for this account from this address, including those during a block. */
  tries: t.bigint,
  is_known: t.boolean,
};
export type FailureCounts = RowOf<typeof countColumns>;

const countFailures = query(
  'count_sign_in_failures',
  countColumns,
  (key: FailureKey, { since, until }: Window, quotas: Quotas, knownSince: Date) => {
    const [account, address] = [t.text(key.account), t.text(key.address)];
    const inWindow = sql`f.failed_at > ${t.timestamptz(since)} AND f.failed_at < ${t.timestamptz(until)}`;
    return sql`
      SELECT
        (SELECT min(f.failed_at) FROM sign_in_failures f
         WHERE f.account = ${account} AND NOT f.blocked AND ${inWindow} HAVING count(*) >= ${t.integer(quotas.account)})
          AS account_blocked_since,
        (SELECT min(f.failed_at) FROM sign_in_failures f
         WHERE f.address = ${address} AND NOT f.blocked AND ${inWindow} HAVING count(*) >= ${t.integer(quotas.address)})
          AS address_blocked_since,
        (SELECT count(*) FROM sign_in_failures f
         WHERE f.account = ${account} AND f.address = ${address} AND ${inWindow}) AS tries,
        EXISTS (
          SELECT FROM sign_in_addresses a
          WHERE a.user_id = ${t.bigint(key.user_id)} AND a.address = ${address}
            AND a.last_signed_in_at > ${t.timestamptz(knownSince)}) AS is_known`;
  },
);

const insertFailure = command(
  'insert_sign_in_failure',
  ({ account, address }: FailureKey, at: Date, duringBlock: boolean) => sql`
    INSERT INTO sign_in_failures (account, address, failed_at, blocked)
    VALUES (${t.text(account)}, ${t.text(address)}, ${t.timestamptz(at)}, ${t.boolean(duringBlock)})`,
);
const deleteOfAccount = command(
  'delete_sign_in_failures_of_account',
  (account: string) => sql`DELETE FROM sign_in_failures WHERE account = ${t.text(account)}`,
);
const deleteOutside = command(
  'delete_sign_in_failures_outside',
  ({ since, until }: Window) => sql`
    DELETE FROM sign_in_failures WHERE failed_at <= ${t.timestamptz(since)} OR failed_at >= ${t.timestamptz(until)}`,
);

export function createSignInFailureRepository(db: Executor) {
  return {
    /** Serialises attempts for this account or from this address until the transaction ends. */
    async lock({ account, address }: FailureKey): Promise<void> {
      await db.execute(lockAccount(account));
      await db.execute(lockAddress(address));
    },
    count: (...args: Parameters<typeof countFailures>) => db.one(countFailures(...args)),
    insert: (key: FailureKey, at: Date, duringBlock: boolean) => db.execute(insertFailure(key, at, duringBlock)),
    deleteOfAccount: (account: string) => db.execute(deleteOfAccount(account)),
    deleteOutside: (window: Window) => db.execute(deleteOutside(window)),
  };
}
