import { afterAll, beforeAll, expect, test } from 'vitest';
import * as achievements from '../../../../src/features/study/achievements/achievement-repository.ts';
import { explain } from '../../../support/plans.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { datesOf } from './earnings.ts';

// 23,000 weekly records of 33 users who rest on the other days, in runs of 99 weeks; those of the last user have no end.
const users = 33;
const weeks = 700;
let app: TestApp;
let people: TestUser[];
let project: number;

beforeAll(async () => {
  app = await startTestApp();
  people = [];
  for (let n = 0; n < users; n += 1) people.push(await app.createUser());
  project = await createProject(app, people[0] as TestUser);
  await app.query('UPDATE users SET rest_weekdays = $1', [[1, 2, 3, 4, 5, 6]]);
  await app.query('ALTER TABLE study_sessions DISABLE TRIGGER USER');
  await app.query(
    `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
     SELECT $1, $2, u, m, m + interval '5 minutes', 'manual', 'UTC'
     FROM unnest($3::bigint[]) AS u, generate_series(0, $4 - 1) AS n,
       LATERAL (SELECT '2000-01-02T10:00:00Z'::timestamptz + n * interval '7 days' + u * interval '6 minutes' AS m) AS k
     WHERE n % 100 <> 50 OR u = $5`,
    [project, people[0]?.id, people.map(({ id }) => id), weeks, people.at(-1)?.id],
  );
  await app.query('ALTER TABLE study_sessions ENABLE TRIGGER USER');
  await app.query('VACUUM ANALYZE study_sessions');
});
afterAll(() => app.stop());

test.each(['user', 'project'] as const)(
  'a record reads at most 100 days of study of a %s on each side, by index',
  async (of) => {
    const { id: user } = people.at(-1) as TestUser;
    const day = Date.parse('2010-07-18T00:00:00Z') / 86_400_000;
    const start = { id: of === 'user' ? user : project, user_id: user, day };
    const nodes = await explain(app.database, (db) => achievements.walkDays(db, of, [start]));
    const scans = nodes.filter((node) => node['Relation Name'] === 'study_sessions');
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan['Node Type']).toMatch(/^Index( Only)? Scan$/);
    const rows = scans.reduce((sum, scan) => sum + (scan['Actual Rows'] ?? 0) * (scan['Actual Loops'] ?? 0), 0);
    expect(rows).toBeLessThan(5 * 200);
  },
);

test('also where all days are off, which no streak counts, a record reads at most four times as many', async () => {
  await app.query(
    `INSERT INTO school_days (first_day, last_day, name, kind)
     SELECT m, m + interval '364 days', 'off', 'off' FROM generate_series(date '1999-06-01', date '2014-06-01', interval '365 days') AS m`,
  );
  const { id: user } = people.at(-1) as TestUser;
  const start = { id: user, user_id: user, day: Date.parse('2000-01-02T00:00:00Z') / 86_400_000 };
  const [walked] = await achievements.walkDays(app.database, 'user', [start]);
  await app.query('DELETE FROM school_days');
  expect(walked?.days.length).toBeGreaterThan(100);
  expect(walked?.days.length).toBeLessThanOrEqual(4 * 100 + 1);
});

test('a record that joins two runs earns the streak', async () => {
  const [ann] = people as [TestUser];
  const record = { started_at: '2002-11-17T09:00:00Z', duration_seconds: 300 };
  await app.as(ann).post(`/api/projects/${project}/sessions`, record).expect(201);
  expect(await datesOf(app, 'user', ann.id)).toMatchObject({ streak_100: '2002-11-17T09:05:00.000Z' });
});
