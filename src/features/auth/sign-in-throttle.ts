import type { Act, Database, Executor, Transaction } from '../../db/database.ts';
import { RateLimitedError, type RatePolicy } from '../../errors.ts';
import { normaliseAddress } from '../../lib/address.ts';
import { type Clock, windowAround } from '../../lib/clock.ts';
import type { Notify } from './notices.ts';
import type { Passwords } from './passwords.ts';
import { createSignInAddressRepository } from './sign-in-address-repository.ts';
import { createSignInFailureRepository, type Standing, type ThrottleKey } from './sign-in-failure-repository.ts';

const seconds = 15 * 60;
const knownDays = 30;
const policies = {
  account: { name: 'sign-in-by-account', quota: 10, seconds },
  address: { name: 'sign-in-by-address', quota: 30, seconds },
} as const satisfies Record<string, RatePolicy>;
const quotas = { account: policies.account.quota, address: policies.address.quota };

type Options = { database: Database; clock: Clock; passwords: Pick<Passwords, 'inTurn'>; notify?: Notify };
export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** A guess at sign-in: `account` is the key that the database made of the name. */
export function strangerAt(account: string, userId: number | null, address: string): ThrottleKey {
  const normalised = normaliseAddress(address);
  return { account, user_id: userId, address: normalised, caller: `address ${normalised}` };
}

/** A guess of somebody who is signed in. */
export function userAt(userId: number, address: string): ThrottleKey {
  return { account: accountOf(userId), user_id: userId, address: normaliseAddress(address), caller: `user ${userId}` };
}

function accountOf(userId: number): string {
  return `user ${userId}`;
}

/**
 * Ten failures for one account or thirty from one address within 15 minutes, then 429. Exact for any number of guesses at
 * once and in any number of processes: a guess is decided in line with all others of its account and address.
 *
 * While an account is blocked, up to ten more guesses from each address are still verified, and the right password is
 * accepted from an address that the account signed in from, so that strangers cannot lock the owner out. Whatever else is
 * guessed gets the 429 that a name without an account gets too, after the same work: nobody learns which names exist.
 */
export function createSignInThrottle({ database, clock, passwords, notify }: Options) {
  const before = (days: number) => new Date(clock().getTime() - days * 86_400_000);

  function blocked(since: string, policy: RatePolicy): RateLimitedError {
    const opens = Date.parse(since) + seconds * 1000;
    return new RateLimitedError((opens - clock().getTime()) / 1000, 'too_many_sign_ins', policy);
  }

  function readStanding(db: Executor, throttleKey: ThrottleKey): Promise<Standing> {
    const window = windowAround(clock(), seconds * 1000);
    return createSignInFailureRepository(db).readStanding(throttleKey, window, quotas, before(knownDays));
  }

  /** Throws RateLimitedError for a guess that is not even verified. */
  async function read(db: Executor, throttleKey: ThrottleKey): Promise<Standing> {
    const standing = await readStanding(db, throttleKey);
    const { account_blocked_since, address_blocked_since, tries } = standing;
    if (address_blocked_since !== null) throw blocked(address_blocked_since, policies.address);
    if (account_blocked_since !== null && tries >= quotas.account)
      throw blocked(account_blocked_since, policies.account);
    return standing;
  }

  /** Counts a wrong guess; the owner is notified of the one that blocks the account. */
  async function countFailure(tx: Transaction, throttleKey: ThrottleKey, isOpen: boolean): Promise<void> {
    const failures = createSignInFailureRepository(tx);
    await failures.insert(throttleKey, clock(), !isOpen);
    if (!isOpen || throttleKey.user_id === null || notify === undefined) return;
    const { account_blocked_since } = await readStanding(tx, throttleKey);
    if (account_blocked_since !== null) await notify(tx, throttleKey.user_id, 'account_locked');
  }

  return {
    /**
     * One guess. `verify` is the costly look at the password; `accept` does what a right one allows, and by returning
     * undefined says that it was not right after all. Returns undefined for a wrong guess; throws RateLimitedError.
     */
    attempt<T>(
      throttleKey: ThrottleKey,
      verify: () => Promise<boolean>,
      accept: (tx: Transaction) => Promise<T | undefined>,
      act?: Act,
    ): Promise<T | undefined> {
      // The turn is for the whole attempt: a flood finds itself counted before it costs any hashing.
      return passwords.inTurn(throttleKey.caller, async () => {
        await read(database, throttleKey);
        const right = await verify();
        const { accepted, since } = await database.transaction(async (tx) => {
          const failures = createSignInFailureRepository(tx);
          await failures.lock(throttleKey);
          const { account_blocked_since, known } = await read(tx, throttleKey);
          const isOpen = account_blocked_since === null;
          const result = right && (isOpen || known) ? await accept(tx) : undefined;
          if (result === undefined) await countFailure(tx, throttleKey, isOpen);
          return { accepted: result, since: account_blocked_since };
        }, act);
        if (accepted === undefined && since !== null) throw blocked(since, policies.account);
        return accepted;
      });
    },

    /** From now on the account is known at this address. */
    remember: (tx: Executor, { user_id, address }: ThrottleKey): Promise<void> =>
      user_id === null ? Promise.resolve() : createSignInAddressRepository(tx).upsert(user_id, address, clock()),

    /** A new password from an administrator: what was guessed about the old one is of no interest. */
    forgive: (db: Executor, userId: number): Promise<void> =>
      createSignInFailureRepository(db).deleteOfAccount(accountOf(userId)),

    /** Removes the addresses of a deleted account. */
    erase: (db: Executor, userId: number): Promise<void> => createSignInAddressRepository(db).deleteOfUser(userId),

    /** Removes what no longer counts; for the periodic housekeeping. */
    sweep: async (): Promise<void> => {
      await createSignInFailureRepository(database).deleteOutside(windowAround(clock(), seconds * 1000));
      await createSignInAddressRepository(database).deleteBefore(before(knownDays));
    },
  };
}
