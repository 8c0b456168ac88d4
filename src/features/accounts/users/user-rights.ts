import { ConflictError, NotFoundError } from '../../../texts/errors.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { SignInService } from '../sign-ins/sign-in-service.ts';
import type { Leaving } from './leaving.ts';
import type { UserRow } from './user-repository.ts';
import * as users from './user-repository.ts';

/** Locks a user before a change; `losesAdmin`: they will no longer be an active administrator of the whole school, if they were. */
export async function lockUser(tx: Tx, id: number, losesAdmin: boolean): Promise<UserRow> {
  const { user, otherAdmins } = await users.lock(tx, id, losesAdmin);
  if (user === undefined) throw new NotFoundError('user_not_found');
  const isAdmin = user.role === 'admin' && user.admin_scope === 'all' && user.status === 'active';
  if (losesAdmin && isAdmin && otherAdmins === 0) throw new ConflictError('LAST_ADMIN', 'last_admin');
  return user;
}

const isNarrowed = (before: Pick<UserRow, 'admin_scope'>, after: UserRow): boolean =>
  before.admin_scope === 'all' && after.admin_scope === 'groups';

export type EndAccessOptions = { signIns: SignInService; leaving: Leaving };

/** Ends what a user who is deactivated or no longer an administrator, or one limited to groups, can no longer do. */
export function createEndAccess({ signIns, leaving }: EndAccessOptions) {
  return async (tx: Tx, { id, ...before }: UserRow, after: UserRow): Promise<void> => {
    const isDeactivated = before.status === 'active' && after.status === 'inactive';
    const isDemoted = before.role === 'admin' && (after.role === 'user' || isNarrowed(before, after));
    if (!isDeactivated && !isDemoted) return;
    await leaving.endAccess(tx, id, { isDeactivated, isDemoted });
    if (isDeactivated) await signIns.endAll(tx, id); // a reactivated user must sign in again
  };
}
