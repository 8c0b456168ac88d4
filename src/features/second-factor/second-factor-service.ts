import type { Database, Transaction } from '../../db/database.ts';
import { ConflictError, OtpRequiredError, PermissionDeniedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/seal.ts';
import type { SecurityLog, Source } from '../../lib/security-log.ts';
import type { Actor } from '../auth/identity.ts';
import type { Notify } from '../auth/notices.ts';
import { createSecondFactorRepository } from './second-factor-repository.ts';
import { createRecoveryCodes, createSecret, describeSecret, hashRecoveryCode, isTotpCode, stepOfCode } from './totp.ts';

/** Seconds within which a new secret must be confirmed. */
export const setupSeconds = 600;

type Options = { database: Database; seal: Seal; securityLog: SecurityLog; clock: Clock; notify?: Notify };
export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

/** Time-based one-time passwords: enabling, checking and removing them. Passwords are checked by the callers. */
export function createSecondFactorService({ database, seal, securityLog, clock, notify }: Options) {
  /** Whether the code is right and unused; it is used up by that. Exact for any number of requests at once. */
  async function use(tx: Transaction, userId: number, sealed: string, otp: string, source: Source): Promise<boolean> {
    const repository = createSecondFactorRepository(tx);
    if (!isTotpCode(otp)) {
      const used = await repository.useRecoveryCode(userId, hashRecoveryCode(otp));
      if (used) tx.onCommit(() => securityLog.note('recovery_code_used', source, { target_user: userId }));
      return used;
    }
    const secret = seal.open(sealed);
    const step = secret === undefined ? undefined : stepOfCode(secret, otp, clock());
    if (secret === undefined || step === undefined) return false;
    return repository.useCode(userId, sealed, step, seal.seal(secret));
  }

  /**
   * Whether the account may be signed in to with this code, or needs none. A wrong code is counted in the transaction,
   * which must therefore be committed. Throws OtpRequiredError when a code is needed and none was given.
   */
  async function check(tx: Transaction, userId: number, otp: string | undefined, source: Source): Promise<boolean> {
    const repository = createSecondFactorRepository(tx);
    const sealed = await repository.findSecret(userId);
    if (sealed === undefined) return true;
    if (otp === undefined) throw new OtpRequiredError();
    const right = await use(tx, userId, sealed, otp, source);
    if (!right) await repository.countWrongCode(userId);
    return right;
  }

  return {
    check,

    /** A new secret, not yet in force; it replaces an earlier one that was not confirmed. */
    async begin(tx: Transaction, actor: Actor) {
      const secret = createSecret();
      const expires = new Date(clock().getTime() + setupSeconds * 1000);
      if (!(await createSecondFactorRepository(tx).saveSetup(actor.id, seal.seal(secret), expires)))
        throw new ConflictError('CONFLICT', 'totp_already_enabled');
      return secret;
    },

    describe: describeSecret,

    /** Enables the second factor with a code of the new secret; returns the recovery codes, which are shown this once. */
    async confirm(actor: Actor, otp: string): Promise<string[]> {
      const now = clock();
      const sealed = await createSecondFactorRepository(database).findSetup(actor.id, now);
      const secret = sealed === undefined ? undefined : seal.open(sealed);
      if (sealed === undefined || secret === undefined) throw new ConflictError('CONFLICT', 'totp_not_begun');
      const step = stepOfCode(secret, otp, now);
      if (step === undefined) throw ValidationError.of('otp', 'wrong_otp');
      const { codes, hashes } = createRecoveryCodes();
      await database.transaction(async (tx) => {
        if (!(await createSecondFactorRepository(tx).enable(actor.id, sealed, step, hashes, now)))
          throw new ConflictError('CONFLICT', 'totp_not_begun');
        await notify?.(tx, actor.id, 'second_factor_enabled');
        tx.onCommit(() => securityLog.note('second_factor_enabled', actor));
      }, actor.act);
      return codes;
    },

    /** Removes the caller's own, with a last code. False for a wrong one, which is counted. */
    async disable(tx: Transaction, actor: Actor, otp: string): Promise<boolean> {
      if (!(await check(tx, actor.id, otp, actor))) return false;
      if (!(await createSecondFactorRepository(tx).disable(actor.id)))
        throw new ConflictError('CONFLICT', 'totp_not_enabled');
      await notify?.(tx, actor.id, 'second_factor_disabled');
      tx.onCommit(() => securityLog.note('second_factor_disabled', actor));
      return true;
    },

    /** Removes another user's, who lost device and recovery codes. One's own takes a code: see `disable`. */
    async reset(tx: Transaction, actor: Actor, userId: number): Promise<void> {
      if (userId === actor.id) throw new PermissionDeniedError('totp_reset_own');
      if (!(await createSecondFactorRepository(tx).disable(userId))) return;
      await notify?.(tx, userId, 'second_factor_disabled');
      tx.onCommit(() => securityLog.note('second_factor_reset', actor, { target_user: userId }));
    },

    /** Removes secrets that were not confirmed in time; for the periodic housekeeping. */
    sweep: (): Promise<void> => createSecondFactorRepository(database).deleteExpiredSetups(clock()),
  };
}
