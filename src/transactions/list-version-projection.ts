import { type Sql, sql, t } from '../db/sql/sql.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf, UserFacts } from '../events.ts';
import { type Projection, usersOf } from './event-writer.ts';

/** Cached responses of a user depend on these: what they may see, and how days are counted. */
const fieldsInCachedResponses = [
  'role',
  'status',
  'admin_scope',
  'admin_group_ids',
  'timezone',
  'day_start_hour',
  'rest_weekdays',
] as const;

function differs(before: UserFacts, after: UserFacts): boolean {
  return fieldsInCachedResponses.some((field) => String(before[field]) !== String(after[field]));
}

/** The users whose cached lists an event makes stale. Records are not among them: they change the versions of the shown projects. */
function audienceOf(event: DomainEvent): Iterable<number> {
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
      return event.change === 'moved' ? [] : usersOf(event.projects);
    case 'user.updated':
      return differs(event.before, event.after) ? [event.after.id] : [];
    case 'group.members_changed':
      return event.user_ids;
    case 'days_off.changed':
      return [event.user_id];
    case 'user.deleted':
      return [event.before.id, ...event.shared_with];
    default:
      event satisfies
        | AuditOnlyEvent
        | EventOf<
            | 'goal.reached'
            | 'session.created'
            | 'session.updated'
            | 'session.deleted'
            | 'session.imported'
            | 'achievement.awarded'
            | 'tag.changed'
            | 'contact.created'
            | 'contact.updated'
            | 'school_days.changed'
          >;
      return [];
  }
}

/** The users whose lists have changed, in id order, in which their rows are locked. */
export const listVersions: Projection<number> = {
  rows: (events) => {
    const users = new Set<number>();
    for (const event of events) for (const id of audienceOf(event)) users.add(id);
    return [...users].sort((a, b) => a - b);
  },
  insert: (userIds) => sql`
  versions AS (${bumpListVersions(sql`SELECT unnest(${t.bigints(userIds)})`)})`,
};

/** SQL: changes the list versions of users, in id order, in which all transactions lock them. A user without a row has version 0. */
const bumpListVersions = (userIds: Sql): Sql => sql`
  INSERT INTO user_list_versions AS v (user_id, version)
  SELECT DISTINCT k.user_id, 1 FROM (${userIds}) AS k (user_id) ORDER BY k.user_id
  ON CONFLICT (user_id) DO UPDATE SET version = v.version + 1`;
