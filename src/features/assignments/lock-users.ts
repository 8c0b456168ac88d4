import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { TransactionStore } from '../../store.ts';
import type { AssignableUser } from './assignment-repository.ts';

/** Milliseconds that a write waits for users whose rows others have locked, and between two attempts. */
const patience = 1_000;
const pause = 50;

export type LockedUsers = { users: readonly AssignableUser[]; busy: ReadonlySet<number> };

/** Locks the existing ones of these users, except those that are still `busy` after a second. */
export async function lockUsers(tx: TransactionStore, userIds: readonly number[]): Promise<LockedUsers> {
  const users: AssignableUser[] = [];
  for (let left = userIds, waited = 0; ; waited += pause) {
    const found = left.length === 0 ? [] : await tx.assignments.lockUsers(left);
    const busy = found.filter((user) => user.busy);
    users.push(...found.filter((user) => !user.busy));
    if (busy.length === 0 || waited >= patience)
      return { users: [...users, ...busy], busy: new Set(busy.map((user) => user.id)) };
    left = busy.map((user) => user.id);
    await delay(pause);
  }
}

/** Throws UnavailableError if one of them is busy. */
export async function lockAllUsers(
  tx: TransactionStore,
  userIds: readonly number[],
): Promise<readonly AssignableUser[]> {
  const { users, busy } = await lockUsers(tx, userIds);
  if (busy.size > 0) throw new UnavailableError();
  return users;
}
