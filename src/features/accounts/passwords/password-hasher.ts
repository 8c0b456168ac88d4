import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from '../../../lib/fair-queue.ts';

export const oneTimePasswordDays = 7;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // 32 characters that are not easily confused

/** 80 random bits, easy to read out and to type. */
export function createOneTimePassword(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Two of libuv's four threads; the others serve files and DNS. A class behind one address may wait together. */
const queueOptions = { slots: 2, perCaller: 1, waitingPerCaller: 128, waitSeconds: 10 };

// Argon2id as OWASP recommends: 19 MiB, two passes, one lane. Takes some 20 ms of a core.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** `expires_at` is set for a one-time password. A null hash: no password has been set yet. */
export type NewPassword = { hash: string | null; expires_at: Date | null };

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashes and verifies outside the event loop. Call both inside `enqueue`, which limits them fairly. */
export function createPasswordHasher() {
  const queue = createFairQueue(queueOptions);
  let dummyHash: Promise<string> | undefined;

  return {
    /** Runs work that hashes in the fair queue; a caller is `user <id>` or `address <normalised address>`. */
    enqueue: queue.run,

    hash: (password: string): Promise<string> => hash(password, parameters),

    /** Without a hash, for an unknown account, does the same work and returns false. */
    async verify(passwordHash: string | null | undefined, password: string): Promise<boolean> {
      dummyHash ??= hash(createOneTimePassword(), parameters); // even if unused, so that all calls take equally long
      const dummy = await dummyHash;
      const isRight = await verify(passwordHash ?? dummy, password);
      return isRight && passwordHash != null;
    },
  };
}
