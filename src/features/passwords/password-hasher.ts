import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { createOneTimePassword } from './one-time-password.ts';

/** Two of libuv's four threads, so that files and names still find a thread. A class behind one address may wait at once. */
const turnsOfHashing = { slots: 2, perCaller: 1, waitingPerCaller: 128, waitSeconds: 10 };

// Argon2id as OWASP advises: 19 MiB, two passes, one lane. Some 20 ms of a core.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** `expires_at` is that of a one-time password; null for any other. Without a hash there is no password yet. */
export type NewPassword = { hash: string | null; expires_at: Date | null };

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashing and verifying, never on the event loop. Both belong inside `inTurn`, which bounds them fairly. */
export function createPasswordHasher() {
  const turns = createFairQueue(turnsOfHashing);
  let dummyHash: Promise<string> | undefined;

  return {
    /** Runs work that hashes when it is the caller's turn; a caller is `user <id>` or `address <normalised address>`. */
    inTurn: turns.run,

    hash: (password: string): Promise<string> => hash(password, parameters),

    /** Without a hash, for an account that does not exist, it does the same work and returns false. */
    async verify(passwordHash: string | null | undefined, password: string): Promise<boolean> {
      dummyHash ??= hash(createOneTimePassword(), parameters); // for every caller, so that the first one takes as long
      const dummy = await dummyHash;
      const isRight = await verify(passwordHash ?? dummy, password);
      return isRight && passwordHash != null;
    },
  };
}
