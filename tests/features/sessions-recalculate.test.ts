import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, figures, trueFigures } from '../support/records.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** What an operator types; fails when the exit code is not 0. */
async function recalculate(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npx', ['tsx', 'src/cli/projects-recalculate.ts', ...options], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl },
  });
  return stdout;
}

test('projects:recalculate reports drift, and repairs it unless told not to', { timeout: 60_000 }, async () => {
  const user = await app.createUser();
  const right = await createProject(app, user, 'Right');
  const wrong = await createProject(app, user, 'Wrong');
  const never = await createProject(app, user, 'Never studied');
  await app.query(
    `INSERT INTO study_sessions (project_id, user_id, started_at, ended_at, source, time_zone)
     SELECT p.id, p.user_id, day, day + interval '90 minutes', 'manual', 'UTC'
     FROM projects p, generate_series('2026-01-01'::timestamptz + p.id * interval '2 hours', '2026-01-03', '1 day') AS day
     WHERE p.id IN ($1, $2)`,
    [right, wrong],
  );
  expect(await recalculate()).toBe('no drift\n');

  await app.query('UPDATE projects SET current_seconds = current_seconds + 7 WHERE id = $1', [wrong]);
  await app.query('UPDATE projects SET sessions_count = 3 WHERE id = $1', [never]);
  const report = `project ${wrong}: kept 10807 s in 2 records, true 10800 s in 2\nproject ${never}: kept 0 s in 3 records, true 0 s in 0\n`;
  expect(await recalculate('--dry-run')).toBe(report);
  expect((await figures(app, wrong)).current_seconds).toBe(10_807);

  expect(await recalculate()).toBe(`${report}repaired 2 projects\n`);
  for (const id of [right, wrong, never]) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
  expect(await recalculate()).toBe('no drift\n');
  expect(await recalculate('--help')).toContain('--dry-run');
});
