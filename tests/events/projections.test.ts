import { expect, test } from 'vitest';
import type { DomainEvent, ProjectFacts, RecordedEvent, SessionFacts } from '../../src/events/event.ts';
import { changedLists } from '../../src/events/event-writer.ts';
import { auditRows } from '../../src/features/audit/audit-projection.ts';
import { liveUpdates } from '../../src/features/events/live-update-projection.ts';
import { deletions } from '../../src/features/sync/sync-projection.ts';
import { webhookMessages } from '../../src/features/webhooks/webhook-projection.ts';

const at = '2026-02-01T08:00:00.000Z';
const project = (id: number, user_id: number): ProjectFacts => ({
  ...{ id, user_id, name: 'Rings', description: '', status: 'active', category: 'academic', target_hours: 10 },
  ...{ rating_standard: 'normal', due_date: null, weekly_goal_hours: null, target_scope: 'shared', color: 3 },
  ...{ image: null, current_hours: 2, progress: 20, created_at: at, updated_at: at },
});
const session = (id: number, owner_id: number): SessionFacts => ({
  ...{ id, project_id: 42, user_id: 7, owner_id, started_at: at, ended_at: at, duration_seconds: 3600 },
  ...{ note: 'Private', source: 'manual', time_zone: 'UTC', auto_stopped: false, created_at: at, updated_at: at },
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
  pairs: [
    { project_id: 42, user_id: 7, owner_id: 5 },
    { project_id: 42, user_id: 5, owner_id: 5 },
  ],
};
const moved: DomainEvent = {
  type: 'session.updated',
  changes: [{ before: session(310, 5), after: session(310, 6) }],
};

test('the audit log has what administrators changed, and nothing else', () => {
  const log = (...events: RecordedEvent[]) => auditRows(events);
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
  expect(webhookMessages([renamed, unassigned, deleted]).map(({ type, object }) => `${type} ${object}`)).toEqual([
    'project.updated project:42',
    'assignment.changed project:42',
    'project.deleted project:42',
  ]);
  expect(webhookMessages([unassigned])[0]?.data).toEqual({
    ...{ project_id: 42, change: 'unassigned', users_count: 2, user_ids: [5, 7] },
  });
  expect(webhookMessages([{ type: 'session.deleted', sessions: [session(1, 5)], announced: false }])).toEqual([]);
});

test('sync reports items that a user no longer sees, each once', () => {
  const project42 = { item_type: 'project', item_id: 42 };
  expect(deletions([deleted, unassigned])).toEqual([
    { user_id: 5, ...project42 },
    { user_id: 7, ...project42 },
  ]);
  expect(deletions([unassigned])).toEqual([{ user_id: 7, ...project42 }]); // the owner still sees it
  expect(deletions([moved])).toEqual([{ user_id: 5, item_type: 'session', item_id: 310 }]);
  expect(deletions([renamed, { type: 'session.created', sessions: [session(1, 5)] }])).toEqual([]);
});

test('cached lists become stale for those who see the project, in id order', () => {
  expect(changedLists([renamed])).toEqual([5, 7, 9]);
  expect(changedLists([deleted, unassigned])).toEqual([5, 7]);
  expect(changedLists([moved])).toEqual([]);
});

test('live updates tell those who see a record, those whose list changed, and administrators what others of them did', () => {
  const none = { lists: [], deletions: [], audit: [] };
  const told = (event: DomainEvent, also = none) =>
    liveUpdates([event], also).map((row) => `${row.user_id} ${row.topic}`);
  const running = { ...session(310, 5), ended_at: null };
  expect(told({ type: 'session.created', sessions: [session(310, 5)] })).toEqual(['7 sessions', '5 sessions']);
  expect(told({ type: 'session.created', sessions: [{ ...running, owner_id: 7 }] })).toEqual(['7 sessions', '7 timer']);
  expect(told({ type: 'session.updated', changes: [{ before: running, after: session(310, 5) }] })).toContain(
    '7 timer',
  );
  expect(told(moved)).toEqual(['7 sessions', '6 sessions', '5 sessions']);
  const also = { lists: [5, 7], deletions: deletions([unassigned]), audit: auditRows([{ ...unassigned, by }]) };
  expect(liveUpdates([unassigned], also).map((row) => `${row.user_id} ${row.topic}`)).toEqual([
    '5 projects',
    '7 projects',
    '7 sessions',
    'null projects',
    'null inbox',
  ]);
});
