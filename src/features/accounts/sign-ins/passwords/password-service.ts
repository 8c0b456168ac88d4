import { type Actor, withLockedUsers } from '../../../../actor.ts';
import type { Clock } from '../../../../lib/clock.ts';
import type { SecurityLog } from '../../../../lib/log/security-log.ts';
import { InvalidTokenError } from '../../../../texts/access-errors.ts';
import { type AppError, ConflictError, ValidationError } from '../../../../texts/errors.ts';
import type { Db, Tx } from '../../../../transactions/transactions.ts';
import type { Notify } from '../../account-notices/account-notices.ts';
import type { NewPassword, PasswordHasher } from '../../passwords/password-hasher.ts';
import { assertWithoutName } from '../../passwords/password-schemas.ts';
import * as signInRepository from '../sign-in-repository.ts';
import type { SignInService } from '../sign-in-service.ts';
import { type SignInThrottle, userThrottleKey } from '../throttle/sign-in-throttle.ts';
import * as credentials from './credentials-repository.ts';

type CheckOptions = { store: Db; hasher: PasswordHasher; throttle: SignInThrottle; clock: Clock };
/** An account without a password confirms with a sign-in that is not older. */
const recentMilliseconds = 10 * 60_000;
export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

export function createPasswordCheck({ store, hasher, throttle, clock }: CheckOptions) {
  /**
   * Runs `work` if the password is the caller's. A wrong one counts as a failed sign-in; so does `work` that returns
   * undefined, which throws `rejection`. Throws RateLimitedError after too many failures, and ConflictError if an account without a
   * password has not signed in recently.
   */
  return async function withPassword<T>(
    actor: Actor,
    password: string | undefined,
    work: (tx: Tx) => Promise<T | undefined>,
    rejection: AppError = new InvalidTokenError('revoked'),
  ): Promise<T> {
    const account = await credentials.findById(store, actor.id);
    if (account === undefined) throw new InvalidTokenError('revoked');
    const { password_hash } = account;
    const since = new Date(clock().getTime() - recentMilliseconds);
    if (password === undefined) {
      if (password_hash !== null) throw ValidationError.of('current_password', 'required');
      if (!(await signInRepository.startedSince(store, actor.sign_in_id, since)))
        throw new ConflictError('CONFLICT', 'sign_in_again');
    }
    let isRight = false;
    const result = await throttle.attempt({
      key: userThrottleKey(actor.id, actor.origin?.address ?? ''),
      verify: async () => {
        isRight = password === undefined || (await hasher.verify(password_hash, password));
        return isRight;
      },
      accept: work,
      writeContext: actor.context,
    });
    if (result !== undefined) return result;
    const error = isRight ? rejection : ValidationError.of('current_password', 'wrong_password');
    throw error.withSecurityEvent('password_check_failed', actor.id);
  };
}

type Options = {
  store: Db;
  hasher: PasswordHasher;
  signIns: SignInService;
  throttle: SignInThrottle;
  securityLog: SecurityLog;
  clock: Clock;
  notify?: Notify;
};
type PasswordChange = { current_password: string; new_password: string };
export type PasswordService = ReturnType<typeof createPasswordService>;

export function createPasswordService(options: Options) {
  const { store, hasher, signIns, throttle, securityLog, clock, notify } = options;

  return {
    /**
     * Changes the caller's password and ends their other sign-ins. Verifies the current password, and counts a wrong
     * one, before hashing the new one. Throws ValidationError for a wrong or an unacceptable password.
     */
    async change(actor: Actor, { current_password, new_password }: PasswordChange, address: string): Promise<void> {
      const account = await credentials.findById(store, actor.id);
      if (account === undefined) throw new InvalidTokenError('revoked');
      assertWithoutName('new_password', new_password, account);
      if (actor.must_change_password && new_password === current_password)
        throw ValidationError.of('new_password', 'same_password');
      let hash = '';
      const changed = await throttle.attempt({
        key: userThrottleKey(actor.id, address),
        verify: async () => {
          const isRight = await hasher.verify(account.password_hash, current_password);
          if (isRight) hash = await hasher.hash(new_password);
          return isRight;
        },
        accept: async (tx) => {
          if (!(await credentials.change(tx, account, { hash, expires_at: null }, clock()))) return undefined;
          tx.record({ type: 'user.password_changed', user_id: actor.id });
          await signIns.endAll(tx, actor.id, { except: actor.sign_in_id });
          await notify?.(tx, actor.id, 'password_changed');
          tx.afterCommit(() => securityLog.note('password_changed', actor));
          return true;
        },
        writeContext: withLockedUsers(actor.context, [actor.id]), // ends the other sign-ins
      });
      if (changed === undefined)
        throw ValidationError.of('current_password', 'wrong_password').withSecurityEvent(
          'password_check_failed',
          actor.id,
        );
    },

    /** Sets the password of an account and ends all its sign-ins. Returns false if the account does not exist. */
    async reset(tx: Tx, userId: number, next: NewPassword): Promise<boolean> {
      if (!(await credentials.set(tx, userId, next))) return false;
      tx.record({ type: 'user.password_changed', user_id: userId });
      await signIns.endAll(tx, userId);
      await notify?.(tx, userId, 'password_changed');
      return true;
    },
  };
}
