import type { Database, Transaction } from '../../db/database.ts';
import { type AppError, UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './passwords.ts';
import { createSignInRepository } from './sign-in-repository.ts';
import { type SignInThrottle, userAt } from './sign-in-throttle.ts';

type Options = { database: Database; passwords: Passwords; throttle: SignInThrottle };
export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

/** For what signed-in users must give their password again. */
export function createPasswordCheck({ database, passwords, throttle }: Options) {
  const accounts = createSignInRepository(database);

  /**
   * Runs `work` if the password is the caller's. A wrong one counts as a failed sign-in, and so does `work` that
   * returns undefined, which is then answered with `refused`. Throws RateLimitedError after too many.
   */
  return async function withPassword<T>(
    actor: Actor,
    password: string,
    work: (tx: Transaction) => Promise<T | undefined>,
    refused: AppError = new UnauthorizedError('unauthorized'),
  ): Promise<T> {
    const account = await accounts.findById(actor.id);
    if (account === undefined) throw new UnauthorizedError('unauthorized');
    let right = false;
    const result = await throttle.attempt(
      userAt(actor.id, actor.origin?.address ?? ''),
      async () => {
        right = await passwords.verify(account.password_hash, password);
        return right;
      },
      work,
      actor.act,
    );
    if (result !== undefined) return result;
    const error = right ? refused : ValidationError.of('current_password', 'wrong_password');
    throw error.noted('password_check_failed', actor.id);
  };
}
