import type { DomainEvent } from '../../../events.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import type { AssignmentChange, Members } from './assignment-repository.ts';
import * as assignments from './assignment-repository.ts';

/** An event for each kind of change that a write returned. */
export function assignmentEvents(changes: readonly AssignmentChange[]): DomainEvent[] {
  return (['removed', 'moved', 'added'] as const).flatMap((change) => {
    const projects = changes.filter((changed) => changed.change === change);
    return projects.length === 0 ? [] : [{ type: 'assignment.changed', change, projects } as const];
  });
}

export const removed = (changes: readonly AssignmentChange[]) => changes.filter(({ change }) => change === 'removed');

/**
 * For users who no longer see projects, except owners and administrators: those who studied keep the names as they are now, and
 * their timers end. The projects are locked.
 */
export async function endMemberships(tx: Tx, left: readonly Members[], endTimers: EndTimers): Promise<void> {
  if (left.length === 0) return;
  const studying = await assignments.keepNames(tx, left);
  if (studying.length > 0) await endTimers(tx, { pairs: studying });
}
