import type { DomainEvent } from '../../events/event.ts';
import type { TransactionStore } from '../../store.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import type { AssignmentChange, Pair } from './assignment-repository.ts';

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
