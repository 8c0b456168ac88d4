import { expect, test } from 'vitest';
import type { DomainEvent, ProjectFacts, SessionFacts } from '../../src/events.ts';
import { deletions } from '../../src/features/integrations/sync/sync-projection.ts';
import { webhookDeliveries } from '../../src/features/integrations/webhooks/webhook-projection.ts';
import { auditLog } from '../../src/features/operations/audit/audit-projection.ts';
import { createLiveUpdates } from '../../src/features/operations/live-updates/live-update-projection.ts';
import type { Projection, RecordedEvent } from '../../src/transactions/event-writer.ts';
import { listVersions } from '../../src/transactions/list-version-projection.ts';

/** The rows of a projection for these events. */
function rowsOf<Row>(projection: Projection<Row>, events: readonly RecordedEvent[]): readonly Row[] {
  return projection.rows(events, (other) => rowsOf(other, events));
}

const at = '2026-02-01T08:00:00.000Z';
const project = (id: number, user_id: number): ProjectFacts => ({
  ...{ id, user_id, name: 'Rings', description: '', status: 'active', category: 'academic', target_hours: 10 },
  ...{ rating_standard: 'normal', due_date: null, weekly_goal_hours: null, target_scope: 'shared', color: 3 },
  ...{ image: null, current_hours: 2, progress: 20, created_at: at, updated_at: at },
});
const session = (id: number, owner_id: number): SessionFacts => ({
  ...{ id, project_id: 42, user_id: 7, owner_id, started_at: at, ended_at: at, duration_seconds: 3600 },
  ...{
    note: 'Private',
    tags: [],
    source: 'manual',
    time_zone: 'UTC',
    auto_stopped: false,
    created_at: at,
    updated_at: at,
  },
});
const by = { actor_id: 1, sign_in_id: 'a', role: 'admin', action: 'updateProject', request_id: 'r' } as const;

const renamed: DomainEvent = {
  ...{ type: 'project.updated', before: { name: 'Groups' }, project: project(42, 5), assigned_user_ids: [9, 7] },
};
const deleted: DomainEvent = {
  ...{ type: 'project.deleted', project: project(42, 5), deleted_at: at, assigned_user_ids: [7] },
};
const unassigned: DomainEvent = {
  type: 'assignment.changed',
  change: 'removed',
  projects: [{ project_id: 42, owner_id: 5, user_ids: [7, 5] }],
};
const moved: DomainEvent = {
  type: 'session.updated',
  changes: [{ before: session(310, 5), after: session(310, 6) }],
};

test('the audit log has what administrators changed, and nothing else', () => {
  const log = (...events: RecordedEvent[]) => rowsOf(auditLog, events);
  expect(log({ ...renamed, by })).toEqual([
    {
      ...{ actor_id: 1, action: 'updateProject', request_id: 'r', target_type: 'project', target_ids: [42] },
      ...{ before: { name: 'Groups' }, after: { name: 'Rings' } },
    },
  ]);
  expect(log({ ...renamed, by: { ...by, role: 'user' } }, renamed)).toEqual([]);
  const ofOthers = log({ ...moved, by }, { type: 'session.deleted', sessions: [session(1, 5)], announced: true, by });
  expect(JSON.stringify(ofOthers)).not.toContain('Private');
  expect(log({ type: 'session.deleted', sessions: [{ ...session(1, 5), user_id: 1 }], announced: true, by })).toEqual(
    [],
  );
});

test('webhooks get one message for each object, in the order of its changes', () => {
  expect(
    rowsOf(webhookDeliveries, [renamed, unassigned, deleted]).map(
      ({ message: { type, object } }) => `${type} ${object}`,
    ),
  ).toEqual(['project.updated project:42', 'assignment.changed project:42', 'project.deleted project:42']);
  expect(rowsOf(webhookDeliveries, [unassigned])[0]?.message.data).toEqual({
    ...{ project_id: 42, change: 'unassigned', users_count: 2, user_ids: [5, 7] },
  });
  expect(rowsOf(webhookDeliveries, [{ type: 'session.deleted', sessions: [session(1, 5)], announced: false }])).toEqual(
    [],
  );
});

test('sync reports items that a user no longer sees', () => {
  const project42 = { item_type: 'project', item_ids: [42] };
  expect(rowsOf(deletions, [deleted, unassigned])).toEqual([
    { user_id: 5, ...project42 },
    { user_id: 7, ...project42 }, // once, although two events have it
  ]);
  expect(rowsOf(deletions, [unassigned])).toEqual([{ user_id: 7, ...project42 }]); // the owner still sees it
  expect(rowsOf(deletions, [moved])).toEqual([{ user_id: 5, item_type: 'session', item_ids: [310] }]);
  expect(rowsOf(deletions, [renamed, { type: 'session.created', sessions: [session(1, 5)] }])).toEqual([]);
});

test('cached lists become stale for those who see the project, in id order', () => {
  expect(rowsOf(listVersions, [renamed])).toEqual([5, 7, 9]);
  expect(rowsOf(listVersions, [deleted, unassigned])).toEqual([5, 7]);
  expect(rowsOf(listVersions, [moved])).toEqual([]);
});

test('live updates tell those who see a record, those whose list changed, and administrators what others of them did', () => {
  const liveUpdates = createLiveUpdates({ lists: listVersions, deletions, audit: auditLog });
  const told = (event: RecordedEvent) => rowsOf(liveUpdates, [event]).map((row) => `${row.user_id} ${row.topic}`);
  const running = { ...session(310, 5), ended_at: null };
  expect(told({ type: 'session.created', sessions: [session(310, 5)] })).toEqual(['7 sessions', '5 sessions']);
  expect(told({ type: 'session.created', sessions: [{ ...running, owner_id: 7 }] })).toEqual(['7 sessions', '7 timer']);
  expect(told({ type: 'session.updated', changes: [{ before: running, after: session(310, 5) }] })).toContain(
    '7 timer',
  );
  expect(told(moved)).toEqual(['7 sessions', '6 sessions', '5 sessions']);
  expect(told({ ...unassigned, by })).toEqual([
    '5 projects',
    '7 projects',
    '7 sessions',
    'null projects',
    'null inbox',
  ]);
});
