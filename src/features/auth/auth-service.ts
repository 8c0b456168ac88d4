import { changingRights, type Database } from '../../db/database.ts';
import { UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Origin, SecurityLog } from '../../lib/security-log.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { Actor } from './identity.ts';
import { assertWithoutName } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { type Client, createSignInRepository } from './sign-in-repository.ts';
import type { SignInService } from './sign-in-service.ts';
import { type SignInThrottle, strangerAt, userAt } from './sign-in-throttle.ts';

type Options = {
  database: Database;
  passwords: Passwords;
  signIns: SignInService;
  throttle: SignInThrottle;
  secondFactor: SecondFactorService;
  securityLog: SecurityLog;
};
export type Login = { name: string; password: string; otp?: string };
export type AuthService = ReturnType<typeof createAuthService>;

/** What a password is asked for. Both count the wrong ones, and throw RateLimitedError when there were too many. */
export function createAuthService({ database, passwords, signIns, throttle, secondFactor, securityLog }: Options) {
  const accounts = createSignInRepository(database);

  return {
    /**
     * Signs in by username or e-mail address. Wrong name, wrong password and inactive account are one UnauthorizedError
     * after the same work, so that nobody learns which accounts exist. A wrong code of the second factor is the same.
     */
    async login({ name, password, otp }: Login, from: Client, origin: Origin) {
      const { key, account } = await accounts.findByName(name);
      const throttleKey = strangerAt(key, account?.id ?? null, from.address);
      const signedIn = await throttle.attempt(
        throttleKey,
        () => passwords.verify(account?.password_hash, password),
        async (tx) => {
          if (account === undefined || !(await secondFactor.check(tx, account.id, otp, { origin }))) return undefined;
          const pair = await signIns.start(tx, account, from);
          if (pair === undefined) return undefined;
          await throttle.remember(tx, throttleKey);
          tx.onCommit(() => securityLog.note('sign_in', { id: account.id, origin }));
          return { ...pair, user_id: account.id };
        },
      );
      if (signedIn === undefined) throw new UnauthorizedError('wrong_credentials').noted('sign_in_failed', account?.id);
      return signedIn;
    },

    /**
     * A new password for the caller, and the end of all other sign-ins. The present one is verified, and a wrong one
     * counted, before the new one costs any hashing. Throws ValidationError for a wrong or a bad one.
     */
    async changePassword(actor: Actor, present: string, next: string, address: string): Promise<void> {
      const account = await accounts.findById(actor.id);
      if (account === undefined) throw new UnauthorizedError('unauthorized');
      assertWithoutName('new_password', next, account);
      if (actor.must_change_password && next === present) throw ValidationError.of('new_password', 'same_password');
      let hash = '';
      const changed = await throttle.attempt(
        userAt(actor.id, address),
        async () => {
          const right = await passwords.verify(account.password_hash, present);
          if (right) hash = await passwords.hash(next);
          return right;
        },
        async (tx) => {
          const from = { id: actor.sign_in_id, verified: account.password_hash };
          if (!(await signIns.setPassword(tx, actor.id, { hash, expires_at: null }, from))) return undefined;
          tx.onCommit(() => securityLog.note('password_changed', actor));
          return true;
        },
        changingRights(actor.act, [actor.id]), // ends the other sign-ins
      );
      if (changed === undefined)
        throw ValidationError.of('current_password', 'wrong_password').noted('password_check_failed', actor.id);
    },
  };
}
