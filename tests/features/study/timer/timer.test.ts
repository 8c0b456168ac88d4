import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assign, createProject, figures, unassign } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const start = '2026-11-20T08:00:00.000Z';
const second = 1000;
const hour = 3_600_000;
const clock = createTestClock();
let app: TestApp;
let user: TestUser;
let algebra: number;
let biology: number;

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
});
afterAll(() => app.stop());

beforeEach(async () => {
  clock.set(start);
  user = await app.createUser({ timezone: 'Europe/Berlin' });
  algebra = await createProject(app, user, 'Algebra');
  biology = await createProject(app, user, 'Biology');
});

const begin = (project_id: number, more: object = {}) => app.as(user).post('/api/timer/start', { project_id, ...more });
const stop = () => app.as(user).post('/api/timer/stop');
const running = async () => (await app.as(user).get('/api/timer').expect(200)).body.data;

describe('the timer', () => {
  test('runs, shows the elapsed time, and becomes a record when stopped', async () => {
    expect(await running()).toBeNull();
    const started = await begin(algebra, { note: ' rings ' }).expect(201);
    const { stopped, ...timer } = started.body.data;
    expect(stopped).toBeNull();
    expect(timer).toEqual({
      id: expect.any(Number),
      project_id: algebra,
      project_name: 'Algebra',
      user_id: user.id,
      username: user.username,
      started_at: start,
      ended_at: null,
      duration_seconds: 0,
      hours: 0,
      note: 'rings',
      tags: [],
      source: 'timer',
      time_zone: 'Europe/Berlin',
      auto_stopped: false,
      planned_minutes: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      etag: expect.stringMatching(/^"\d{13}"$/),
    });
    expect(started.headers['location']).toBe(`/api/sessions/${timer.id}`);

    clock.advance(1.5 * hour + 999);
    expect(await running()).toEqual({ ...timer, duration_seconds: 5400, hours: 1.5 });
    expect((await app.as(user).get(`/api/sessions/${timer.id}`)).body.data.duration_seconds).toBe(5400);
    expect((await app.as(user).get('/api/sessions')).body.data.sessions[0].duration_seconds).toBe(5400);
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 0, sessions_count: 0 });

    const ended = (await stop().expect(200)).body.data;
    expect(ended).toMatchObject({
      id: timer.id,
      ended_at: '2026-11-20T09:30:00.999Z',
      hours: 1.5,
      auto_stopped: false,
    });
    expect(await running()).toBeNull();
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 5400, sessions_count: 1 });
    expect((await stop().expect(409)).body.error.code).toBe('NO_TIMER');
  });

  test('has a planned length, which can change while it runs and ends nothing', async () => {
    const { id } = (await begin(algebra, { planned_minutes: 25 }).expect(201)).body.data;
    expect(await running()).toMatchObject({ planned_minutes: 25 });
    await app.as(user).put(`/api/sessions/${id}`, { planned_minutes: 50 }).expect(200);
    clock.advance(hour);
    expect(await running()).toMatchObject({ planned_minutes: 50, ended_at: null, hours: 1 });
    await app.as(user).put(`/api/sessions/${id}`, { planned_minutes: null, note: 'open' }).expect(200);
    expect((await stop().expect(200)).body.data).toMatchObject({ planned_minutes: null, note: 'open', hours: 1 });
    const { error } = (await app.as(user).put(`/api/sessions/${id}`, { planned_minutes: 25 }).expect(400)).body;
    expect(error.details).toEqual([{ field: 'planned_minutes', message: 'can only be changed while the timer runs' }]);
    await app.as(user).put(`/api/sessions/${id}`, { planned_minutes: null }).expect(200);
  });

  test('continues when started again on its project, and is stopped atomically by a start on another', async () => {
    const first = (await begin(algebra).expect(201)).body.data;
    clock.advance(hour);
    const again = (await begin(algebra, { note: 'ignored' }).expect(200)).body.data;
    expect(again).toMatchObject({ id: first.id, note: '', duration_seconds: 3600, stopped: null });
    const switched = (await begin(biology).expect(201)).body.data;
    expect(switched).toMatchObject({ project_id: biology, started_at: '2026-11-20T09:00:00.000Z' });
    expect(switched.stopped).toMatchObject({ id: first.id, ended_at: '2026-11-20T09:00:00.000Z', hours: 1 });
    expect(await figures(app, algebra)).toMatchObject({ current_hours: 1, sessions_count: 1 });
  });

  test('is not stopped by a rejected start', async () => {
    const { id } = (await begin(algebra).expect(201)).body.data;
    const paused = await createProject(app, user, 'Paused', 'paused');
    const foreign = await createProject(app, await app.createUser(), 'Foreign');
    expect((await begin(paused).expect(409)).body.error.code).toBe('PROJECT_NOT_ACTIVE');
    expect((await begin(foreign).expect(403)).body.error.code).toBe('PERMISSION_DENIED');
    expect((await begin(999_999).expect(404)).body.error.code).toBe('RESOURCE_NOT_FOUND');
    for (const body of [{}, { project_id: String(biology) }, { project_id: 0 }, { project_id: biology, note: null }])
      await app.as(user).post('/api/timer/start', body).expect(400);
    expect((await running()).id).toBe(id);
    await app.anonymous.get('/api/timer').expect(401);
    await app.anonymous.post('/api/timer/stop').expect(401);
  });

  test('lasts at least a second, and the next one starts at its end', async () => {
    const first = (await begin(algebra).expect(201)).body.data;
    const second = (await begin(biology).expect(201)).body.data;
    expect(second.stopped).toMatchObject({ id: first.id, ended_at: '2026-11-20T08:00:01.000Z', duration_seconds: 1 });
    expect(second).toMatchObject({ started_at: '2026-11-20T08:00:01.000Z', duration_seconds: 0 });
    expect((await stop().expect(200)).body.data).toMatchObject({ ended_at: '2026-11-20T08:00:02.000Z' });
    expect((await begin(algebra).expect(201)).body.data.started_at).toBe('2026-11-20T08:00:02.000Z');
  });

  test('cannot start within a record that ends in the future', async () => {
    const body = { started_at: '2026-11-20T07:00:00Z', ended_at: '2026-11-20T08:04:00Z' };
    const { id } = (await app.as(user).post(`/api/projects/${biology}/sessions`, body).expect(201)).body.data;
    const response = await begin(algebra).expect(409);
    expect(response.body.error).toMatchObject({
      code: 'SESSION_OVERLAP',
      details: [{ message: String(id) }, {}, {}, {}],
    });
    clock.advance(4 * 60 * second);
    await begin(algebra).expect(201);
  });

  test('overlaps a record added during it, but not one before it', async () => {
    const { id } = (await begin(algebra).expect(201)).body.data;
    clock.advance(hour);
    const post = (body: object) => app.as(user).post(`/api/projects/${biology}/sessions`, body);
    const response = await post({ started_at: '2026-11-20T08:10:00Z', duration_seconds: 60 }).expect(409);
    expect(response.body.error).toEqual({
      code: 'SESSION_OVERLAP',
      message: `It overlaps the timer ${id} on “Algebra”, which has been running since ${start}.`,
      details: [
        { field: 'session_id', message: String(id) },
        { field: 'project_id', message: String(algebra) },
        { field: 'started_at', message: start },
      ],
    });
    await post({ started_at: '2026-11-20T07:00:00Z', ended_at: start }).expect(201);
  });

  test('accepts a note but no end while running, and can be discarded by deleting it', async () => {
    const timer = (await begin(algebra).expect(201)).body.data;
    const path = `/api/sessions/${timer.id}`;
    clock.advance(hour);
    const { body, headers } = await app.as(user).get(path).expect(200);
    clock.advance(second);
    await app
      .as(user)
      .get(path)
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(200);
    const echo = { ...body.data, note: 'groups' };
    expect((await app.as(user).put(path, echo).expect(200)).body.data.note).toBe('groups');
    for (const change of [{ ended_at: '2026-11-20T08:30:00Z' }, { duration_seconds: 60 }])
      expect((await app.as(user).put(path, change).expect(409)).body.error.code).toBe('TIMER_RUNNING');
    await app.as(user).delete(path).expect(200);
    expect(await running()).toBeNull();
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 0, sessions_count: 0 });
  });

  test('can be stopped on a paused project, and is stopped by unassigning its user', async () => {
    const owner = await app.createUser();
    const shared = await createProject(app, owner, 'Shared');
    await assign(app, shared, user);
    await begin(shared).expect(201);
    await app.query(`UPDATE projects SET status = 'paused' WHERE id = ${shared}`);
    clock.advance(hour);
    expect((await stop().expect(200)).body.data.hours).toBe(1);
    await app.query(`UPDATE projects SET status = 'active' WHERE id = ${shared}`);
    await begin(shared).expect(201);
    await unassign(app, shared, user);
    await stop().expect(409);
    await begin(shared).expect(403);
  });

  test('is stopped by deleting its project', async () => {
    const { id } = (await begin(algebra).expect(201)).body.data;
    clock.advance(hour);
    await app.as(user).delete(`/api/projects/${algebra}`).expect(200);
    expect(await running()).toBeNull();
    const { data } = (await app.as(user).get(`/api/sessions/${id}`).expect(200)).body;
    expect(data).toMatchObject({ hours: 1, auto_stopped: true });
    await begin(algebra).expect(404);
    expect(await figures(app, algebra)).toMatchObject({ current_hours: 1, sessions_count: 1 });
  });

  test('is started once for an Idempotency-Key', async () => {
    const once = () => begin(algebra).set('Idempotency-Key', `start-${user.id}`);
    const responses = await Promise.all([once(), once()]);
    expect(responses.map((response) => response.status)).toEqual([201, 201]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });
});

