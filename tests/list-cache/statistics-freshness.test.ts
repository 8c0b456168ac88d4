import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSession, assign, createProject, unassign } from '../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const clock = createTestClock();
/** Two instances on one database. The second has cached statistics; the first computes new ones in each test. */
let one: TestApp;
let two: TestApp;
let ann: TestUser;
let project: number;
let session: number;
let path: string;

beforeAll(async () => {
  one = await startTestApp({ clock });
  two = await startTestApp({ clock, databaseUrl: one.databaseUrl });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});
beforeEach(() => setUp('2026-06-10T23:50:00.000Z')); // a Wednesday

async function setUp(moment: string): Promise<void> {
  clock.set(moment);
  ann = await one.createUser();
  project = await createProject(one, ann);
  path = `/api/projects/${project}/stats`;
}

const hits = () => two.container.listCache.stats().hits;
const read = async (app: TestApp, query = '') =>
  (
    await app
      .as(ann)
      .get(path + query)
      .expect(200)
  ).body.data;

/** Reads until the response is cached. */
async function readCached(query = '') {
  await read(two, query);
  const before = hits();
  const data = await read(two, query);
  expect(hits() - before).toBe(1);
  return data;
}

describe('cached statistics of a project are not stale after a change', () => {
  beforeEach(async () => {
    const record = (day: string) =>
      addSession(one, { project_id: project, user_id: ann.id, started_at: `${day}T02:00Z`, ended_at: `${day}T03:00Z` });
    await record('2026-06-07');
    session = await record('2026-06-09');
  });

  const put = (to: () => string, body: object) => () => one.as(ann).put(to(), body).expect(200);
  const toProject = () => `/api/projects/${project}`;
  const toSession = () => `/api/sessions/${session}`;
  const toAccount = () => '/api/auth/me';
  test.each<[string, () => Promise<unknown>]>([
    [
      'a record was added',
      () =>
        one
          .as(ann)
          .post(`${toProject()}/sessions`, { started_at: '2026-06-10T02:00:00Z', duration_seconds: 60 })
          .expect(201),
    ],
    [
      'a record was moved to another day',
      put(toSession, { started_at: '2026-06-08T02:00:00Z', ended_at: '2026-06-08T03:00:00Z' }),
    ],
    ['a record was deleted', () => one.as(ann).delete(toSession()).expect(200)],
    ['the project was completed', put(toProject, { status: 'completed' })],
    ['the target was changed', put(toProject, { target_hours: 4 })],
    ['the hour at which days begin was changed', put(toAccount, { day_start_hour: 3 })],
    ['the time zone was changed', put(toAccount, { timezone: 'America/New_York' })],
    ['the days of rest were changed', put(toAccount, { rest_weekdays: [1] })],
    ['the day ended', async () => clock.set('2026-06-11T00:00:00.000Z')],
    ['the clock was corrected', async () => clock.set('2026-06-09T23:59:59.000Z')],
  ])('%s', async (_name, change) => {
    const before = await readCached();
    await change();
    const after = await read(two);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await read(one));
  });

  test('the caller has lost access to the project', async () => {
    const owner = ann;
    ann = await one.createUser();
    await assign(one, project, ann);
    await readCached();
    await unassign(one, project, ann);
    await two.as(ann).get(path).expect(403);
    await one.as(owner).delete(toProject()).expect(200);
    await two.as(ann).get(path).expect(404);
  });
});

test('cached statistics are valid until the day ends', async () => {
  await setUp('2026-06-10T18:29:30.000Z');
  const before = await readCached('?tz=Asia/Kolkata');
  clock.set('2026-06-10T18:29:59.999Z');
  expect(await readCached('?tz=Asia/Kolkata')).toEqual(before);
  clock.set('2026-06-10T18:30:00.000Z');
  expect((await read(two, '?tz=Asia/Kolkata')).daily.at(-1).date).toBe('2026-06-11');
});

test('statistics are recomputed when the clocks go back to the previous day', async () => {
  await setUp('2010-11-07T02:30:30.000Z');
  const today = async () => (await read(two, '?tz=America/St_Johns')).daily.at(-1).date;
  expect(await today()).toBe('2010-11-07');
  clock.set('2010-11-07T02:31:00.000Z'); // 0:01 became 23:01
  expect(await today()).toBe('2010-11-06');
});

test('each project and each query has separate statistics', async () => {
  const other = await createProject(one, ann, 'Drawing', 'active', { target_hours: 10 });
  const started_at = '2026-06-10T02:00Z';
  await addSession(one, { project_id: other, user_id: ann.id, started_at, ended_at: '2026-06-10T04:00Z' });
  await readCached();
  await readCached('?weeks=1');
  path = `/api/projects/${other}/stats`;
  expect((await read(two)).total_hours).toBe(2);
});
