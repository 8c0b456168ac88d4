import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clock: createTestClock(new Date('2026-11-20T12:00:00.000Z')) });
});
afterAll(() => app.stop());

test('a large file is checked outside transactions, by statements that each change a bounded number of rows', async () => {
  const user = await app.createUser();
  const project = await createProject(app, user, 'Large');
  const rows = 6_000;
  const moment = (minutes: number) => new Date(Date.UTC(2012, 0, 1, 0, minutes)).toISOString();
  // Each row overlaps the next one, so that all steps of the check change rows.
  const lines = Array.from({ length: rows }, (_, n) => `${project},${moment(n * 20)},${moment(n * 20 + 30)}`);
  const file = Buffer.from(['project_id,started_at,ended_at', ...lines].join('\n'));

  const { store } = app.container;
  const execute = vi.spyOn(store, 'execute');
  const sent = app.as(user).post('/api/sessions/import').field('dry_run', 'true').field('on_overlap', 'trim');
  const { body } = await sent.attach('file', file, 'large.csv').expect(200);
  const changed = await Promise.all(execute.mock.results.map(({ value }) => value as Promise<number>));
  execute.mockRestore();
  expect(body.data).toMatchObject({ rows, valid: rows, trimmed: rows - 1 });
  const large = changed.filter((number) => number >= 500);
  expect(large).toEqual([4_999, 1_001, 4_999, 1_000]); // projects, whose first row is the second line, and overlaps
});
