import type { DomainEvent, UserFacts } from './event.ts';

/** Cached responses of a user depend on these: what they may see, and how days are counted. */
const cachedBy = ['role', 'status', 'timezone', 'day_start_hour', 'rest_weekdays'] as const;

function differs(before: UserFacts, after: UserFacts): boolean {
  return cachedBy.some((field) => String(before[field]) !== String(after[field]));
}

/** The users whose cached lists an event makes stale. Records are not among them: they change the versions of the shown projects. */
function audienceOf(event: DomainEvent): readonly number[] {
  switch (event.type) {
    case 'project.created':
    case 'project.restored':
      return [event.project.user_id];
    case 'project.updated':
    case 'project.deleted':
      return [event.project.user_id, ...event.assigned_user_ids];
    case 'project.removed':
      return event.projects.flatMap((project) => [project.user_id, ...project.assigned_user_ids]);
    case 'assignment.changed':
      return event.change === 'moved' ? [] : event.pairs.map((pair) => pair.user_id);
    case 'user.updated':
      return differs(event.before, event.after) ? [event.after.id] : [];
    case 'user.deleted':
      return [event.before.id, ...event.shared_with];
    default:
      return [];
  }
}

/** In id order, in which their rows are locked. */
export function changedLists(events: readonly DomainEvent[]): number[] {
  return [...new Set(events.flatMap(audienceOf))].sort((a, b) => a - b);
}
