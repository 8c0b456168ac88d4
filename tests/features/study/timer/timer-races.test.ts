import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { raceAgainstLock, untilWaiting } from '../../../support/locks.ts';
import { createProject, figures, trueFigures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

// Two processes on one database, and clients that repeat requests.
const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let second: TestApp;
let user: TestUser;
let projects: number[];

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  second = await startTestApp({ clock, databaseUrl: app.databaseUrl });
});
beforeEach(async () => {
  user = await app.createUser();
});
afterAll(async () => {
  await second.stop();
  await app.stop();
});
afterEach(async () => {
  for (const id of projects) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
});

let turn = 0;
const send = () => {
  turn += 1;
  return (turn % 2 === 0 ? app : second).as(user);
};
const ago = (minutes: number) => new Date(clock().getTime() - minutes * 60_000).toISOString();
const times = <T>(count: number, make: (index: number) => PromiseLike<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const count = (responses: readonly { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;
const begin = (project_id: number | undefined, minutes: number) =>
  send().post('/api/timer/start', { project_id, started_at: ago(minutes) });
const someProjects = async (number: number) => {
  projects = await times(number, (index) => createProject(app, user, `Project ${index}`));
  return projects;
};

test('a repeated start starts one timer', async () => {
  const [project] = await someProjects(1);
  for (let round = 0; round < 5; round += 1) {
    clock.advance(3_600_000);
    const responses = await times(8, () => begin(project, 30));
    expect([count(responses, 201), count(responses, 200)]).toEqual([1, 7]);
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    await send().post('/api/timer/stop').expect(200);
  }
});

test('a repeated stop returns the same record, even with a different end', async () => {
  const [project] = await someProjects(1);
  for (let round = 0; round < 5; round += 1) {
    clock.advance(3_600_000);
    const session_id = (await begin(project, 30).expect(201)).body.data.id;
    const responses = await times(8, (index) =>
      send().post('/api/timer/stop', { session_id, ended_at: ago(1 + index) }),
    );
    expect(count(responses, 200)).toBe(8);
    const [first] = responses;
    for (const { body } of responses) expect(body.data).toEqual(first?.body.data);
  }
  expect(await figures(app, project ?? 0)).toMatchObject({ sessions_count: 5 });
});

test('concurrent starts on different projects leave one running timer and no overlapping time', async () => {
  const [one, two, three] = await someProjects(3);
  for (let round = 0; round < 5; round += 1) {
    clock.advance(3_600_000);
    const responses = await times(9, (index) => begin([one, two, three][index % 3], 40 - index * 4));
    expect(count(responses, 200) + count(responses, 201) + count(responses, 409)).toBe(9);
    await send()
      .post('/api/timer/stop', { ended_at: ago(0) })
      .expect(200);
    const [sum] = await app.query<{ minutes: number; running: number }>(
      `SELECT sum(duration_seconds) / 60 AS minutes, count(*) FILTER (WHERE ended_at IS NULL) AS running
       FROM study_sessions WHERE user_id = $1 AND started_at > $2`,
      [user.id, ago(59)],
    );
    expect(sum?.minutes).toBeLessThanOrEqual(40);
    expect(sum?.running).toBe(0);
  }
});

test('of a corrected start and an overlapping record exactly one succeeds', async () => {
  const [project = 0, other] = await someProjects(2);
  for (let round = 0; round < 6; round += 1) {
    clock.advance(3 * 3_600_000);
    const { id } = (await begin(project, 30).expect(201)).body.data;
    const [correction, record] = await raceAgainstLock(app, lockOf('projects', project, other ?? 0), 2, () =>
      Promise.all([
        send().put(`/api/sessions/${id}`, { started_at: ago(90) }),
        send().post(`/api/projects/${other}/sessions`, { started_at: ago(60), duration_seconds: 600 }),
      ]),
    );
    expect([correction.status, record.status].sort()).toEqual(correction.status === 200 ? [200, 409] : [201, 409]);
    const rejected = correction.status === 409 ? correction : record;
    expect(rejected.body.error).toMatchObject({ code: 'SESSION_OVERLAP', details: expect.any(Array) });
    await send().post('/api/timer/stop').expect(200);
  }
});

test('a concurrent correction of the start and a stop are both applied', async () => {
  const [project = 0] = await someProjects(1);
  const { id } = (await begin(project, 30).expect(201)).body.data;
  const responses = await raceAgainstLock(app, lockOf('users', user.id), 2, () =>
    Promise.all([
      send().put(`/api/sessions/${id}`, { started_at: ago(45) }),
      send().post('/api/timer/stop', { session_id: id, ended_at: ago(5) }),
    ]),
  );
  expect(count(responses, 200)).toBe(2);
  const { body } = await app.as(user).get(`/api/sessions/${id}`).expect(200);
  expect(body.data).toMatchObject({ started_at: ago(45), ended_at: ago(5), duration_seconds: 2400 });
});

test('the job leaves an overdue timer whose start is being corrected', async () => {
  const [project = 0] = await someProjects(1);
  const { id } = (await begin(project, 60 * 13).expect(201)).body.data;
  const job = second.container.jobs.find(({ name }) => name === 'end overdue timers');
  let correction: Promise<{ status: number }> | undefined;
  await app.transaction(async (query) => {
    await query(lockOf('users', user.id));
    correction = send()
      .put(`/api/sessions/${id}`, { started_at: ago(60) })
      .then((response) => response);
    await untilWaiting(app, 1);
    await job?.run(); // does not wait
  });
  expect((await correction)?.status).toBe(200);
  expect((await app.as(user).get('/api/timer').expect(200)).body.data).toMatchObject({ id, duration_seconds: 3600 });
});

function lockOf(table: 'users' | 'projects', ...ids: number[]): string {
  return `SELECT FROM ${table} WHERE id IN (${ids.join(', ')}) ORDER BY id FOR NO KEY UPDATE`;
}
