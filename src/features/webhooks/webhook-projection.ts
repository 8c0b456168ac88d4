import type {
  AssignedPair,
  AuditOnlyEvent,
  ContactFacts,
  DomainEvent,
  EventOf,
  ProjectFacts,
  SessionFacts,
} from '../../events/event.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import {
  maxUserIds,
  type WebhookMessage,
  type WebhookProject,
  type WebhookRequest,
  type WebhookSession,
} from './webhook-events.ts';

type ProjectEvent = Extract<WebhookMessage, { data: WebhookProject }>['type'];

function toWebhookProject(project: ProjectFacts): WebhookProject {
  const { id, name, description, status, category, target_hours, current_hours, progress, rating_standard } = project;
  const { due_date, weekly_goal_hours, target_scope, color, image, user_id, created_at, updated_at } = project;
  return {
    ...{ id, name, description, status, category, target_hours, current_hours, progress, rating_standard },
    ...{ due_date, weekly_goal_hours, target_scope, color, image, user_id, created_at, updated_at },
  };
}

function toWebhookSession(session: SessionFacts): WebhookSession {
  const { id, project_id, user_id, started_at, ended_at, duration_seconds, note, source, time_zone } = session;
  const { auto_stopped, created_at, updated_at } = session;
  const seconds = ended_at === null ? 0 : duration_seconds;
  return {
    ...{ id, project_id, user_id, started_at, ended_at, duration_seconds: seconds },
    hours: hoursOf(seconds),
    ...{ note, source, time_zone, auto_stopped, created_at, updated_at },
  };
}

function toWebhookRequest(request: ContactFacts): WebhookRequest {
  const { id, subject, status, user_id, handled_by, created_at, updated_at } = request;
  return { id, subject, status, user_id, handled_by, created_at, updated_at };
}

const onProject = (type: ProjectEvent, project: ProjectFacts): WebhookMessage => ({
  type,
  object: `project:${project.id}`,
  data: toWebhookProject(project),
});

const projectDeleted = (id: number): WebhookMessage => ({
  type: 'project.deleted',
  object: `project:${id}`,
  data: { id },
});

const onSession = (type: 'session.created' | 'session.updated', session: SessionFacts): WebhookMessage => ({
  type,
  object: `session:${session.id}`,
  data: toWebhookSession(session),
});

const onRequest = (type: 'contact.created' | 'contact.status_changed', request: ContactFacts): WebhookMessage => ({
  type,
  object: `contact_request:${request.id}`,
  data: toWebhookRequest(request),
});

/** One per project. */
function assignmentMessages(change: 'assigned' | 'unassigned', pairs: readonly AssignedPair[]): WebhookMessage[] {
  const users = new Map<number, number[]>();
  for (const { project_id, user_id } of pairs) {
    const ids = users.get(project_id);
    if (ids === undefined) users.set(project_id, [user_id]);
    else ids.push(user_id);
  }
  return [...users]
    .sort(([a], [b]) => a - b)
    .map(([project_id, ids]) => {
      const user_ids = ids.sort((a, b) => a - b).slice(0, maxUserIds);
      const data = { project_id, change, users_count: ids.length, user_ids };
      return { type: 'assignment.changed' as const, object: `project:${project_id}`, data };
    });
}

function messagesOf(event: DomainEvent): WebhookMessage[] {
  switch (event.type) {
    case 'project.created':
    case 'project.updated':
    case 'project.restored':
      return [onProject(event.type, event.project)];
    case 'project.deleted':
      return [projectDeleted(event.project.id)];
    case 'project.removed':
      return event.projects.map((project) => projectDeleted(project.id));
    case 'goal.reached':
      return event.projects.map((project) => onProject(event.type, project));
    case 'assignment.changed':
      if (event.change === 'moved') return [];
      return assignmentMessages(event.change === 'added' ? 'assigned' : 'unassigned', event.pairs);
    case 'session.created':
      return event.sessions.map((session) => onSession(event.type, session));
    case 'session.updated':
      return event.changes.map(({ after }) => onSession(event.type, after));
    case 'session.deleted':
      if (!event.announced) return [];
      return event.sessions.map(({ id, project_id, user_id }) => ({
        type: event.type,
        object: `session:${id}`,
        data: { id, project_id, user_id },
      }));
    case 'session.imported': {
      const { import_id, user_id, sessions, projects } = event;
      const data = { import_id, user_id, sessions_count: sessions, project_ids: projects.map(({ id }) => id) };
      return [{ type: event.type, object: `import:${import_id}`, data }];
    }
    case 'contact.created':
      return [onRequest(event.type, event.request)];
    case 'contact.updated':
      return event.changes
        .filter(({ before, after }) => before.status !== after.status)
        .map(({ after }) => onRequest('contact.status_changed', after));
    default:
      event satisfies AuditOnlyEvent | EventOf<'achievement.awarded' | 'user.updated' | 'user.deleted'>;
      return [];
  }
}

/** The webhook events of domain events, in their order: those of an object in the order of its changes. */
export const webhookMessages = (events: readonly DomainEvent[]): WebhookMessage[] => events.flatMap(messagesOf);
