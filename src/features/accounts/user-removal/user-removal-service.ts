import { type Actor, withLockedUsers } from '../../../actor.ts';
import type { UserFacts } from '../../../events.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import * as audit from '../../operations/audit/audit-read-model.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import * as groupRepository from '../groups/group-repository.ts';
import * as secondFactors from '../second-factor/second-factor-repository.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { PasswordCheck } from '../sign-ins/passwords/password-service.ts';
import type { SignInService } from '../sign-ins/sign-in-service.ts';
import type { SignInThrottle } from '../sign-ins/throttle/sign-in-throttle.ts';
import * as singleSignOn from '../single-sign-on/single-sign-on-repository.ts';
import type { Leaving } from '../users/leaving.ts';
import { lockUser } from '../users/user-changes.ts';
import * as userRemoval from './user-removal-repository.ts';

type Options = {
  store: Db;
  signIns: SignInService;
  throttle: SignInThrottle;
  secondFactor: SecondFactorService;
  withPassword: PasswordCheck;
  securityLog: SecurityLog;
  notify: Notify;
  leaving: Leaving;
};
type Proof = { current_password?: string; otp?: string };
export type UserRemovalService = ReturnType<typeof createUserRemovalService>;

/** Deletes accounts: study sessions and owned projects remain with an anonymous row. */
export function createUserRemovalService(options: Options) {
  const { store, signIns, throttle, secondFactor, withPassword, securityLog, notify, leaving } = options;

  async function erase(tx: Tx, actor: Actor, user: UserFacts): Promise<void> {
    const { id } = user;
    const groups = await userRemoval.leaveGroups(tx, id);
    if (groups.length > 0) await groupRepository.countMembers(tx, groups);
    tx.record(
      ...groups.map(
        (group) => ({ type: 'group.members_changed', id: group, change: 'removed', user_ids: [id] }) as const,
      ),
    );
    const others = await leaving.erase(tx, id);
    await signIns.erase(tx, id);
    await audit.forget(tx, 'user', [id]);
    await throttle.erase(tx, id);
    await secondFactors.deleteCodes(tx, id);
    await singleSignOn.unlink(tx, id);
    const deleted_at = await userRemoval.anonymise(tx, id);
    tx.record({ type: 'user.deleted', before: user, deleted_at, shared_with: others });
    tx.afterCommit(() => securityLog.note('user_deleted', actor, { target_user: id }));
  }

  return {
    /** For administrators. Throws NotFoundError, and ConflictError for the last administrator. */
    remove: (actor: Actor, id: number): Promise<void> =>
      store.transaction(withLockedUsers(actor.context, [id]), async (tx) => {
        await erase(tx, actor, await lockUser(tx, id, true));
      }),

    /** For the account owner, with the password and, if enabled, the second factor. */
    async removeOwn(actor: Actor, { current_password, otp }: Proof): Promise<void> {
      if (actor.totp_enabled && otp === undefined) throw ValidationError.of('otp', 'required');
      const context = withLockedUsers(actor.context, [actor.id]);
      await withPassword(
        { ...actor, ...(context !== undefined && { context }) },
        current_password,
        async (tx) => {
          // Before checking the code, which writes the row: administrators are locked in id order.
          const user = await lockUser(tx, actor.id, true);
          if (!(await secondFactor.check(tx, actor.id, otp, actor))) return undefined;
          await notify(tx, actor.id, 'account_deleted');
          await erase(tx, actor, user);
          return true;
        },
        ValidationError.of('otp', 'wrong_otp'),
      );
    },
  };
}
