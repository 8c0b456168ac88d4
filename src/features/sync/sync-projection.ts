import type { AuditOnlyEvent, DomainEvent, EventOf, RemovedSession, SharedProject } from '../../events/event.ts';
import type { ItemType } from './sync-cursor.ts';

/** An item that a user can no longer see. */
export type Deletion = { user_id: number; item_type: ItemType; item_id: number };

const project = (user_id: number, item_id: number): Deletion => ({ user_id, item_type: 'project', item_id });
const session = (user_id: number, item_id: number): Deletion => ({ user_id, item_type: 'session', item_id });

const projectDeleted = ({ id, user_id, assigned_user_ids }: SharedProject): Deletion[] =>
  [user_id, ...assigned_user_ids].map((userId) => project(userId, id));

const sessionDeleted = ({ id, user_id, owner_id }: RemovedSession): Deletion[] => [
  session(user_id, id),
  session(owner_id, id),
];

function deletionsOf(event: DomainEvent): Deletion[] {
  switch (event.type) {
    case 'project.deleted':
      return projectDeleted({ ...event.project, assigned_user_ids: event.assigned_user_ids });
    case 'project.removed':
      return event.projects.flatMap(projectDeleted);
    case 'assignment.changed':
      if (event.change !== 'removed') return [];
      return event.pairs
        .filter((pair) => pair.user_id !== pair.owner_id)
        .map((pair) => project(pair.user_id, pair.project_id));
    case 'session.deleted':
      return event.sessions.flatMap(sessionDeleted);
    case 'session.updated':
      // The owner of the former project no longer sees it.
      return event.changes
        .filter(({ before, after }) => ![after.owner_id, after.user_id].includes(before.owner_id))
        .map(({ before }) => session(before.owner_id, before.id));
    default:
      event satisfies
        | AuditOnlyEvent
        | EventOf<
            | 'project.created'
            | 'project.updated'
            | 'project.restored'
            | 'goal.reached'
            | 'session.created'
            | 'session.imported'
            | 'achievement.awarded'
            | 'user.updated'
            | 'user.deleted'
            | 'contact.created'
            | 'contact.updated'
          >;
      return [];
  }
}

/** Without repetitions. */
export function deletions(events: readonly DomainEvent[]): Deletion[] {
  const found = events.flatMap(deletionsOf);
  return [...new Map(found.map((row) => [`${row.user_id} ${row.item_type} ${row.item_id}`, row])).values()];
}
