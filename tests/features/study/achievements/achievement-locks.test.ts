import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { earned, writeRecords } from './earnings.ts';

async function start() {
  const app = await startTestApp();
  onTestFinished(app.stop);
  return app;
}
const reachTarget = (app: TestApp, owner: TestUser, id: number) =>
  app.as(owner).put(`/api/projects/${id}`, { target_hours: 1 }).expect(200);

test('two targets reached at once by the same people, in either order, are awarded to all of them', async () => {
  const app = await start();
  const owner = await app.createUser();
  for (let round = 0; round < 3; round += 1) {
    const people = [await app.createUser(), await app.createUser(), await app.createUser()];
    const projects = await Promise.all(
      ['One', 'Two'].map((name) => createProject(app, owner, name, 'active', { target_hours: 100 })),
    );
    for (const [index, on] of projects.entries())
      for (const user of index === 0 ? people : people.toReversed())
        await writeRecords(app, [{ user, on, start: `2026-01-0${index + 1}T08:00:00Z`, minutes: 60 }]);
    await Promise.all(projects.map((id) => reachTarget(app, owner, id)));
    for (const user of people) expect(await earned(app, 'user', user.id)).toContain('target_reached');
  }
});

test('records of several users at once on one project earn its award once, dated by one of them', async () => {
  const app = await start();
  const people = [await app.createUser(), await app.createUser(), await app.createUser()];
  const owner = await app.createUser();
  const on = await createProject(app, owner);
  await Promise.all(
    people.map((user, index) => writeRecords(app, [{ user, on, start: `2026-02-0${index + 1}T12:00:00Z` }])),
  );
  const rows = await app.query(
    `SELECT achievement_id, earned_at = ANY (SELECT ended_at FROM study_sessions) AS by_record
     FROM project_achievements WHERE project_id = $1 ORDER BY achievement_id`,
    [on],
  );
  expect(rows).toEqual([1, 6].map((achievement_id) => ({ achievement_id, by_record: true })));
});
