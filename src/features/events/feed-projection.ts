import type { DomainEvent, RecordedEvent, SessionFacts } from '../../events/event.ts';
import { audienceOf } from '../../events/list-version-projection.ts';
import type { Topic } from './event-schemas.ts';

/** Whose views of a topic have changed; null: those of all administrators. */
export type FeedRow = { topic: Topic; user_ids: readonly number[] | null };

type Seen = Pick<SessionFacts, 'user_id' | 'owner_id' | 'ended_at'>;

function sessionsOf(event: DomainEvent): Seen[] {
  switch (event.type) {
    case 'session.created':
    case 'session.deleted':
      return [...event.sessions];
    case 'session.updated':
      return event.changes.flatMap(({ before, after }) => [before, after]);
    default:
      return [];
  }
}

/** Users whose records or figures changed, or who lost sight of a project of their records. */
function recordReaders(event: DomainEvent): readonly number[] {
  switch (event.type) {
    case 'session.imported':
      return [event.user_id, ...event.projects.map((project) => project.user_id)];
    case 'project.deleted':
      return [event.project.user_id, ...event.assigned_user_ids];
    case 'project.removed':
      return event.projects.flatMap((project) => [project.user_id, ...project.assigned_user_ids]);
    case 'assignment.changed':
      return event.change === 'removed' ? event.pairs.map((pair) => pair.user_id) : [];
    default:
      return sessionsOf(event).flatMap((session) => [session.user_id, session.owner_id]);
  }
}

function rowsOf(topic: Topic, ids: readonly number[]): FeedRow[] {
  return ids.length === 0 ? [] : [{ topic, user_ids: [...new Set(ids)] }];
}

/** `isAudited`: an administrator changed something that the audit log tells all administrators. */
export function feedRows(events: readonly RecordedEvent[], isAudited: boolean): FeedRow[] {
  const timers = events.flatMap(sessionsOf).filter((session) => session.ended_at === null);
  const forAdministrators: Topic[] = isAudited
    ? ['projects', 'inbox']
    : events.some((event) => event.type.startsWith('contact.'))
      ? ['inbox']
      : [];
  return [
    ...rowsOf('projects', events.flatMap(audienceOf)),
    ...rowsOf('sessions', events.flatMap(recordReaders)),
    ...rowsOf(
      'timer',
      timers.map((session) => session.user_id),
    ),
    ...forAdministrators.map((topic) => ({ topic, user_ids: null })),
  ];
}