describe('a timer left running', () => {
  const endOverdue = () => app.container.jobs.find((job) => job.name === 'end overdue timers')?.run();
  const ended = { ended_at: '2026-11-20T20:00:00.000Z', hours: 12, duration_seconds: 43_200, auto_stopped: true };
  let id: number;
  beforeEach(async () => {
    id = (await begin(algebra).expect(201)).body.data.id;
    clock.advance(13 * hour);
  });

  test('is stopped once by concurrent runs of the job', async () => {
    const second = await startTestApp({ clock, databaseUrl: app.databaseUrl });
    const other = second.container.jobs.find((job) => job.name === 'end overdue timers');
    await Promise.all([endOverdue(), other?.run(), endOverdue(), other?.run()]);
    await second.stop();
    expect(
      await app.query(
        'SELECT hours FROM (SELECT duration_seconds / 3600 AS hours FROM study_sessions WHERE id = $1) s',
        [id],
      ),
    ).toEqual([{ hours: 12 }]);
    expect(await figures(app, algebra)).toMatchObject({ current_hours: 12, sessions_count: 1 });
  });

  test('is not stopped by the job before the limit', async () => {
    clock.set('2026-11-20T19:59:59.999Z');
    await endOverdue();
    expect((await running()).id).toBe(id);
    expect(await figures(app, algebra)).toMatchObject({ sessions_count: 0 });
  });

  test.each([
    ['the timer', async () => expect(await running()).toBeNull()],
    ['the record', async () => expect((await app.as(user).get(`/api/sessions/${id}`)).body.data).toMatchObject(ended)],
    [
      'the list',
      async () =>
        expect((await app.as(user).get('/api/sessions')).body.data.sessions).toEqual([expect.objectContaining(ended)]),
    ],
  ])('is stopped when somebody reads %s', async (_name, read) => {
    await read();
    expect((await app.as(user).get(`/api/sessions/${id}`)).body.data).toMatchObject(ended);
    expect(await figures(app, algebra)).toMatchObject({ current_hours: 12, sessions_count: 1 });
  });

  test('can still be stopped, with the automatic end', async () => {
    expect((await stop().expect(200)).body.data).toMatchObject({ id, ...ended });
    expect((await stop().expect(409)).body.error.code).toBe('NO_TIMER');
  });

  test('does not block a new one, even on the same project', async () => {
    const next = (await begin(algebra).expect(201)).body.data;
    expect(next).toMatchObject({ started_at: '2026-11-20T21:00:00.000Z', stopped: null });
    expect((await app.as(user).get(`/api/sessions/${id}`)).body.data).toMatchObject(ended);
    expect((await running()).id).toBe(next.id);
  });

  test('does not block a record', async () => {
    const body = { started_at: '2026-11-20T20:30:00Z', duration_seconds: 60 };
    await app.as(user).post(`/api/projects/${biology}/sessions`, body).set('Idempotency-Key', 'k').expect(201);
    expect((await app.as(user).get(`/api/sessions/${id}`)).body.data).toMatchObject(ended);
  });

  test('does not block a correction', async () => {
    const body = { started_at: '2026-11-20T06:00:00Z', duration_seconds: 60 };
    const { data } = (await app.as(user).post(`/api/projects/${biology}/sessions`, body).expect(201)).body;
    await app
      .as(user)
      .put(`/api/sessions/${data.id}`, { started_at: '2026-11-20T20:10:00Z', duration_seconds: 60 })
      .expect(200);
  });
});

test('the maximum duration of a timer is configurable', async () => {
  const short = await startTestApp({ clock, databaseUrl: app.databaseUrl, settings: { MAX_TIMER_HOURS: '0.5' } });
  await begin(algebra).expect(201);
  clock.advance(hour);
  const { data } = (await short.as(user).post('/api/timer/stop').expect(200)).body;
  expect(data).toMatchObject({ hours: 0.5, auto_stopped: true });
  await short.stop();
});
