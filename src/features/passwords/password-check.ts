import { type AppError, UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { type SignInThrottle, userThrottleKey } from '../sign-in-throttle/sign-in-throttle.ts';
import type { PasswordHasher } from './password-hasher.ts';

type Options = { store: Store; hasher: PasswordHasher; throttle: SignInThrottle };
export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

export function createPasswordCheck({ store, hasher, throttle }: Options) {
  /**
   * Runs `work` if the password is the caller's. A wrong one counts as a failed sign-in; so does `work` that returns
   * undefined, which throws `rejection`. Throws RateLimitedError after too many failures.
   */
  return async function withPassword<T>(
    actor: Actor,
    password: string,
    work: (tx: TransactionStore) => Promise<T | undefined>,
    rejection: AppError = new UnauthorizedError('unauthorized'),
  ): Promise<T> {
    const account = await store.credentials.findById(actor.id);
    if (account === undefined) throw new UnauthorizedError('unauthorized');
    let isRight = false;
    const result = await throttle.attempt({
      key: userThrottleKey(actor.id, actor.origin?.address ?? ''),
      verify: async () => {
        isRight = await hasher.verify(account.password_hash, password);
        return isRight;
      },
      accept: work,
      auditContext: actor.act,
    });
    if (result !== undefined) return result;
    const error = isRight ? rejection : ValidationError.of('current_password', 'wrong_password');
    throw error.noted('password_check_failed', actor.id);
  };
}
