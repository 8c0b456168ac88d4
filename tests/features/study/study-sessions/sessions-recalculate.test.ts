import { afterAll, beforeAll, expect, test } from 'vitest';
import { recalculate as recalculateStored } from '../../../../src/cli/projects-recalculate.ts';
import { expectInvariants } from '../../../support/invariants.ts';
import { createProject, figures, trueFigures } from '../../../support/records.ts';
import { studytrack } from '../../../support/service-process.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';
import { writeRecords } from '../achievements/earnings.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The output of the command, without starting a process. */
async function recalculate({ dryRun = false } = {}): Promise<string> {
  const lines: string[] = [];
  await recalculateStored(app.container.store, (line) => lines.push(line), { dryRun });
  return lines.join('');
}

async function runCommand(...options: string[]): Promise<string> {
  const { code, stdout } = await studytrack(['projects:recalculate', ...options], { DATABASE_URL: app.databaseUrl });
  expect(code).toBe(0);
  return stdout;
}

test('projects:recalculate reports and repairs drift, with --dry-run only reports it', async () => {
  const user = await app.createUser();
  const right = await createProject(app, user, 'Right');
  const wrong = await createProject(app, user, 'Wrong');
  const withoutRecords = await createProject(app, user, 'Never studied');
  const days = ['2026-01-01', '2026-01-02'];
  await writeRecords(
    app,
    [right, wrong].flatMap((on, hour) =>
      days.map((day) => ({ user, on, start: `${day}T0${2 * hour}:00:00Z`, minutes: 90 })),
    ),
  );
  expect(await recalculate()).toBe('no drift\n');

  await app.query('UPDATE projects SET current_seconds = current_seconds + 7 WHERE id = $1', [wrong]);
  await app.query('UPDATE projects SET sessions_count = 3 WHERE id = $1', [withoutRecords]);
  const report = `project ${wrong}: stored 10807 s in 2 sessions, actual 10800 s in 2\nproject ${withoutRecords}: stored 0 s in 3 sessions, actual 0 s in 0\n`;
  expect(await runCommand('--dry-run')).toBe(report);
  expect((await figures(app, wrong)).current_seconds).toBe(10_807);

  expect(await runCommand()).toBe(`${report}repaired 2 projects, 0 totals of users in projects and 0 users\n`);
  for (const id of [right, wrong, withoutRecords]) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
  expect(await recalculate()).toBe('no drift\n');
  expect(await runCommand('--help')).toContain('--dry-run');
});

test('repairs the totals of users', async () => {
  const increased = await app.createUser();
  const reduced = await app.createUser();
  const missing = await app.createUser();
  const withoutRecords = await app.createUser();
  for (const user of [increased, reduced, missing]) {
    const id = await createProject(app, user, 'Studied');
    const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 11 * 3600 };
    await app.as(user).post(`/api/projects/${id}/sessions`, record).expect(201);
  }
  await app.query('UPDATE user_study_totals SET seconds = seconds + 5 WHERE user_id = $1', [increased.id]);
  await app.query('UPDATE user_study_totals SET seconds = 10 WHERE user_id = $1', [reduced.id]);
  await app.query('DELETE FROM user_achievements WHERE user_id = $1', [reduced.id]);
  await app.query('DELETE FROM user_study_totals WHERE user_id = $1', [missing.id]);
  await app.query('INSERT INTO user_study_totals (user_id, seconds) VALUES ($1, 60)', [withoutRecords.id]);

  const report = [
    `user ${increased.id}: stored 39605 s, actual 39600 s`,
    `user ${reduced.id}: stored 10 s, actual 39600 s`,
    `user ${missing.id}: stored 0 s, actual 39600 s`,
    `user ${withoutRecords.id}: stored 60 s, actual 0 s`,
    `user ${reduced.id}: 2 achievements missing`,
    '',
  ].join('\n');
  expect(await recalculate({ dryRun: true })).toBe(report);
  expect(await recalculate()).toBe(`${report}repaired 0 projects, 0 totals of users in projects and 4 users\n`);
  expect(
    await app.query('SELECT seconds FROM user_study_totals WHERE user_id >= $1 ORDER BY user_id', [increased.id]),
  ).toEqual([{ seconds: 39_600 }, { seconds: 39_600 }, { seconds: 39_600 }, { seconds: 0 }]);
  const earned = await app.query(
    'SELECT achievement_id FROM user_achievements WHERE user_id = $1 ORDER BY achievement_id',
    [reduced.id],
  );
  expect(earned).toEqual([{ achievement_id: 1 }, { achievement_id: 2 }]);
  expect(await recalculate()).toBe('no drift\n');
});

test('repairs the totals of users by project', async () => {
  const user = await app.createUser();
  const [stale, missing, empty] = [
    await createProject(app, user, 'Stale'),
    await createProject(app, user, 'Missing'),
    await createProject(app, user, 'Empty'),
  ];
  for (const [hour, id] of [stale, missing].entries()) {
    const record = { started_at: `2026-02-01T0${hour}:00:00Z`, duration_seconds: 600 };
    await app.as(user).post(`/api/projects/${id}/sessions`, record).expect(201);
  }
  await app.query(`UPDATE project_user_totals SET last_session = '2027-01-01' WHERE project_id = $1`, [stale]);
  await app.query('DELETE FROM project_user_totals WHERE project_id = $1', [missing]);
  await app.query(
    `INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count, last_session)
     VALUES ($1, $2, 60, 1, '2026-01-01')`,
    [user.id, empty],
  );
  expect(await recalculate()).toBe(
    [
      `user ${user.id} in project ${stale}: stored 600 s in 1 sessions, actual 600 s in 1`,
      `user ${user.id} in project ${missing}: stored 0 s in 0 sessions, actual 600 s in 1`,
      `user ${user.id} in project ${empty}: stored 60 s in 1 sessions, actual 0 s in 0`,
      'repaired 0 projects, 3 totals of users in projects and 0 users\n',
    ].join('\n'),
  );
  expect(await recalculate()).toBe('no drift\n');
  await expectInvariants(app);
});

test('repairs missing achievements for streaks according to the user’s calendar', async () => {
  const user = await app.createUser();
  await app
    .as(user)
    .put('/api/auth/me', { rest_weekdays: [6, 7] })
    .expect(200);
  const id = await createProject(app, user, 'Every working day');
  for (const day of ['2026-01-29', '2026-01-30', '2026-02-02']) {
    const record = { started_at: `${day}T08:00:00Z`, duration_seconds: 60 };
    await app.as(user).post(`/api/projects/${id}/sessions`, record).expect(201);
  }
  const streaks = () =>
    app.query('SELECT achievement_id AS id FROM user_achievements WHERE user_id = $1 AND achievement_id = 6', [
      user.id,
    ]);
  expect(await streaks()).toEqual([{ id: 6 }]);
  await app.query('DELETE FROM user_achievements WHERE user_id = $1 AND achievement_id = 6', [user.id]);

  const report = `user ${user.id}: 1 achievements missing\n`;
  expect(await recalculate()).toBe(`${report}repaired 0 projects, 0 totals of users in projects and 1 users\n`);
  expect(await streaks()).toEqual([{ id: 6 }]);
  expect(await recalculate()).toBe('no drift\n');
});
