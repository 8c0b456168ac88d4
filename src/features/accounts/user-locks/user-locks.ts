import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../../../texts/errors.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { AssignableUser } from './user-lock-repository.ts';
import * as userLocks from './user-lock-repository.ts';

export function isAssignable(user: Pick<AssignableUser, 'role' | 'status'> | undefined): boolean {
  return user?.role === 'user' && user.status === 'active';
}

/** Milliseconds that a write waits for users whose rows others have locked, and between two attempts. */
const lockTimeout = 1_000;
const pause = 50;

export type LockedUsers = { users: readonly AssignableUser[]; busy: ReadonlySet<number> };

/** Locks the existing ones of these users, except those that are still `busy` after a second. */
export async function lockUsers(tx: Tx, userIds: readonly number[]): Promise<LockedUsers> {
  const users: AssignableUser[] = [];
  for (let left = userIds, waited = 0; ; waited += pause) {
    const found = left.length === 0 ? [] : await userLocks.lock(tx, left);
    const busy = found.filter((user) => user.busy);
    users.push(...found.filter((user) => !user.busy));
    if (busy.length === 0 || waited >= lockTimeout)
      return { users: [...users, ...busy], busy: new Set(busy.map((user) => user.id)) };
    left = busy.map((user) => user.id);
    await delay(pause);
  }
}

/** Throws UnavailableError if one of them is busy. */
export async function lockAllUsers(tx: Tx, userIds: readonly number[]): Promise<readonly AssignableUser[]> {
  const { users, busy } = await lockUsers(tx, userIds);
  if (busy.size > 0) throw new UnavailableError();
  return users;
}
