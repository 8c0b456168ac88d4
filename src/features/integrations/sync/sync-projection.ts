import { sql, t } from '../../../db/sql/sql.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf, RemovedSession, SharedProject } from '../../../events.ts';
import type { Projection } from '../../../transactions/projection.ts';
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
      return event.projects.flatMap(({ project_id, owner_id, user_ids }) =>
        user_ids.filter((id) => id !== owner_id).map((id) => project(id, project_id)),
      );
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
            | 'tag.changed'
            | 'group.members_changed'
            | 'school_days.changed'
            | 'days_off.changed'
            | 'user.updated'
            | 'user.deleted'
            | 'contact.created'
            | 'contact.updated'
          >;
      return [];
  }
}

/** The ids in a row; a page of a synchronization reads at most these in addition to what it returns. */
const maxIds = 1000;

/** Items that users can no longer see, which may be repeated: the database removes repetitions, for 100,000 items in less time. */
export const deletions: Projection<Deletion> = {
  rows: (events) => events.flatMap(deletionsOf),
  insert: (rows) => sql`
  deletions AS (
    INSERT INTO sync_deletions (user_id, item_type, last_item_id, item_ids)
    SELECT e.user_id, e.item_type, max(e.item_id), array_agg(e.item_id ORDER BY e.item_id)
    FROM (
      SELECT e.*, (row_number() OVER (PARTITION BY e.user_id, e.item_type ORDER BY e.item_id) - 1) / ${t.integer(maxIds)} AS part
      FROM (
        SELECT DISTINCT k.user_id, k.item_type, k.item_id
        FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.item_type))},
          ${t.bigints(rows.map((row) => row.item_id))}) AS k (user_id, item_type, item_id)) AS e) AS e
    GROUP BY e.user_id, e.item_type, e.part)`,
};
