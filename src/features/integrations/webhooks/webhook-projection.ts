import type { z } from 'zod';
import { sql, t } from '../../../db/sql/sql.ts';
import { one } from '../../../db/statements.ts';
import type {
  AssignedUsers,
  AuditOnlyEvent,
  ContactFacts,
  DomainEvent,
  EventOf,
  ProjectFacts,
  SessionFacts,
} from '../../../events.ts';
import type { Projection } from '../../../transactions/event-writer.ts';
import { lastTurn } from '../../operations/background-work/background-job-repository.ts';
import { hoursOf } from '../../study/study-sessions/session-times.ts';
import {
  maxUserIds,
  type WebhookMessage,
  type WebhookProject,
  type WebhookSession,
  webhookGoal,
  webhookProject,
  webhookRequest,
  webhookSession,
} from './webhook-events.ts';

type ProjectEvent = Exclude<Extract<WebhookMessage, { data: WebhookProject }>['type'], 'goal.reached'>;

/** The fields of the object that subscribers get. */
function pick<Shape extends z.ZodRawShape, Facts extends { [Name in keyof Shape]: unknown }>(
  { shape }: z.ZodObject<Shape>,
  facts: Facts,
): Pick<Facts, keyof Shape> {
  const names: (keyof Shape)[] = Object.keys(shape);
  return Object.fromEntries(names.map((name) => [name, facts[name]])) as Pick<Facts, keyof Shape>;
}

function toWebhookSession(session: SessionFacts): WebhookSession {
  const duration_seconds = session.ended_at === null ? 0 : session.duration_seconds;
  return pick(webhookSession, { ...session, duration_seconds, hours: hoursOf(duration_seconds) });
}

const onProject = (type: ProjectEvent, project: ProjectFacts): WebhookMessage => ({
  type,
  object: `project:${project.id}`,
  data: pick(webhookProject, project),
});

const onGoal = (project: ProjectFacts, reached_by: number | null): WebhookMessage => ({
  type: 'goal.reached',
  object: `project:${project.id}`,
  data: pick(webhookGoal, { ...project, reached_by }),
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
  data: pick(webhookRequest, request),
});

/** One per project. */
function assignmentMessages(change: 'assigned' | 'unassigned', projects: readonly AssignedUsers[]): WebhookMessage[] {
  return [...projects]
    .sort((a, b) => a.project_id - b.project_id)
    .map(({ project_id, user_ids: ids }) => {
      const user_ids = [...ids].sort((a, b) => a - b).slice(0, maxUserIds);
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
      return [onGoal(event.project, event.user_id)];
    case 'assignment.changed':
      if (event.change === 'moved') return [];
      return assignmentMessages(event.change === 'added' ? 'assigned' : 'unassigned', event.projects);
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
      event satisfies
        | AuditOnlyEvent
        | EventOf<'achievement.awarded' | 'tag.changed' | 'user.updated' | 'user.deleted'>
        | EventOf<'group.members_changed' | 'school_days.changed' | 'days_off.changed'>;
      return [];
  }
}

/** SQL: whether a webhook `w` gets events. */
const getsEvents = sql`w.active AND w.skips_since IS NULL`;

const isAnyWebhook = sql`EXISTS (SELECT FROM webhooks w WHERE ${getsEvents})`;
const findAnyWebhook = one('find_any_webhook', { found: t.boolean }, () => sql`SELECT ${isAnyWebhook} AS found`);

/** `sender`: whose request it was. */
type QueuedMessage = { sender: number | null; message: WebhookMessage };

/** The webhook events of domain events, in their order: those of an object in the order of its changes. */
export const webhookDeliveries: Projection<QueuedMessage> = {
  rows: (events) =>
    events.flatMap((event) => {
      const sender = event.by?.actor_id ?? null;
      return messagesOf(event).map((message) => ({ sender, message }));
    }),
  hasReaders: async (db) => (await findAnyWebhook(db)).found,
  // Without such a webhook the messages are not parsed, which would take a seventh of the database's time for a new project.
  // Callers hold the lock of the object, so that the ids of its jobs are in the order of its changes. Events of different users are
  // delivered in turns; those of a user of whom too many wait are left out until the receiver has caught up.
  insert: (rows) => sql`
  given AS MATERIALIZED (
    SELECT ${t.text(JSON.stringify(rows))}::jsonb AS messages
    WHERE ${isAnyWebhook}),
  messages AS MATERIALIZED (
    SELECT nextval('webhook_deliveries_id_seq') AS id, m.* FROM (
      SELECT w.id AS webhook_id, e.sender, e.message->>'type' AS type, e.message->>'object' AS object,
        e.message->'data' AS data
      FROM given CROSS JOIN LATERAL ROWS FROM (
          jsonb_to_recordset(given.messages) AS (sender bigint, message jsonb)) WITH ORDINALITY AS e (sender, message, position)
      JOIN webhooks w ON ${getsEvents} AND e.message->>'type' = ANY (w.events)
      WHERE NOT EXISTS (SELECT FROM webhook_skipped_senders s WHERE s.webhook_id = w.id AND s.user_id = e.sender)
      ORDER BY e.position, w.id) AS m),
  deliveries AS (
    INSERT INTO webhook_deliveries (id, webhook_id, type, object, data, created_at, state) OVERRIDING SYSTEM VALUE
    SELECT m.id, m.webhook_id, m.type, m.object, m.data, now(), 'waiting' FROM messages m ORDER BY m.id),
  jobs AS (
    INSERT INTO background_jobs (kind, queue, ordering_key, sender, turn, payload, created_at, next_at)
    SELECT 'webhook_delivery', m.webhook_id::text, m.object, m.sender,
      l.turn + row_number() OVER (PARTITION BY m.webhook_id, m.sender ORDER BY m.id),
      jsonb_build_object('delivery_id', m.id), now(), 'epoch'
    FROM messages m JOIN (
      SELECT s.webhook_id, s.sender,
        ${lastTurn(sql`'webhook_delivery'`, sql`s.webhook_id::text`, sql`s.sender`)} AS turn
      FROM (SELECT DISTINCT d.webhook_id, d.sender FROM messages d) AS s
    ) AS l ON l.webhook_id = m.webhook_id AND l.sender IS NOT DISTINCT FROM m.sender
    ORDER BY m.id)`,
};
