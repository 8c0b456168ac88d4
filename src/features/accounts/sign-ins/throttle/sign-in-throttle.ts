import type { WriteContext } from '../../../../actor.ts';
import { type Clock, windowAround } from '../../../../lib/clock.ts';
import { normaliseAddress } from '../../../../lib/network/address.ts';
import { RateLimitedError, type RatePolicy } from '../../../../texts/errors.ts';
import type { Db, Tx } from '../../../../transactions/transactions.ts';
import type { Notify } from '../../account-notices/account-notices.ts';
import type { PasswordHasher } from '../../passwords/password-hasher.ts';
import type { FailureCounts, FailureKey } from './sign-in-failure-repository.ts';
import { signInAddresses, signInFailures } from './sign-in-failure-repository.ts';

const seconds = 15 * 60;
const knownDays = 30;
const policies = {
  account: { name: 'sign-in-by-account', quota: 10, seconds },
  address: { name: 'sign-in-by-address', quota: 30, seconds },
} as const satisfies Record<string, RatePolicy>;
const quotas = { account: policies.account.quota, address: policies.address.quota };

/** `caller`: whose hashing is queued. */
export type ThrottleKey = FailureKey & { caller: string };

/** Rejects an attempt that has used something up, such as a recovery code: nothing of it stays but its count. */
export class RefusedAttempt extends Error {
  override readonly name = 'RefusedAttempt';
}

export type Attempt<Result> = {
  key: ThrottleKey;
  /** Whether the password is correct: expensive, so outside any transaction. */
  verify: () => Promise<boolean>;
  /**
   * Runs after a correct password; undefined still rejects the attempt, for example for a wrong second factor, and keeps what was
   * written; RefusedAttempt rejects it and keeps nothing.
   */
  accept: (tx: Tx) => Promise<Result | undefined>;
  writeContext?: WriteContext | undefined;
};

type Options = { store: Db; clock: Clock; hasher: Pick<PasswordHasher, 'enqueue'>; notify?: Notify };
export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** For an attempt to sign in; `account` is the key that `findByName` returns for the name. */
export function signInThrottleKey(account: string, userId: number | null, address: string): ThrottleKey {
  const normalised = normaliseAddress(address);
  return { account, user_id: userId, address: normalised, caller: `address ${normalised}` };
}

export function userThrottleKey(userId: number, address: string): ThrottleKey {
  return { account: accountOf(userId), user_id: userId, address: normaliseAddress(address), caller: `user ${userId}` };
}

function accountOf(userId: number): string {
  return `user ${userId}`;
}

/**
 * Ten failures for one account or thirty from one address within 15 minutes, then 429. Exact for any number of
 * concurrent attempts and processes: attempts of the same account or address are serialised. While an account is
 * blocked, up to ten more attempts per address are verified, and the correct password is accepted from an address
 * that the account signed in from, so that others cannot lock the owner out. All others get the same 429 as for a
 * name without an account, after the same work: nobody learns which names exist.
 */
export function createSignInThrottle({ store, clock, hasher, notify }: Options) {
  const daysAgo = (days: number) => new Date(clock().getTime() - days * 86_400_000);

  function blocked(since: string, policy: RatePolicy): RateLimitedError {
    const endsAt = Date.parse(since) + seconds * 1000;
    return new RateLimitedError((endsAt - clock().getTime()) / 1000, 'too_many_sign_ins', policy);
  }

  function count(db: Db, key: ThrottleKey): Promise<FailureCounts> {
    return signInFailures.count(db, key, windowAround(clock(), seconds * 1000), quotas, daysAgo(knownDays));
  }

  /** Throws RateLimitedError for an attempt that is not verified at all. */
  async function check(db: Db, key: ThrottleKey): Promise<FailureCounts> {
    const counts = await count(db, key);
    const { account_blocked_since, address_blocked_since, tries } = counts;
    if (address_blocked_since !== null) throw blocked(address_blocked_since, policies.address);
    if (account_blocked_since !== null && tries >= quotas.account)
      throw blocked(account_blocked_since, policies.account);
    return counts;
  }

  /** Counts a failure, and notifies the owner if it blocks the account. */
  async function addFailure(tx: Tx, key: ThrottleKey, isOpen: boolean): Promise<void> {
    await signInFailures.insert(tx, key, clock(), !isOpen);
    if (!isOpen || key.user_id === null || notify === undefined) return;
    const { account_blocked_since } = await count(tx, key);
    if (account_blocked_since !== null) await notify(tx, key.user_id, 'account_locked');
  }

  return {
    /** Returns undefined for a rejected attempt, which is counted; throws RateLimitedError after too many. */
    attempt<Result>({ key, verify, accept, writeContext }: Attempt<Result>): Promise<Result | undefined> {
      // The whole attempt is queued: a flood is counted before it causes any hashing.
      return hasher.enqueue(key.caller, async () => {
        await check(store, key);
        const isRight = await verify();
        const settle = (attempted?: typeof accept) =>
          store.transaction(writeContext, async (tx) => {
            await signInFailures.lock(tx, key);
            const { account_blocked_since, is_known } = await check(tx, key);
            const isOpen = account_blocked_since === null;
            const result = isOpen || is_known ? await attempted?.(tx) : undefined;
            if (result === undefined) await addFailure(tx, key, isOpen);
            return { accepted: result, since: account_blocked_since };
          });
        const { accepted, since } = await settle(isRight ? accept : undefined).catch((error: unknown) => {
          if (error instanceof RefusedAttempt) return settle();
          throw error;
        });
        if (accepted === undefined && since !== null) throw blocked(since, policies.account);
        return accepted;
      });
    },

    async addKnownAddress(tx: Tx, { user_id, address }: ThrottleKey): Promise<void> {
      if (user_id !== null) await signInAddresses.upsert(tx, user_id, address, clock());
    },

    /** After an administrator has set a new password: failures with the old one no longer count. */
    resetFailures: (tx: Tx, userId: number) => signInFailures.deleteOfAccount(tx, accountOf(userId)),

    erase: (tx: Tx, userId: number) => signInAddresses.deleteOfUser(tx, userId),

    purgeExpired: async (): Promise<void> => {
      await signInFailures.deleteOutside(store, windowAround(clock(), seconds * 1000));
      await signInAddresses.deleteBefore(store, daysAgo(knownDays));
    },
  };
}
