import type { Transaction } from '../db/database.ts';
import { join, type Sql, sql, t } from '../db/sql/sql.ts';
import { command } from '../db/sql/statement.ts';
import { type AuditRow, auditRows } from '../features/audit/audit-projection.ts';
import { type LiveUpdate, liveUpdates } from '../features/events/live-update-projection.ts';
import { type Deletion, deletions } from '../features/sync/sync-projection.ts';
import type { WebhookMessage } from '../features/webhooks/webhook-events.ts';
import { webhookMessages } from '../features/webhooks/webhook-projection.ts';
import { bumpListVersions } from '../list-cache/list-cache.ts';
import type { AuditOnlyEvent, DomainEvent, EventOf, RecordedEvent, UserFacts } from './event.ts';

/** Cached responses of a user depend on these: what they may see, and how days are counted. */
const fieldsInCachedResponses = ['role', 'status', 'timezone', 'day_start_hour', 'rest_weekdays'] as const;

function differs(before: UserFacts, after: UserFacts): boolean {
  return fieldsInCachedResponses.some((field) => String(before[field]) !== String(after[field]));
}

/** The users whose cached lists an event makes stale. Records are not among them: they change the versions of the shown projects. */
function audienceOf(event: DomainEvent): readonly number[] {
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
      return event.change === 'moved' ? [] : event.pairs.map((pair) => pair.user_id);
    case 'user.updated':
      return differs(event.before, event.after) ? [event.after.id] : [];
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
            | 'contact.created'
            | 'contact.updated'
          >;
      return [];
  }
}

/** In id order, in which their rows are locked. */
export function changedLists(events: readonly DomainEvent[]): number[] {
  return [...new Set(events.flatMap(audienceOf))].sort((a, b) => a - b);
}

type Rows = {
  audit: readonly AuditRow[];
  deletions: readonly Deletion[];
  messages: readonly WebhookMessage[];
  lists: readonly number[];
  live: readonly LiveUpdate[];
};

const json = (rows: readonly object[]) => t.jsonb(JSON.stringify(rows));

const insertAudit = (rows: Rows['audit']): Sql => sql`
  audit AS (
    INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, before, after)
    SELECT e.actor_id, e.action, e.request_id, e.target_type, e.target_ids, e.before, e.after
    FROM jsonb_to_recordset(${json(rows)}) AS e (actor_id bigint, action text, request_id text, target_type text,
      target_ids bigint[], before jsonb, after jsonb))`;

const insertDeletions = (rows: Rows['deletions']): Sql => sql`
  deletions AS (
    INSERT INTO sync_deletions (user_id, item_type, item_id)
    SELECT e.user_id, e.item_type, e.item_id
    FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.item_type))},
      ${t.bigints(rows.map((row) => row.item_id))}) AS e (user_id, item_type, item_id))`;

const takesEvents = sql`w.active AND w.skips_since IS NULL`;

/** SQL: whether a webhook gets events of this type. */
export const isDelivered = (type: WebhookMessage['type']): Sql =>
  sql`EXISTS (SELECT FROM webhooks w WHERE ${takesEvents} AND ${t.text(type)} = ANY (w.events))`;

// Callers hold the lock of the object, so that the ids of its jobs are in the order of its changes.
const insertDeliveries = (rows: Rows['messages']): Sql => sql`
  deliveries AS (
    INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
    SELECT w.id, e.type, e.object, e.data, now(), 'waiting'
    FROM jsonb_to_recordset(${json(rows.map((row, position) => ({ position, ...row })))})
      AS e (position integer, type text, object text, data jsonb)
    JOIN webhooks w ON ${takesEvents} AND e.type = ANY (w.events)
    ORDER BY e.position, w.id
    RETURNING id, webhook_id, object),
  jobs AS (
    INSERT INTO background_jobs (kind, queue, ordering_key, payload, created_at, next_at)
    SELECT 'webhook_delivery', d.webhook_id::text, d.object, jsonb_build_object('delivery_id', d.id), now(), 'epoch'
    FROM deliveries d ORDER BY d.id)`;

const bumpVersions = (userIds: Rows['lists']): Sql => sql`
  versions AS (${bumpListVersions(sql`SELECT unnest(${t.bigints(userIds)})`)})`;

const insertLiveUpdates = (rows: Rows['live']): Sql => sql`
  live AS (
    INSERT INTO live_updates (user_id, topic)
    SELECT e.user_id, e.topic
    FROM unnest(${t.bigints(rows.map((row) => row.user_id))}, ${t.texts(rows.map((row) => row.topic))}) AS e (user_id, topic))`;

/**
 * SQL: the live updates of rows that a statement creates itself, by the readers whom it selects. With them, `project.created` and
 * `session.created` need not be recorded unless a webhook gets them or an administrator acts.
 */
export const liveUpdatesOf = (readers: Sql, topic: LiveUpdate['topic']): Sql => sql`
  live AS (
    INSERT INTO live_updates (user_id, topic) SELECT DISTINCT r.user_id, ${t.text(topic)} FROM (${readers}) AS r (user_id))`;

/** One statement of the parts that have rows. */
const writeEvents = command('write_events', ({ audit, deletions: gone, messages, lists, live }: Rows) => {
  const parts = [
    ...(audit.length > 0 ? [insertAudit(audit)] : []),
    ...(gone.length > 0 ? [insertDeletions(gone)] : []),
    ...(messages.length > 0 ? [insertDeliveries(messages)] : []),
    ...(lists.length > 0 ? [bumpVersions(lists)] : []),
    ...(live.length > 0 ? [insertLiveUpdates(live)] : []),
  ];
  return sql`WITH ${join(parts, sql`, `)} SELECT`;
});

/** Writes everything that follows from the recorded events, as the last step of the transaction. */
export function createEventWriter(tx: Transaction) {
  const recorded: RecordedEvent[] = [];

  async function write(): Promise<void> {
    const projected = { audit: auditRows(recorded), deletions: deletions(recorded), lists: changedLists(recorded) };
    const rows: Rows = { ...projected, messages: webhookMessages(recorded), live: liveUpdates(recorded, projected) };
    if (Object.values(rows).some((list) => list.length > 0)) await tx.execute(writeEvents(rows));
  }

  return {
    record(...events: readonly RecordedEvent[]): void {
      if (events.length === 0) return;
      if (recorded.length === 0) tx.beforeCommit(write);
      recorded.push(...events);
    },
  };
}
