import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from '../../lib/semaphore.ts';

/** How many passwords are hashed at once: two of libuv's four threads, so that files and names still find a thread. */
export const hashingAtOnce = 2;

// Argon2id as OWASP advises: 19 MiB, two passes, one lane. Some 20 ms of a core.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

export type Passwords = ReturnType<typeof createPasswords>;

/** Hashing and verifying, never on the event loop, and never more than two at once. */
export function createPasswords() {
  const turns = createSemaphore(hashingAtOnce);
  let nobodys: Promise<string> | undefined;

  return {
    hash: (password: string): Promise<string> => turns.run(() => hash(password, parameters)),

    /** Without a hash, for an account that does not exist, it does the same work and says no. */
    async verify(known: string | null | undefined, password: string): Promise<boolean> {
      nobodys ??= hash(createOneTimePassword(), parameters); // for every caller, so that the first is no exception
      const nobody = await nobodys;
      const against = known ?? nobody;
      const right = await turns.run(() => verify(against, password));
      return right && against === known;
    },
  };
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // 32 signs that nobody takes for one another

/** A password to be handed over: 80 random bits, easy to read out and to type. */
export function createOneTimePassword(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('');
}
