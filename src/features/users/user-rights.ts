import { ConflictError, NotFoundError } from '../../errors.ts';
import type { TransactionStore } from '../../store.ts';
import { endMemberships } from '../assignments/assignment-changes.ts';
import type { SignInService } from '../sign-ins/sign-in-service.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import type { UserRow } from './user-repository.ts';

/** Locks a user before a change; `losesAdmin`: they will no longer be an active administrator, if they were. */
export async function lockUser({ users }: TransactionStore, id: number, losesAdmin: boolean): Promise<UserRow> {
  const { user, otherAdmins } = await users.lock(id, losesAdmin);
  if (user === undefined) throw new NotFoundError('user_not_found');
  const isAdmin = user.role === 'admin' && user.status === 'active';
  if (losesAdmin && isAdmin && otherAdmins === 0) throw new ConflictError('LAST_ADMIN', 'last_admin');
  return user;
}

export type EndAccessOptions = { signIns: SignInService; endTimers: EndTimers };

/** Ends what a user who is deactivated or no longer an administrator can no longer do. */
export function createEndAccess({ signIns, endTimers }: EndAccessOptions) {
  return async (tx: TransactionStore, { id, ...before }: UserRow, after: UserRow): Promise<void> => {
    const isDeactivated = before.status === 'active' && after.status === 'inactive';
    const isDemoted = before.role === 'admin' && after.role === 'user';
    if (!isDeactivated && !isDemoted) return;
    await tx.reportLinks.endOf(id, { isDeactivated });
    if (isDeactivated) await tx.rosters.markDeactivated(id, false); // a roster sets it after its own
    await tx.timers.lockProjects({ id, role: 'user' }, {});
    if (isDeactivated) await endTimers(tx, { user_id: id });
    if (isDemoted) await endMemberships(tx, await tx.assignments.listVisits(id), endTimers);
    if (isDeactivated) await signIns.endAll(tx, id); // a reactivated user must sign in again
  };
}
