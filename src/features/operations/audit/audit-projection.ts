import { isDeepStrictEqual } from 'node:util';
import { isAdministrator } from '../../../actor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import type { AssignedUsers, DayOffFacts, DomainEvent, EventOf, UserFacts } from '../../../events.ts';
import { type Projection, usersOf } from '../../../transactions/event-writer.ts';
import {
  ascending,
  type Change,
  changed,
  created,
  entry,
  type Fields,
  loggedTime,
  removed,
  type Values,
  written,
} from './audit-entries.ts';
export type AuditRow = Change & { actor_id: number; action: string; request_id: string };

const dayOff = (facts: DayOffFacts | null): Values =>
  facts && { day_off: facts.id, off_from: facts.first_day, off_to: facts.last_day };

/** One entry per write, since a batch may change a hundred thousand pairs. */
function pairsChanged(change: 'added' | 'removed' | 'moved', projects: readonly AssignedUsers[]): Change {
  const details = {
    pairs: projects.reduce((pairs, { user_ids }) => pairs + user_ids.length, 0),
    user_ids: ascending(usersOf(projects)),
    ...(change === 'moved' && { reordered: true }),
  };
  const [before, after] = change === 'removed' ? [details, null] : [null, details];
  return entry('assignment', ascending(projects.map(({ project_id }) => project_id)), before, after);
}

/** The account remains without personal data, which is not logged either. */
function userDeleted(before: UserFacts, deleted_at: string): Change[] {
  const { role, status, timezone, id } = before;
  const anonymous = { role: 'user', status: 'inactive', timezone: 'UTC' };
  const [change] = changed('user', id, { role, status, timezone }, anonymous);
  const after = { ...change?.after, deleted_at: loggedTime(deleted_at) };
  const deletion = entry('user', [id], { ...change?.before, deleted_at: null }, after);
  return before.totp_enabled ? [deletion, secondFactor(id, false)] : [deletion];
}

const secondFactor = (id: number, enabled: boolean): Change =>
  entry('user', [id], { totp_enabled: !enabled }, { totp_enabled: enabled });

const onUser = (id: number, after: Fields): Change => entry('user', [id], null, after);

const reportLink = ({ id, first_day, last_day, expires_at }: EventOf<'report_link.created'>['link']): Fields => ({
  report_link: id,
  report_from: first_day,
  report_to: last_day,
  expires_at: loggedTime(expires_at),
});

function membersChanged(id: number, change: 'added' | 'removed', user_ids: readonly number[]): Change {
  const details = { user_ids: ascending(user_ids) };
  const [before, after] = change === 'removed' ? [details, null] : [null, details];
  return entry('group', [id], before, after);
}

