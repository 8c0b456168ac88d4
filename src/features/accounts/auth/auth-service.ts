import type { Origin, SecurityLog } from '../../../lib/log/security-log.ts';
import { PermissionDeniedError, UnauthorizedError } from '../../../texts/access-errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import * as credentials from '../sign-ins/passwords/credentials-repository.ts';
import type { Client, SignInService, TokenStorage } from '../sign-ins/sign-in-service.ts';
import { RefusedAttempt, type SignInThrottle, signInThrottleKey } from '../sign-ins/throttle/sign-in-throttle.ts';

type Options = {
  store: Db;
  hasher: PasswordHasher;
  signIns: SignInService;
  throttle: SignInThrottle;
  secondFactor: SecondFactorService;
  securityLog: SecurityLog;
  /** False if all users sign in through the identity provider. */
  isEnabled?: boolean;
};
export type Login = { name: string; password: string; otp?: string };
export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService(options: Options) {
  const { store, hasher, signIns, throttle, secondFactor, securityLog, isEnabled = true } = options;
  return {
    /**
     * A wrong name, password or second-factor code and an inactive account cause the same UnauthorizedError after the
     * same work, so that nobody learns which accounts exist.
     */
    async login({ name, password, otp }: Login, client: Client, origin: Origin, storage: TokenStorage = 'client') {
      if (!isEnabled) throw new PermissionDeniedError('password_sign_in_off');
      const { key: accountKey, account } = await credentials.findByName(store, name);
      const key = signInThrottleKey(accountKey, account?.id ?? null, client.address);
      const signedIn = await throttle.attempt({
        key,
        verify: () => hasher.verify(account?.password_hash, password),
        accept: async (tx) => {
          if (account === undefined || !(await secondFactor.check(tx, account.id, otp, { origin }))) return undefined;
          const issued = await signIns.start(tx, account.id, account, client, storage);
          if (issued === undefined) throw new RefusedAttempt(); // a recovery code is not used up
          await throttle.addKnownAddress(tx, key);
          tx.afterCommit(() => securityLog.note('sign_in', { id: account.id, origin }));
          return issued;
        },
      });
      if (signedIn === undefined)
        throw new UnauthorizedError('wrong_credentials').withSecurityEvent('sign_in_failed', account?.id);
      return signedIn;
    },
  };
}
