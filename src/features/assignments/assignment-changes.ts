import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { DomainEvent } from '../../events/event.ts';
import type { TransactionStore } from '../../store.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import type { AssignableUser, AssignmentChange, Pair } from './assignment-repository.ts';

export function isAssignable(user: Pick<AssignableUser, 'role' | 'status'> | undefined): boolean {
  return user?.role === 'user' && user.status === 'active';
}

/** An event for each kind of change among the pairs that a write returned. */
export function assignmentEvents(changes: readonly AssignmentChange[]): DomainEvent[] {
  return (['removed', 'moved', 'added'] as const).flatMap((change) => {
    const pairs = changes.filter((pair) => pair.change === change);
    return pairs.length === 0 ? [] : [{ type: 'assignment.changed', change, pairs } as const];
  });
}

export const removed = (changes: readonly AssignmentChange[]) => changes.filter(({ change }) => change === 'removed');

/**
 * For users who no longer see projects, except owners and administrators: they keep the names as they are now, and their timers end.
 * The projects are locked.
 */
export async function endMemberships(
  tx: TransactionStore,
  pairs: readonly Pair[],
  endTimers: EndTimers,
): Promise<void> {
  if (pairs.length === 0) return;
  const studying = await tx.assignments.keepNames(pairs);
  if (studying.length > 0) await endTimers(tx, { pairs: studying });
}

/** Milliseconds that a write waits for users whose rows others have locked, and between two attempts. */
const lockTimeout = 1_000;
const pause = 50;

export type LockedUsers = { users: readonly AssignableUser[]; busy: ReadonlySet<number> };

/** Locks the existing ones of these users, except those that are still `busy` after a second. */
export async function lockUsers(tx: TransactionStore, userIds: readonly number[]): Promise<LockedUsers> {
  const users: AssignableUser[] = [];
  for (let left = userIds, waited = 0; ; waited += pause) {
    const found = left.length === 0 ? [] : await tx.assignments.lockUsers(left);
    const busy = found.filter((user) => user.busy);
    users.push(...found.filter((user) => !user.busy));
    if (busy.length === 0 || waited >= lockTimeout)
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