/** Changes of the administrator's own records, and timers that end, are not logged. */
function changesOf(event: DomainEvent, actorId: number): Change[] {
  switch (event.type) {
    case 'project.created':
      return [created('project', event.project, { deleted_at: null })];
    case 'project.updated':
      return changed('project', event.project.id, event.before, event.project);
    case 'project.deleted': {
      const { project, deleted_at, assigned_user_ids } = event;
      const assigned = { project_id: project.id, owner_id: project.user_id, user_ids: assigned_user_ids };
      const deletion = entry('project', [project.id], { deleted_at: null }, { deleted_at: loggedTime(deleted_at) });
      return assigned_user_ids.length === 0 ? [deletion] : [deletion, pairsChanged('removed', [assigned])];
    }
    case 'project.restored':
      return [entry('project', [event.project.id], { deleted_at: loggedTime(event.deleted_at) }, { deleted_at: null })];
    case 'assignment.changed':
      return [pairsChanged(event.change, event.projects)];
    case 'session.updated':
      return event.changes
        .filter(
          ({ before, after }) => before.user_id !== actorId && (before.ended_at !== null || after.ended_at === null),
        )
        .flatMap(({ before, after }) =>
          changed('session', after.id, before, after, {
            ...(before.note !== after.note && { note_changed: true }),
            ...(!isDeepStrictEqual(before.tags, after.tags) && { tags_changed: true }),
          }),
        );
    case 'session.deleted':
      return event.sessions
        .filter((session) => session.user_id !== actorId)
        .map((session) => removed('session', session));
    case 'user.created':
      return event.users.map((user) => created('user', user, { deleted_at: null }));
    case 'user.updated':
      return changed('user', event.after.id, event.before, event.after);
    case 'user.deleted':
      return userDeleted(event.before, event.deleted_at);
    case 'user.password_changed':
      return [onUser(event.user_id, { password_changed: true })];
    case 'user.second_factor_changed':
      return [secondFactor(event.user_id, event.enabled)];
    case 'user.identity_unlinked':
      return [onUser(event.user_id, { identity_unlinked: true })];
    case 'link.created':
      return [onUser(event.user_id, { link: event.purpose })];
    case 'token.created':
      return [created('personal_token', event.token)];
    case 'token.revoked':
      return event.tokens.map(({ id, user_id, name, scopes }) =>
        entry('personal_token', [id], { user_id, name, scopes }, null),
      );
    case 'group.created':
      return [created('group', event.group)];
    case 'group.renamed':
      return changed('group', event.id, { name: event.before }, { name: event.after });
    case 'group.deleted':
      return [removed('group', event.group)];
    case 'group.members_changed':
      return [membersChanged(event.id, event.change, event.user_ids)];
    case 'contact.updated':
      return event.changes.flatMap(({ before, after }) => changed('contact_request', after.id, before, after));
    case 'contact.deleted':
      return event.requests.map(({ id, subject, status, user_id }) =>
        entry('contact_request', [id], { subject, status, user_id }, null),
      );
    case 'webhook.created':
      return [created('webhook', event.webhook)];
    case 'webhook.updated':
      return changed('webhook', event.after.id, event.before, event.after);
    case 'webhook.deleted':
      return [removed('webhook', event.webhook)];
    case 'report_link.created':
      return [entry('user', [event.link.user_id], null, reportLink(event.link))];
    case 'report_link.revoked':
      return [entry('user', [event.link.user_id], reportLink(event.link), null)];
    case 'term.changed':
      return written('term', event.before, event.after);
    case 'school_days.changed':
      return event.changes.flatMap(({ before, after }) => written('school_day', before, after));
    case 'days_off.changed':
      return [entry('user', [event.user_id], dayOff(event.before), dayOff(event.after))];
    case 'student_note.changed':
      return [onUser(event.user_id, { note_changed: true })];
    case 'message.sent':
      return [entry('user', ascending(event.user_ids), null, { message_subject: event.subject })];
    case 'export.read':
      return [entry('export', [], null, { ...event.filter })];
    default:
      event satisfies EventOf<
        | 'project.removed'
        | 'goal.reached'
        | 'session.created'
        | 'session.imported'
        | 'tag.changed'
        | 'achievement.awarded'
        | 'contact.created'
      >;
      return [];
  }
}

/** The entries of the audit log for what administrators changed. */
export const auditLog: Projection<AuditRow> = {
  rows: (events) =>
    events.flatMap((event) => {
      const { by } = event;
      if (by === undefined || !(isAdministrator(by) || by.audited === true)) return [];
      const { actor_id, action, request_id } = by;
      return changesOf(event, actor_id).map((change) => ({ actor_id, action, request_id, ...change }));
    }),
  insert: (rows) => sql`
  audit AS (
    INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, before, after)
    SELECT e.actor_id, e.action, e.request_id, e.target_type, e.target_ids, e.before, e.after
    FROM jsonb_to_recordset(${t.jsonb(JSON.stringify(rows))}) AS e (actor_id bigint, action text, request_id text,
      target_type text, target_ids bigint[], before jsonb, after jsonb))`,
};
