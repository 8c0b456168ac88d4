import { sql, t } from '../../../db/sql/sql.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf, RemovedSession, SharedProject } from '../../../events.ts';
import type { Projection } from '../../../transactions/event-writer.ts';
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

/** The ids of the lost items by user and type, in order and without repetitions. */
function idsByUser(deletions: readonly Deletion[]) {
  const groups = new Map<string, { user_id: number; item_type: ItemType; ids: Set<number> }>();
  for (const { user_id, item_type, item_id } of deletions) {
    const key = `${user_id} ${item_type}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { user_id, item_type, ids: new Set([item_id]) });
    else group.ids.add(item_id);
  }
  return [...groups.values()].map((group) => ({ ...group, ids: [...group.ids].sort((a, b) => a - b) }));
}

/** Grouped here, because the database needs ten times as long for it as for the insertion. */
function toRows(deletions: readonly Deletion[]) {
  return idsByUser(deletions).flatMap(({ user_id, item_type, ids }) => {
    const starts = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) => part * maxIds);
    return starts.map((start) => ({ user_id, item_type, ids: ids.slice(start, start + maxIds) }));
  });
}

/** Items that users can no longer see, which may be repeated. */
export const deletions: Projection<Deletion> = {
  rows: (events) => events.flatMap(deletionsOf),
  insert: (lost) => {
    const rows = toRows(lost);
    return sql`
  deletions AS (
    INSERT INTO sync_deletions (user_id, item_type, last_item_id, item_ids)
    SELECT e.user_id, e.item_type, e.last_item_id, e.item_ids::bigint[]
    FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.item_type))},
      ${t.bigints(rows.map((row) => row.ids.at(-1) ?? 0))}, ${t.texts(rows.map((row) => `{${row.ids.join()}}`))})
      AS e (user_id, item_type, last_item_id, item_ids))`;
  },
};
