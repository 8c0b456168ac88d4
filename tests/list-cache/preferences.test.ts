import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProject } from '../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

// Half past midnight in UTC, which is the previous day if days start at three.
const clock = createTestClock(new Date('2026-06-10T00:30:00.000Z'));
let app: TestApp;
let ann: TestUser;
let goal: number;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());
beforeEach(async () => {
  ann = await app.createUser();
  goal = await createProject(app, ann, 'Algebra', 'active', { target_hours: 10, due_date: '2026-06-09' });
});

const prefer = (preferences: object) => app.as(ann).put('/api/auth/me', preferences).expect(200);

/** Reads twice, so that the second response may come from the cache. */
async function read(path: string) {
  await app.as(ann).get(path).expect(200);
  const { body, headers } = await app.as(ann).get(path).expect(200);
  return { data: body.data, etag: String(headers['etag']) };
}
const idsOf = ({ data }: { data: { projects: { id: number }[] } }) => data.projects.map(({ id }) => id);

test.each([
  ['the hour at which days begin', { day_start_hour: 3 }],
  ['the time zone', { timezone: 'America/New_York' }],
])('a list by state is not stale after %s was changed', async (_name, preferences) => {
  const path = '/api/projects?state=overdue';
  const before = await read(path);
  expect(idsOf(before)).toEqual([goal]);
  await prefer(preferences);
  const response = await app.as(ann).get(path).set('If-None-Match', before.etag).expect(200);
  expect(idsOf(response.body)).toEqual([]);
  expect(idsOf(await read(path))).toEqual([]);
  await prefer({ day_start_hour: 0, timezone: 'UTC' });
  expect(await read(path)).toEqual(before);
});

test('a list by state depends on the current time', async () => {
  await prefer({ timezone: 'Asia/Kolkata', day_start_hour: 6 }); // 6:00 there is 0:30 in UTC
  const path = '/api/projects?state=overdue';
  clock.set('2026-06-10T00:29:59.000Z');
  const before = await read(path);
  expect(idsOf(before)).toEqual([]);
  clock.set('2026-06-10T00:30:00.000Z');
  const response = await app.as(ann).get(path).set('If-None-Match', before.etag).expect(200);
  expect(idsOf(response.body)).toEqual([goal]);
});

test('responses that depend on preferences have a new ETag after a change', async () => {
  const paths = ['/api/dashboard', '/api/stats', `/api/projects/${goal}/forecast`, '/api/auth/me'];
  const before = await Promise.all(paths.map(read));
  await prefer({ day_start_hour: 3, week_start: 7 });
  for (const [index, path] of paths.entries()) {
    const response = await app
      .as(ann)
      .get(path)
      .set('If-None-Match', before[index]?.etag ?? '')
      .expect(200);
    expect(response.body.data).not.toEqual(before[index]?.data);
  }
});

test('a list without states stays cached and current', async () => {
  const before = await read('/api/projects');
  await prefer({ day_start_hour: 3, week_start: 7, daily_goal_minutes: 30, rest_weekdays: [7], locale: 'zh' });
  await app.as(ann).get('/api/projects').set('If-None-Match', before.etag).expect(304);
  expect(await read('/api/projects')).toEqual(before);
});
