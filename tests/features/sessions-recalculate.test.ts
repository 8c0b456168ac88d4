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

const program = 'src/cli/projects-recalculate.ts';

/** What an operator types; fails when the exit code is not 0. */
async function recalculate(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...options], {
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

  expect(await recalculate()).toBe(`${report}repaired 2 projects and 0 users\n`);
  for (const id of [right, wrong, never]) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
  expect(await recalculate()).toBe('no drift\n');
  expect(await recalculate('--help')).toContain('--dry-run');
});

test('and the same of what is kept of people', { timeout: 60_000 }, async () => {
  const much = await app.createUser();
  const little = await app.createUser();
  const lost = await app.createUser();
  const never = await app.createUser();
  for (const user of [much, little, lost]) {
    const id = await createProject(app, user, 'Studied');
    const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 11 * 3600 };
    await app.as(user).post(`/api/projects/${id}/sessions`, record).expect(201);
  }
  await app.query('UPDATE user_study_totals SET seconds = seconds + 5 WHERE user_id = $1', [much.id]);
  await app.query('UPDATE user_study_totals SET seconds = 10 WHERE user_id = $1', [little.id]);
  await app.query('DELETE FROM user_achievements WHERE user_id = $1', [little.id]);
  await app.query('DELETE FROM user_study_totals WHERE user_id = $1', [lost.id]);
  await app.query('INSERT INTO user_study_totals (user_id, seconds) VALUES ($1, 60)', [never.id]);

  const report = [
    `user ${much.id}: kept 39605 s, true 39600 s`,
    `user ${little.id}: kept 10 s, true 39600 s`,
    `user ${lost.id}: kept 0 s, true 39600 s`,
    `user ${never.id}: kept 60 s, true 0 s`,
    '',
  ].join('\n');
  expect(await recalculate('--dry-run')).toBe(report);
  expect(await recalculate()).toBe(`${report}repaired 0 projects and 4 users\n`);
  expect(
    await app.query('SELECT seconds FROM user_study_totals WHERE user_id >= $1 ORDER BY user_id', [much.id]),
  ).toEqual([{ seconds: 39_600 }, { seconds: 39_600 }, { seconds: 39_600 }, { seconds: 0 }]);
  // What the right total is worth is given along: the first record and ten hours.
  const earned = await app.query(
    'SELECT achievement_id FROM user_achievements WHERE user_id = $1 ORDER BY achievement_id',
    [little.id],
  );
  expect(earned).toEqual([{ achievement_id: 1 }, { achievement_id: 2 }]);
  expect(await recalculate()).toBe('no drift\n');
});
