import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityLog, Source } from '../../../lib/log/security-log.ts';
import type { Encryption } from '../../../lib/secrets/encryption.ts';
import { OtpRequiredError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import { requireEditable } from '../admin-scope/admin-scope.ts';
import { lockUser } from '../users/user-changes.ts';
import * as secondFactors from './second-factor-repository.ts';
import { createRecoveryCodes, createSecret, describeSecret, hashRecoveryCode, isTotpCode, stepOfCode } from './totp.ts';

export const setupSeconds = 600;

type Options = { store: Db; encryption: Encryption; securityLog: SecurityLog; clock: Clock; notify?: Notify };
export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

export function createSecondFactorService({ store, encryption, securityLog, clock, notify }: Options) {
  /** Uses up a correct, unused code. Exact for any number of concurrent requests. */
  async function use(tx: Tx, userId: number, encrypted: string, otp: string, source: Source): Promise<boolean> {
    if (!isTotpCode(otp)) {
      const isUsed = await secondFactors.useRecoveryCode(tx, userId, hashRecoveryCode(otp));
      if (isUsed) tx.afterCommit(() => securityLog.note('recovery_code_used', source, { target_user: userId }));
      return isUsed;
    }
    const secret = encryption.decrypt(encrypted);
    const step = secret === undefined ? undefined : stepOfCode(secret, otp, clock());
    if (secret === undefined || step === undefined) return false;
    return secondFactors.useCode(tx, userId, encrypted, step, encryption.encrypt(secret));
  }

  /**
   * Whether the account may sign in with this code, or needs none. A wrong code is counted in the transaction, which
   * must therefore be committed. Throws OtpRequiredError if a code is required and missing.
   */
  async function check(tx: Tx, userId: number, otp: string | undefined, source: Source): Promise<boolean> {
    const encrypted = await secondFactors.findSecret(tx, userId);
    if (encrypted === undefined) return true;
    if (otp === undefined) throw new OtpRequiredError();
    const isRight = await use(tx, userId, encrypted, otp, source);
    if (!isRight) await secondFactors.countWrongCode(tx, userId);
    return isRight;
  }

  return {
    check,

    async begin(tx: Tx, actor: Actor) {
      const secret = createSecret();
      const expires = new Date(clock().getTime() + setupSeconds * 1000);
      if (!(await secondFactors.saveSetup(tx, actor.id, encryption.encrypt(secret), expires)))
        throw new ConflictError('CONFLICT', 'totp_already_enabled');
      return secret;
    },

    describe: describeSecret,

    /** Enables the second factor with a code of the new secret; returns the recovery codes, shown only once. */
    async confirm(actor: Actor, otp: string): Promise<string[]> {
      const now = clock();
      const encrypted = await secondFactors.findSetup(store, actor.id, now);
      const secret = encrypted === undefined ? undefined : encryption.decrypt(encrypted);
      if (encrypted === undefined || secret === undefined)
        throw new ConflictError('CONFLICT', 'totp_setup_not_started');
      const step = stepOfCode(secret, otp, now);
      if (step === undefined) throw ValidationError.of('otp', 'wrong_otp');
      const { codes, hashes } = createRecoveryCodes();
      await store.transaction(actor.context, async (tx) => {
        if (!(await secondFactors.enable(tx, actor.id, encrypted, step, hashes, now)))
          throw new ConflictError('CONFLICT', 'totp_setup_not_started');
        tx.record({ type: 'user.second_factor_changed', user_id: actor.id, enabled: true });
        await notify?.(tx, actor.id, 'second_factor_enabled');
        tx.afterCommit(() => securityLog.note('second_factor_enabled', actor));
      });
      return codes;
    },

    /** Disables the caller's own, with a code. Returns false for a wrong code, which is counted. */
    async disable(tx: Tx, actor: Actor, otp: string): Promise<boolean> {
      if (!(await check(tx, actor.id, otp, actor))) return false;
      if (!(await secondFactors.disable(tx, actor.id))) throw new ConflictError('CONFLICT', 'totp_not_enabled');
      tx.record({ type: 'user.second_factor_changed', user_id: actor.id, enabled: false });
      await notify?.(tx, actor.id, 'second_factor_disabled');
      tx.afterCommit(() => securityLog.note('second_factor_disabled', actor));
      return true;
    },

    /** For users who have lost device and recovery codes. Disabling one's own requires a code: see `disable`. */
    async reset(actor: Actor, userId: number): Promise<void> {
      if (userId === actor.id) throw new PermissionDeniedError('totp_reset_own');
      await store.transaction(actor.context, async (tx) => {
        await lockUser(tx, userId, false);
        await requireEditable(tx, actor, userId);
        if (!(await secondFactors.disable(tx, userId))) return;
        tx.record({ type: 'user.second_factor_changed', user_id: userId, enabled: false });
        await notify?.(tx, userId, 'second_factor_disabled');
        tx.afterCommit(() => securityLog.note('second_factor_reset', actor, { target_user: userId }));
      });
    },

    purgeExpired: () => secondFactors.deleteExpiredSetups(store, clock()),
  };
}
