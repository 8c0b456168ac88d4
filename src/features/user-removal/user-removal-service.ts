import { ValidationError } from '../../errors.ts';
import type { UserFacts } from '../../events/event.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import { endMemberships } from '../assignments/assignment-changes.ts';
import { type Actor, withLockedUsers } from '../auth/identity.ts';
import type { PasswordCheck } from '../passwords/password-service.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { SignInThrottle } from '../sign-in-throttle/sign-in-throttle.ts';
import type { SignInService } from '../sign-ins/sign-in-service.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { lockUser } from '../users/user-rights.ts';

type Options = {
  store: Store;
  signIns: SignInService;
  throttle: SignInThrottle;
  secondFactor: SecondFactorService;
  withPassword: PasswordCheck;
  securityLog: SecurityLog;
  notify: Notify;
  endTimers: EndTimers;
};
type Proof = { current_password?: string; otp?: string };
export type UserRemovalService = ReturnType<typeof createUserRemovalService>;

/** Deletes accounts: study sessions and owned projects remain with an anonymous row. */
export function createUserRemovalService(options: Options) {
  const { store, signIns, throttle, secondFactor, withPassword, securityLog, notify, endTimers } = options;

  async function erase(tx: TransactionStore, actor: Actor, user: UserFacts): Promise<void> {
    const { id } = user;
    const groups = await tx.userRemoval.leaveGroups(id);
    if (groups.length > 0) await tx.groups.countMembers(groups);
    tx.record(
      ...groups.map(
        (group) => ({ type: 'group.members_changed', id: group, change: 'removed', user_ids: [id] }) as const,
      ),
    );
    await tx.userRemoval.lockProjects(id);
    await endTimers(tx, { user_id: id });
    const pairs = await tx.userRemoval.unassign(id);
    await endMemberships(tx, pairs, endTimers);
    if (pairs.length > 0) tx.record({ type: 'assignment.changed', change: 'removed', pairs });
    await signIns.erase(tx, id);
    await tx.audit.forget('user', [id]);
    await throttle.erase(tx, id);
    const shared_with = pairs.flatMap(({ owner_id, assigned_user_ids }) => [owner_id, ...assigned_user_ids]);
    await tx.secondFactors.deleteCodes(id);
    await tx.singleSignOn.unlink(id);
    await tx.reportLinks.endOf(id, { isDeactivated: true });
    await tx.rosters.forget(id);
    tx.record({ type: 'user.deleted', before: user, deleted_at: await tx.userRemoval.anonymise(id), shared_with });
    tx.afterCommit(() => securityLog.note('user_deleted', actor, { target_user: id }));
  }

  return {
    /** For administrators. Throws NotFoundError, and ConflictError for the last administrator. */
    remove: (actor: Actor, id: number): Promise<void> =>
      store.transaction(
        async (tx) => {
          await erase(tx, actor, await lockUser(tx, id, true));
        },
        withLockedUsers(actor.context, [id]),
      ),

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
