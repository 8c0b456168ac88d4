import type { DomainEvent } from '../../events/event.ts';
import type { AssignmentChange } from './assignment-repository.ts';

/** An event for each kind of change among the pairs that a write returned. */
export function assignmentEvents(changes: readonly AssignmentChange[]): DomainEvent[] {
  return (['removed', 'moved', 'added'] as const).flatMap((change) => {
    const pairs = changes.filter((pair) => pair.change === change);
    return pairs.length === 0 ? [] : [{ type: 'assignment.changed', change, pairs } as const];
  });
}
