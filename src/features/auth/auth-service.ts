import type { Database } from '../../db/database.ts';
import { UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './passwords.ts';
import { createSignInRepository } from './sign-in-repository.ts';
import type { SignInService } from './sign-in-service.ts';
import { guesserOf, type SignInThrottle } from './sign-in-throttle.ts';

type Options = { database: Database; passwords: Passwords; signIns: SignInService; throttle: SignInThrottle };
export type AuthService = ReturnType<typeof createAuthService>;

/** What a password is asked for. Both count the wrong ones, and throw RateLimitedError when there were too many. */
export function createAuthService({ database, passwords, signIns, throttle }: Options) {
  const accounts = createSignInRepository(database);

  return {
    /**
     * Signs in by username or e-mail address. Wrong name, wrong password and inactive account are one UnauthorizedError
     * after the same work, so that nobody learns which accounts exist.
     */
    async login(name: string, password: string, address: string) {
      const account = await accounts.findByName(name);
      const signedIn = await throttle.attempt(
        guesserOf(account?.id, name, address),
        () => passwords.verify(account?.password_hash, password),
        async (tx) => {
          const pair = account && (await signIns.start(tx, account));
          return account && pair && { ...pair, user_id: account.id };
        },
      );
      if (signedIn === undefined) throw new UnauthorizedError('wrong_credentials');
      return signedIn;
    },

    /** A new password for the caller, and the end of all other sign-ins. Throws ValidationError for a wrong present one. */
    async changePassword(actor: Actor, present: string, next: string, address: string): Promise<void> {
      const account = await accounts.findById(actor.id);
      if (account === undefined) throw new UnauthorizedError('unauthorized');
      const hash = await passwords.hash(next);
      const changed = await throttle.attempt(
        guesserOf(actor.id, actor.username, address),
        () => passwords.verify(account.password_hash, present),
        async (tx) => {
          const from = { id: actor.sign_in_id, verified: account.password_hash };
          return (await signIns.setPassword(tx, actor.id, hash, from)) || undefined;
        },
      );
      if (changed === undefined) throw ValidationError.of('current_password', 'wrong_password');
    },
  };
}
