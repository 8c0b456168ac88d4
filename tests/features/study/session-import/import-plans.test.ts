import { afterAll, beforeAll, expect, test } from 'vitest';
import * as imports from '../../../../src/features/study/session-import/import-repository.ts';
import type { NumberedDraft } from '../../../../src/features/study/session-import/rows/import-rows-repository.ts';
import * as importRows from '../../../../src/features/study/session-import/rows/import-rows-repository.ts';
import { checkRows } from '../../../../src/features/study/session-import/rows/row-checks.ts';
import { explain } from '../../../support/plans.ts';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const rows = 500;
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(now) });
});
afterAll(() => app.stop());

const hour = (number: number) => new Date(Date.UTC(2010, 0, 1, number)).toISOString();

function draft(project: number, index: number): NumberedDraft {
  return {
    ...{ row: index + 2, project_id: project, project_name: '', started: hour(index), ended: hour(index + 1) },
    ...{ note: '', tags: [], source: 'manual', time_zone: 'UTC', auto_stopped: false },
  };
}

test('checks a small file in time linear in its rows after somebody has imported a large one', async () => {
  const other = await app.createUser();
  const project = await createProject(app, other, 'Large');
  const lines = Array.from({ length: 2000 }, (_, index) => `${project},${hour(index)},${hour(index + 1)}`);
  const file = Buffer.from(`project_id,started_at,ended_at\n${lines.join('\n')}\n`);
  const sent = app.as(other).post('/api/sessions/import').field('dry_run', 'true').attach('file', file, 'large.csv');
  await sent.expect(200);
  await app.query('VACUUM ANALYZE session_import_rows');

  const user = await app.createUser();
  const own = await createProject(app, user, 'Small');
  await app.query(
    `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone, auto_stopped)
     SELECT $1, $2, $2, t, t + interval '30 minutes', '', 'manual', 'UTC', false
     FROM generate_series(timestamptz '2012-01-01Z', timestamptz '2012-01-01Z' + interval '4999 hours', '1 hour') t`,
    [own, user.id],
  );
  const drafts = Array.from({ length: rows }, (_, index) => draft(own, index));
  const nodes = await explain(app.database, async (tx) => {
    const importId = (await imports.insert(tx, user.id, true, now)) ?? 0;
    await importRows.stage(tx, { importId, drafts, read: rows, now });
    const options = {
      importId,
      lastRow: rows + 1,
      now,
      create: false,
      overlap: 'reject',
      goOn: () => undefined,
    } as const;
    await checkRows(tx, { id: user.id, role: 'user' }, options);
  });
  const most = Math.max(...nodes.map((node) => node['Actual Rows'] * (node['Actual Loops'] ?? 1)));
  expect(Math.max(most, ...nodes.map((node) => node['Actual Loops'] ?? 1))).toBeLessThanOrEqual(2 * rows);
});
