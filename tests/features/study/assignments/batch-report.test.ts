import { expect, test } from 'vitest';
import { type BatchOutcome, reportBatch } from '../../../../src/features/study/assignments/batch-report.ts';
import { render, renderInTurns } from '../../../../src/http/rendering.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** The largest batch: 100,000 pairs, half of them of unknown users. */
const outcome: BatchOutcome = {
  type: 'add',
  projectIds: ids(100),
  userIds: ids(1_000),
  projects: new Map(ids(100).map((id) => [id, `Project ${id}`])),
  users: new Map(ids(500).map((id) => [id, { id, username: `pupil${id}`, role: 'user', status: 'active' }])),
  busy: new Set(),
  inScope: { users: new Set(ids(500)), projects: new Set(ids(100)) },
  removedNames: new Map(),
  changes: ids(100).map((project_id) => ({ project_id, owner_id: 5_000, added: ids(400), removed: [], moved: [] })),
};

test('the report of the largest batch lets other requests have their turn between projects, and while it is rendered', async () => {
  let turns = 0;
  const yieldTurn = async () => {
    turns += 1;
  };
  const report = await reportBatch(outcome, 'en', yieldTurn);
  expect(report).toMatchObject({ assigned_count: 50_000, failed_count: 50_000 });
  expect(report.details[99]?.assigned_users.slice(399, 401)).toEqual([
    { user_id: 400, username: 'pupil400', status: 'assigned' },
    { user_id: 401, username: 'pupil401', status: 'already_assigned' },
  ]);
  expect(turns).toBe(200);

  const reply = { data: report, message: { key: 'ok' } } as const;
  const bytes = await renderInTurns(reply, 'en', yieldTurn);
  expect(bytes.equals(render({}, reply, 'en'))).toBe(true);
  expect(turns).toBeGreaterThan(5_000);
});

test('empty lists are rendered as such', async () => {
  const reply = { data: { count: 0, entries: [], others: [] }, message: { key: 'ok' } } as const;
  expect(await renderInTurns(reply, 'zh')).toEqual(render({}, reply, 'zh'));
});
