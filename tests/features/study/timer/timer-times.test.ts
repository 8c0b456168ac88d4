import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject, figures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const at = (time: string) => `2026-11-20T${time}.000Z`;
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
  clock.set(at('12:00:00'));
  user = await app.createUser();
  algebra = await createProject(app, user, 'Algebra');
  biology = await createProject(app, user, 'Biology');
});

const begin = (project_id: number, started_at?: string) =>
  app.as(user).post('/api/timer/start', { project_id, ...(started_at !== undefined && { started_at }) });
const stop = (body?: object) => app.as(user).post('/api/timer/stop', body);
const correct = (id: number, body: object) => app.as(user).put(`/api/sessions/${id}`, body);
const running = async () => (await app.as(user).get('/api/timer').expect(200)).body.data;
const record = async (project: number, started_at: string, ended_at: string): Promise<number> =>
  (await app.as(user).post(`/api/projects/${project}/sessions`, { started_at, ended_at }).expect(201)).body.data.id;

describe('a start in the past', () => {
  test('is accepted up to 24 hours back', async () => {
    const { data } = (await begin(algebra, '2026-11-20T10:00:00.250+01:00').expect(201)).body;
    expect(data).toMatchObject({ started_at: '2026-11-20T09:00:00.250Z', duration_seconds: 10_799, stopped: null });
    await stop().expect(200);
    expect((await begin(algebra, '2026-11-19T11:59:59.999Z').expect(400)).body.error.details).toEqual([
      { field: 'started_at', message: 'must be at most 24 hours ago' },
    ]);
    expect((await begin(algebra, at('12:05:01')).expect(400)).body.error.details).toEqual([
      { field: 'started_at', message: 'must not be in the future' },
    ]);
    expect((await begin(algebra, '2026-11-19T12:00:00Z').expect(409)).body.error.code).toBe('SESSION_OVERLAP');
  });

  test('stops the timer on another project at that time', async () => {
    const first = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const second = (await begin(biology, at('10:30:00')).expect(201)).body.data;
    expect(second).toMatchObject({ started_at: at('10:30:00'), duration_seconds: 5400 });
    expect(second.stopped).toMatchObject({ id: first.id, ended_at: at('10:30:00'), hours: 1.5, auto_stopped: false });
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 5400, sessions_count: 1 });
  });

  test('before the start of the running timer is an overlap, and stops nothing', async () => {
    const { id } = (await begin(algebra, at('11:00:00')).expect(201)).body.data;
    const { error } = (await begin(biology, at('10:59:59')).expect(409)).body;
    expect(error).toMatchObject({ code: 'SESSION_OVERLAP', details: [{ message: String(id) }, {}, {}] });
    expect(await running()).toMatchObject({ id, project_id: algebra, started_at: at('11:00:00') });
  });

  test('within or before a record is an overlap that reports it', async () => {
    const id = await record(biology, at('09:00:00'), at('10:00:00'));
    for (const time of ['08:00:00', '09:59:59'])
      expect((await begin(algebra, at(time)).expect(409)).body.error.details[0].message).toBe(String(id));
    await begin(algebra, at('10:00:00')).expect(201);
  });

  test('within the minimum duration of the previous record starts after it', async () => {
    await begin(algebra, at('09:00:00')).expect(201);
    const second = (await begin(biology, '2026-11-20T09:00:00.400Z').expect(201)).body.data;
    expect(second).toMatchObject({ started_at: at('09:00:01'), stopped: { ended_at: at('09:00:01') } });
  });

  test('repeated by a client without a response starts one timer', async () => {
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    expect((await begin(algebra, at('09:00:00')).expect(200)).body.data).toMatchObject({ id, stopped: null });
    await stop({ session_id: id, ended_at: at('10:00:00') }).expect(200);
    expect((await begin(algebra, at('09:00:00')).expect(409)).body.error.details[0].message).toBe(String(id));
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 3600, sessions_count: 1 });
  });
});

