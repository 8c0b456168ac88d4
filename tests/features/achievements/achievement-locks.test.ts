import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../../support/records.ts';
import { startTestApp } from '../../support/test-app.ts';

// Each transaction reaches two targets with one statement; their order by project is the reverse of that by participant.
const reachTargets = 'UPDATE projects SET target_hours = 1 WHERE id = ANY($1::bigint[])';
const addParticipation = `
  INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
  SELECT $1, $2, p.user_id, m, m + interval '2 hours', 'manual', 'UTC'
  FROM projects p, (SELECT '2026-01-01Z'::timestamptz + $3 * interval '1 day' AS m) AS d WHERE p.id = $1`;
const order = `
  SELECT user_id FROM user_achievements WHERE achievement_id = 10 AND user_id = ANY($1::bigint[]) ORDER BY ctid`;

test('achievements for targets reached by one statement are inserted in order of user id, across its projects', async () => {
  const app = await startTestApp();
  onTestFinished(app.stop);
  const owner = await app.createUser();
  for (let round = 0; round < 3; round += 1) {
    const people = [await app.createUser(), await app.createUser(), await app.createUser(), await app.createUser()];
    const [a, b, c, d] = people.map(({ id }) => id) as [number, number, number, number];
    const projects = await Promise.all([1, 2, 3, 4].map((n) => createProject(app, owner, `Project ${n}`)));
    const [one, two, three, four] = projects as [number, number, number, number];
    await app.query('UPDATE projects SET target_hours = 100');
    // In project order the first transaction would insert d before a, the second a before d.
    const parts = [
      [one, d],
      [two, a],
      [three, a],
      [four, d],
      [one, b],
      [four, c],
    ] as const;
    for (const [index, [project, user]] of parts.entries())
      await app.query(addParticipation, [project, user, index * 2]);
    await Promise.all([app.query(reachTargets, [[one, two]]), app.query(reachTargets, [[three, four]])]);
    expect((await app.query<{ user_id: number }>(order, [[a, b, c, d]])).map((row) => row.user_id).sort()).toEqual(
      [a, b, c, d].sort(),
    );
  }

  const [late, early] = [await app.createUser(), await app.createUser()].toReversed();
  if (late === undefined || early === undefined) throw new Error('two users were created');
  const [first, second] = [await createProject(app, owner, 'First'), await createProject(app, owner, 'Second')];
  await app.query('UPDATE projects SET target_hours = 100 WHERE id = ANY(ARRAY[$1, $2]::bigint[])', [first, second]);
  await app.query(addParticipation, [first, late.id, 0]);
  await app.query(addParticipation, [second, early.id, 0]);
  await app.query(reachTargets, [[first, second]]);
  const given = await app.query<{ user_id: number }>(order, [[early.id, late.id]]);
  expect(given.map((row) => row.user_id)).toEqual([early.id, late.id]);
});
