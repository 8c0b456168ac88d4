import { createHash } from 'node:crypto';
import type { Database, Executor, Transaction } from '../../db/database.ts';
import { RateLimitedError, type RatePolicy } from '../../errors.ts';
import { normaliseAddress } from '../../lib/address.ts';
import { type Clock, windowAround } from '../../lib/clock.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { hashingAtOnce } from './passwords.ts';
import { createSignInFailureRepository, type Guesser } from './sign-in-failure-repository.ts';

const seconds = 15 * 60;
const policies = {
  account: { name: 'sign-in-by-account', quota: 10, seconds },
  address: { name: 'sign-in-by-address', quota: 30, seconds },
} as const satisfies Record<string, RatePolicy>;

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** Failures are counted by the account that is meant, by whichever of its names; unknown names count like accounts. */
export function guesserOf(userId: number | undefined, name: string, address: string): Guesser {
  // Hashed, because people type their password into the wrong field.
  const unknown = () => createHash('sha256').update(name.toLowerCase()).digest('base64url');
  return {
    account: userId === undefined ? `name ${unknown()}` : accountOf(userId),
    address: normaliseAddress(address),
  };
}

function accountOf(userId: number): string {
  return `user ${userId}`;
}

/**
 * Ten failures for one account or thirty from one address within 15 minutes, then no more answers. Exact for any number
 * of guesses at once and in any number of processes: a guess is decided in line with all others of its account and
 * address, and only if the limit is not reached when its turn comes, be it right or wrong.
 */
export function createSignInThrottle(database: Database, clock: Clock) {
  const turns = createSemaphore(hashingAtOnce);

  async function assertOpen(db: Executor, guesser: Guesser): Promise<void> {
    const now = clock();
    const { account, address } = policies;
    const blocks = await createSignInFailureRepository(db).findBlocks(
      guesser,
      windowAround(now, seconds * 1000),
      account.quota,
      address.quota,
    );
    const [last] = blocks.sort((a, b) => b.oldest.localeCompare(a.oldest));
    if (last === undefined) return;
    const opens = Date.parse(last.oldest) + seconds * 1000;
    throw new RateLimitedError((opens - now.getTime()) / 1000, 'too_many_sign_ins', policies[last.by]);
  }

  return {
    /**
     * One guess. `verify` is the costly look at the password; `accept` does what a right one allows, and by answering
     * undefined says that it was not right after all. Answers undefined for a wrong guess; throws RateLimitedError.
     */
    attempt<T>(
      guesser: Guesser,
      verify: () => Promise<boolean>,
      accept: (tx: Transaction) => Promise<T | undefined>,
    ): Promise<T | undefined> {
      // The turn is for the whole attempt: a flood finds itself counted before it costs any hashing.
      return turns.run(async () => {
        await assertOpen(database, guesser);
        const right = await verify();
        return database.transaction(async (tx) => {
          const failures = createSignInFailureRepository(tx);
          await failures.lock(guesser);
          await assertOpen(tx, guesser);
          const accepted = right ? await accept(tx) : undefined;
          if (accepted === undefined) await failures.insert(guesser, clock());
          return accepted;
        });
      });
    },

    /** A new password from an administrator: what was guessed about the old one is of no interest. */
    forgive: (db: Executor, userId: number): Promise<void> =>
      createSignInFailureRepository(db).deleteOfAccount(accountOf(userId)),

    /** Removes what no longer counts; for the periodic housekeeping. */
    sweep: (): Promise<void> =>
      createSignInFailureRepository(database).deleteOutside(windowAround(clock(), seconds * 1000)),
  };
}
