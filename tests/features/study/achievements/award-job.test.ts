import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';
import { awardAll, earned, writeRecords } from './earnings.ts';

let app: TestApp;
let user: TestUser;
let project: number;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  user = await app.createUser();
  project = await createProject(app, user);
});

const week = 7 * 86_400_000;
const sundays = (number: number) =>
  Array.from({ length: number }, (_, index) => new Date(Date.parse('2023-01-01T10:00:00Z') + index * week));
const prefer = (preferences: object) => app.as(user).put('/api/auth/me', preferences).expect(200);
const streaks = async (by: 'user' | 'project', id: number) =>
  (await earned(app, by, id)).filter((name) => name.startsWith('streak'));
const waiting = () => app.query(`SELECT payload FROM background_jobs WHERE kind = 'achievements'`);

describe('a change of the calendar', () => {
  test('reads no records and waits for none of their writers', async () => {
    await writeRecords(
      app,
      sundays(3).map((start) => ({ user, on: project, start: start.toISOString() })),
    );
    await app.transaction(async (query) => {
      await query('LOCK TABLE study_sessions, user_study_totals, user_achievements IN ACCESS EXCLUSIVE MODE');
      await prefer({ rest_weekdays: [1, 2, 3, 4, 5, 6] });
      await prefer({ timezone: 'Asia/Shanghai', day_start_hour: 3 });
    });
    expect(await waiting()).toHaveLength(1);
    expect(await streaks('user', user.id)).toEqual([]);
    await awardAll(app);
    expect(await waiting()).toEqual([]);
    expect(await streaks('user', user.id)).toEqual(['streak_3']);
  });

  test('that changes nothing, or something else, stores no work', async () => {
    await prefer({ timezone: 'UTC', rest_weekdays: [], display_name: 'Other', week_start: 7 });
    expect(await waiting()).toEqual([]);
  });

  test('is taken up by another process, and gives each achievement once', async () => {
    await writeRecords(
      app,
      sundays(8).map((start) => ({ user, on: project, start: start.toISOString() })),
    );
    await prefer({ rest_weekdays: [1, 2, 3, 4, 5, 6] });
    await prefer({ day_start_hour: 3 });
    const second = await startTestApp({ databaseUrl: app.databaseUrl });
    await Promise.all([awardAll(app), awardAll(second)]);
    await second.stop();
    await awardAll(app);
    expect(await streaks('user', user.id)).toEqual(['streak_3', 'streak_7']);
  });
});

describe('an import', () => {
  const importSundays = async (number: number) => {
    const rows = sundays(number).map((start) => {
      const end = new Date(start.getTime() + 3_600_000).toISOString();
      return `${project},${start.toISOString()},${end}`;
    });
    const csv = `project_id,started_at,ended_at\n${rows.join('\n')}\n`;
    await app
      .as(user)
      .post('/api/sessions/import')
      .field('dry_run', 'false')
      .attach('file', Buffer.from(csv), 'records.csv')
      .expect(200);
  };

  test('of a streak of weeks is awarded afterwards, to the user and to the project', async () => {
    await prefer({ rest_weekdays: [1, 2, 3, 4, 5, 6] });
    await awardAll(app);
    await importSundays(110);
    const all = ['streak_3', 'streak_7', 'streak_30', 'streak_100'];
    expect([await streaks('user', user.id), await streaks('project', project)]).toEqual([[], []]);
    const version = async () =>
      (await app.query<{ row_version: number }>('SELECT row_version FROM projects WHERE id = $1', [project]))[0]
        ?.row_version ?? 0;
    const before = await version();
    await app.query('DELETE FROM live_updates');
    await awardAll(app);
    expect(await app.query('SELECT DISTINCT user_id, topic FROM live_updates')).toEqual([
      { user_id: user.id, topic: 'sessions' },
    ]);
    expect([await streaks('user', user.id), await streaks('project', project)]).toEqual([all, all]);
    expect(await version()).toBeGreaterThan(before);
  });
});
