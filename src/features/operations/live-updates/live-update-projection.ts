import { sql, t } from '../../../db/sql/sql.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf, SessionFacts } from '../../../events.ts';
import type { AnyProjection, Projection } from '../../../transactions/event-writer.ts';

export const topics = ['projects', 'sessions', 'timer', 'inbox'] as const;
export type Topic = (typeof topics)[number];

/** A topic to reload, for a user; null: for administrators. */
export type LiveUpdate = { user_id: number | null; topic: Topic };
type Session = Pick<SessionFacts, 'user_id' | 'owner_id' | 'ended_at'>;

const isRunning = ({ ended_at }: Session): boolean => ended_at === null;

/** For the author and the owner of the project; `before`: the session before its change. */
function onSession(session: Session, before: Session = session): LiveUpdate[] {
  const { user_id } = session;
  const readers = [user_id, session.owner_id, before.owner_id];
  const updates: LiveUpdate[] = readers.map((id) => ({ user_id: id, topic: 'sessions' }));
  return isRunning(session) || isRunning(before) ? [...updates, { user_id, topic: 'timer' }] : updates;
}

function updatesOf(event: DomainEvent): LiveUpdate[] {
  switch (event.type) {
    case 'session.created':
    case 'session.deleted':
      return event.sessions.flatMap((session) => onSession(session));
    case 'session.updated':
      return event.changes.flatMap(({ before, after }) => onSession(after, before));
    case 'session.imported':
      return [event, ...event.projects].map(({ user_id }) => ({ user_id, topic: 'sessions' }));
    case 'tag.changed':
      return [event.user_id, ...event.owner_ids].map((user_id) => ({ user_id, topic: 'sessions' }));
    case 'achievement.awarded':
      return event.user_ids.map((user_id) => ({ user_id, topic: 'sessions' }));
    case 'assignment.changed': // users whose assignment changed are among those whose lists changed
      return event.change === 'moved'
        ? []
        : [...new Set(event.projects.map(({ owner_id }) => owner_id))].map((user_id) => ({
            user_id,
            topic: 'projects',
          }));
    case 'contact.created':
      return [{ user_id: null, topic: 'inbox' }];
    default:
      event satisfies
        | AuditOnlyEvent
        | EventOf<'project.created' | 'project.updated' | 'project.deleted' | 'project.restored' | 'project.removed'>
        | EventOf<'goal.reached' | 'user.updated' | 'user.deleted' | 'contact.updated'>
        | EventOf<'group.members_changed' | 'school_days.changed' | 'days_off.changed'>;
      return [];
  }
}

type Others = {
  /** The users whose lists have changed. */
  lists: Projection<number>;
  /** Items that users can no longer see. */
  deletions: Projection<{ user_id: number }>;
  audit: AnyProjection;
};

/** What listeners reload, without repetitions: also changed lists, lost items, and for administrators what others of them did. */
export const createLiveUpdates = ({ lists, deletions, audit }: Others): Projection<LiveUpdate> => ({
  rows: (events, rowsOf) => {
    const forAdministrators: Topic[] = rowsOf(audit).length > 0 ? ['projects', 'inbox'] : [];
    const found: LiveUpdate[] = [
      ...events.flatMap(updatesOf),
      ...rowsOf(lists).map((user_id) => ({ user_id, topic: 'projects' }) as const),
      ...[...new Set(rowsOf(deletions).map(({ user_id }) => user_id))].map(
        (user_id) => ({ user_id, topic: 'sessions' }) as const,
      ),
      ...forAdministrators.map((topic) => ({ user_id: null, topic })),
    ];
    return [...new Map(found.map((update) => [`${update.user_id} ${update.topic}`, update])).values()];
  },
  insert: (rows) => sql`
  live AS (
    INSERT INTO live_updates (user_id, topic)
    SELECT e.user_id, e.topic
    FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.topic))}) AS e (user_id, topic))`,
});
