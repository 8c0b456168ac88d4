import { changingRights, type Database } from '../../db/database.ts';
import { UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Actor } from './identity.ts';
import { assertWithoutName } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import { createSignInRepository } from './sign-in-repository.ts';
import type { SignInService } from './sign-in-service.ts';
import { type SignInThrottle, strangerAt, userAt } from './sign-in-throttle.ts';

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
      const { key, account } = await accounts.findByName(name);
      const guesser = strangerAt(key, account?.id ?? null, address);
      const signedIn = await throttle.attempt(
        guesser,
        () => passwords.verify(account?.password_hash, password),
        async (tx) => {
          const pair = account && (await signIns.start(tx, account));
          if (pair) await throttle.remember(tx, guesser);
          return account && pair && { ...pair, user_id: account.id };
        },
      );
      if (signedIn === undefined) throw new UnauthorizedError('wrong_credentials');
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
          return (await signIns.setPassword(tx, actor.id, { hash, expires_at: null }, from)) || undefined;
        },
        changingRights(actor.act, [actor.id]), // ends the other sign-ins
      );
      if (changed === undefined) throw ValidationError.of('current_password', 'wrong_password');
    },
  };
}
