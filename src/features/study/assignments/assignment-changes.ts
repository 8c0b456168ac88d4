import type { AssignedUsers, DomainEvent } from '../../../events.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import type { AssignmentChange } from './assignment-repository.ts';
import type { Members } from './membership-ends-repository.ts';
import * as ends from './membership-ends-repository.ts';

type Kind = 'added' | 'removed' | 'moved';

/** The users of each project whose assignment changed in this way. */
export const changedUsers = (kind: Kind, changes: readonly AssignmentChange[]): AssignedUsers[] =>
  changes.flatMap(({ project_id, owner_id, [kind]: user_ids }) =>
    user_ids.length === 0 ? [] : [{ project_id, owner_id, user_ids }],
  );

/** An event for each kind of change that a write returned. */
export function assignmentEvents(changes: readonly AssignmentChange[]): DomainEvent[] {
  return (['removed', 'moved', 'added'] as const).flatMap((change) => {
    const projects = changedUsers(change, changes);
    return projects.length === 0 ? [] : [{ type: 'assignment.changed', change, projects } as const];
  });
}

/**
 * For users who no longer see projects, except owners and administrators: those who studied keep the names as they are now, and
 * their timers end. The projects are locked.
 */
export async function endMemberships(tx: Tx, left: readonly Members[], endTimers: EndTimers): Promise<void> {
  if (left.length === 0) return;
  const studying = await ends.keepNames(tx, left);
  if (studying.length > 0) await endTimers(tx, { pairs: studying });
}
