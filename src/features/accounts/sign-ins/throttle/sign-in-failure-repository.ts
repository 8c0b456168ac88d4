import type { Executor } from '../../../../db/database.ts';
import { type RowOf, sql, t } from '../../../../db/sql/sql.ts';
import { execute, one } from '../../../../db/statements.ts';
import type { Window } from '../../../../lib/clock.ts';

/** The account (or name without an account) and the normalised address that a failure counts against. */
export type FailureKey = { account: string; user_id: number | null; address: string };

type Quotas = { account: number; address: number };

// Always the account before the address, so that no two attempts deadlock.
const lockAccount = execute(
  'lock_sign_in_account',
  (account: string) => sql`SELECT pg_advisory_xact_lock(hashtext('sign-in account'), hashtext(${t.text(account)}))`,
);

const lockAddress = execute(
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

const countFailures = one(
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

export const signInFailures = {
  /** Serialises attempts for this account or from this address until the transaction ends. */
  async lock(db: Executor, { account, address }: FailureKey): Promise<void> {
    await lockAccount(db, account);
    await lockAddress(db, address);
  },
  count: countFailures,
  async insert(db: Executor, { account, address }: FailureKey, failed_at: Date, blocked: boolean): Promise<void> {
    await db.table('sign_in_failures', 'insert_sign_in_failure').insert({ account, address, failed_at, blocked });
  },
  deleteOfAccount: async (db: Executor, account: string) =>
    db.table('sign_in_failures', 'delete_sign_in_failures_of_account').where({ account }).delete(),
  deleteOutside: async (db: Executor, { since, until }: Window) =>
    db
      .table('sign_in_failures', 'delete_sign_in_failures_outside')
      .where('failed_at', '<=', since)
      .orWhere('failed_at', '>=', until)
      .delete(),
};

const upsertAddress = execute(
  'upsert_sign_in_address',
  (userId: number, address: string, now: Date) => sql`
    INSERT INTO sign_in_addresses (user_id, address, last_signed_in_at)
    VALUES (${t.bigint(userId)}, ${t.text(address)}, ${t.timestamptz(now)})
    ON CONFLICT ON CONSTRAINT sign_in_addresses_pkey DO UPDATE
      SET last_signed_in_at = greatest(sign_in_addresses.last_signed_in_at, excluded.last_signed_in_at)`,
);

export const signInAddresses = {
  upsert: upsertAddress,
  deleteBefore: async (db: Executor, before: Date) =>
    db.table('sign_in_addresses', 'delete_sign_in_addresses_before').where('last_signed_in_at', '<=', before).delete(),
  deleteOfUser: async (db: Executor, user_id: number) =>
    db.table('sign_in_addresses', 'delete_sign_in_addresses_of_user').where({ user_id }).delete(),
};
