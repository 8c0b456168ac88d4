import { sql, t } from '../../../db/sql/sql.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf } from '../../../events.ts';
import type { Projection } from '../../../transactions/event-writer.ts';
import type { ItemType } from './sync-cursor.ts';

/** Items that a user can no longer see, in id order. */
export type Deletions = { user_id: number; item_type: ItemType; item_ids: readonly number[] };

type Lose = (userId: number, type: ItemType, id: number) => void;

/** Calls `lose` for each item that a user can no longer see; an item may be repeated. */
function findLost(event: DomainEvent, lose: Lose): void {
  switch (event.type) {
    case 'project.deleted': {
      const { project, assigned_user_ids } = event;
      for (const user of [project.user_id, ...assigned_user_ids]) lose(user, 'project', project.id);
      return;
    }
    case 'project.removed':
      for (const { id, user_id, assigned_user_ids } of event.projects)
        for (const user of [user_id, ...assigned_user_ids]) lose(user, 'project', id);
      return;
    case 'assignment.changed':
      if (event.change !== 'removed') return;
      for (const { project_id, owner_id, user_ids } of event.projects)
        for (const user of user_ids) if (user !== owner_id) lose(user, 'project', project_id);
      return;
    case 'session.deleted':
      for (const { id, user_id, owner_id } of event.sessions)
        for (const user of [user_id, owner_id]) lose(user, 'session', id);
      return;
    case 'session.updated':
      // The owner of the former project no longer sees it.
      for (const { before, after } of event.changes)
        if (![after.owner_id, after.user_id].includes(before.owner_id)) lose(before.owner_id, 'session', before.id);
      return;
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
  }
}

/** The ids in a row; a page of a synchronization reads at most these in addition to what it returns. */
const maxIds = 1000;

/** Grouped here, because the database needs ten times as long for it as for the insertion. */
function groupLost(events: readonly DomainEvent[]): Deletions[] {
  const lost: Record<ItemType, Map<number, Set<number>>> = { project: new Map(), session: new Map() };
  const lose: Lose = (userId, type, id) => {
    const ids = lost[type].get(userId);
    if (ids === undefined) lost[type].set(userId, new Set([id]));
    else ids.add(id);
  };
  for (const event of events) findLost(event, lose);
  return (['project', 'session'] as const).flatMap((item_type) =>
    [...lost[item_type]].flatMap(([user_id, found]) => {
      const ids = [...found].sort((a, b) => a - b);
      const starts = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) => part * maxIds);
      return starts.map((start) => ({ user_id, item_type, item_ids: ids.slice(start, start + maxIds) }));
    }),
  );
}

export const deletions: Projection<Deletions> = {
  rows: groupLost,
  insert: (rows) => sql`
  deletions AS (
    INSERT INTO sync_deletions (user_id, item_type, last_item_id, item_ids)
    SELECT e.user_id, e.item_type, e.last_item_id, e.item_ids::bigint[]
    FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.item_type))},
      ${t.bigints(rows.map((row) => row.item_ids.at(-1) ?? 0))}, ${t.texts(rows.map((row) => `{${row.item_ids.join()}}`))})
      AS e (user_id, item_type, last_item_id, item_ids))`,
};
