import { ConflictError, NotFoundError } from '../../errors.ts';
import type { TransactionStore } from '../../store.ts';
import type { UserRow } from './user-repository.ts';

/** Locks a user before a change; `losesAdmin`: they will no longer be an active administrator, if they were. */
export async function lockUser({ users }: TransactionStore, id: number, losesAdmin: boolean): Promise<UserRow> {
  const { user, otherAdmins } = await users.lock(id, losesAdmin);
  if (user === undefined) throw new NotFoundError('user_not_found');
  const isAdmin = user.role === 'admin' && user.status === 'active';
  if (losesAdmin && isAdmin && otherAdmins === 0) throw new ConflictError('LAST_ADMIN', 'last_admin');
  return user;
}