describe('a corrected start of the running timer', () => {
  test('can be moved in both directions, and the timer keeps running', async () => {
    await record(biology, at('07:00:00'), at('08:00:00'));
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    for (const [started_at, duration_seconds] of [
      [at('08:00:00'), 14_400],
      [at('11:30:00'), 1800],
    ] as const) {
      const response = await correct(id, { started_at }).expect(200);
      expect(response.body.data).toMatchObject({ started_at, ended_at: null, duration_seconds });
    }
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 0, sessions_count: 0 });
    expect((await stop().expect(200)).body.data).toMatchObject({ started_at: at('11:30:00'), hours: 0.5 });
  });

  test('must not overlap, be over 24 hours ago or in the future', async () => {
    const other = await record(biology, at('07:00:00'), at('08:00:00'));
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const overlap = await correct(id, { started_at: at('07:59:59') }).expect(409);
    expect(overlap.body.error.details[0].message).toBe(String(other));
    for (const started_at of ['2026-11-19T11:59:59Z', at('12:05:01')])
      expect((await correct(id, { started_at }).expect(400)).body.error.details[0].field).toBe('started_at');
    expect((await running()).started_at).toBe(at('09:00:00'));
  });

  test('supports If-Match', async () => {
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const { headers } = await app.as(user).get(`/api/sessions/${id}`).expect(200);
    await correct(id, { started_at: at('09:30:00') })
      .set('If-Match', headers['etag'] ?? '')
      .expect(200);
    await correct(id, { started_at: at('09:45:00') })
      .set('If-Match', headers['etag'] ?? '')
      .expect(412);
  });
});

describe('a stop in the past', () => {
  test('stops the timer at that time, and is idempotent', async () => {
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const first = (await stop({ session_id: id, ended_at: at('10:30:00') }).expect(200)).body.data;
    expect(first).toMatchObject({ id, ended_at: at('10:30:00'), hours: 1.5, auto_stopped: false });
    clock.advance(60_000);
    for (const body of [{ session_id: id }, { session_id: id, ended_at: at('11:00:00') }])
      expect((await stop(body).expect(200)).body.data).toEqual(first);
    expect((await stop({ ended_at: at('11:00:00') }).expect(409)).body.error.code).toBe('NO_TIMER');
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 5400, sessions_count: 1 });
  });

  test('of an already finished record does not affect the running timer', async () => {
    const ended = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const next = (await begin(biology, at('10:00:00')).expect(201)).body.data;
    expect((await stop({ session_id: ended.id }).expect(200)).body.data.ended_at).toBe(at('10:00:00'));
    expect((await running()).id).toBe(next.id);
  });

  test('results in at least a second, and must not be before the start or in the future', async () => {
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    for (const ended_at of [at('08:59:59'), at('12:05:01'), 'yesterday'])
      expect((await stop({ ended_at }).expect(400)).body.error.details[0].field).toBe('ended_at');
    await stop({ session_id: id, ended_at: at('08:59:59') }).expect(400);
    const { data } = (await stop({ ended_at: at('09:00:00') }).expect(200)).body;
    expect(data).toMatchObject({ id, ended_at: at('09:00:01'), duration_seconds: 1 });
  });

  test('is allowed for own records only', async () => {
    const { id } = (await begin(algebra, at('09:00:00')).expect(201)).body.data;
    const admin = await app.createUser({ role: 'admin' });
    for (const other of [await app.createUser(), admin])
      await app.as(other).post('/api/timer/stop', { session_id: id }).expect(403);
    await stop({ session_id: 999_999 }).expect(404);
    for (const session_id of ['1', 0, null]) await stop({ session_id }).expect(400);
    expect((await running()).id).toBe(id);
  });

  test('replaces the automatic end of a timer left running, if it is earlier', async () => {
    clock.set(at('00:00:00'));
    const { id } = (await begin(algebra).expect(201)).body.data;
    clock.set(at('13:00:00'));
    expect(await running()).toBeNull();
    const late = (await stop({ session_id: id, ended_at: at('12:30:00') }).expect(200)).body.data;
    expect(late).toMatchObject({ ended_at: at('12:00:00'), auto_stopped: true });
    const corrected = (await stop({ session_id: id, ended_at: at('02:00:00') }).expect(200)).body.data;
    expect(corrected).toMatchObject({ ended_at: at('02:00:00'), hours: 2, auto_stopped: false });
    expect((await stop({ session_id: id, ended_at: at('01:00:00') }).expect(200)).body.data).toEqual(corrected);
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 7200, sessions_count: 1 });
  });
});
