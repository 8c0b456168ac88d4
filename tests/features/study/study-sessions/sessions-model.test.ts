import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, figures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const maxTimerSeconds = 600;
const clock = createTestClock();
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({
    clock,
    settings: { ACCESS_TOKEN_TTL: '86400', MAX_TIMER_HOURS: String(maxTimerSeconds / 3600) },
  });
});
afterAll(() => app.stop());

/** A record in the model: times in seconds since the start of the test run; no end while it is running. */
type ModelRecord = {
  id: number;
  project: number;
  start: number;
  end: number | undefined;
  timer: boolean;
  auto: boolean;
};

type Action =
  | { kind: 'create'; project: number; ago: number; length: number }
  | { kind: 'move'; pick: number; ago: number; length: number }
  | { kind: 'delete'; pick: number }
  | { kind: 'start'; project: number }
  | { kind: 'stop' }
  | { kind: 'wait'; seconds: number };

const project = fc.nat({ max: 1 });
const pick = fc.nat({ max: 20 });
const ago = fc.integer({ min: -400, max: 900 });
const length = fc.integer({ min: 1, max: 300 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), project, ago, length }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), pick, ago, length }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), project }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'stop' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 900 }) }),
  },
);

/** A minimal model of the rules: a list and a clock. The methods return the expected HTTP status. */
function createModel() {
  let records: ModelRecord[] = [];
  let now = 0;
  const overlaps = (start: number, end: number, except?: ModelRecord) =>
    records.some((other) => other !== except && other.start < end && start < (other.end ?? Number.POSITIVE_INFINITY));
  const isValid = (start: number, end: number) => start <= now + 300 && end <= now + 300;
  const running = () => records.find((record) => record.end === undefined);
  const finish = (record: ModelRecord) => {
    record.end = Math.max(now, record.start + 1);
  };

  return {
    now: () => now,
    at: (index: number) => records[index % Math.max(1, records.length)],
    wait(seconds: number) {
      now += seconds;
      const timer = running();
      if (timer === undefined || now - timer.start < maxTimerSeconds) return;
      timer.end = timer.start + maxTimerSeconds;
      timer.auto = true;
    },
    create(start: number, end: number) {
      if (!isValid(start, end)) return 400;
      return overlaps(start, end) ? 409 : 201;
    },
    add: (record: ModelRecord) => void records.push(record),
    move(record: ModelRecord, start: number, end: number) {
      if (record.end === undefined) return 409;
      const same = record.start === start && record.end === end;
      if (!same && !isValid(start, end)) return 400;
      if (overlaps(start, end, record)) return 409;
      record.start = start;
      record.end = end;
      return 200;
    },
    remove(record: ModelRecord) {
      records = records.filter((other) => other !== record);
    },
    start(project: number): { status: number; startsAt: number } {
      const timer = running();
      if (timer?.project === project) return { status: 200, startsAt: timer.start };
      const end = timer === undefined ? undefined : Math.max(now, timer.start + 1);
      const latest = records.reduce<ModelRecord | undefined>(
        (a, b) => (a === undefined || b.start > a.start ? b : a),
        undefined,
      );
      const previousEnd = latest?.timer === true ? (latest === timer ? end : latest.end) : undefined;
      const startsAt = Math.max(now, previousEnd ?? now);
      const blocked = records.some((record) => record !== timer && (record.end ?? 0) > startsAt);
      if (blocked) return { status: 409, startsAt };
      if (timer !== undefined) finish(timer);
      return { status: 201, startsAt };
    },
    stop() {
      const timer = running();
      if (timer === undefined) return 409;
      finish(timer);
      return 200;
    },
    list: () => records.toSorted((a, b) => b.start - a.start),
  };
}

test('any sequence of operations results in the records, errors and hours of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
      const origin = Date.parse('2026-11-20T08:00:00Z');
      clock.set(new Date(origin));
      const user = await app.createUser();
      const projects = [await createProject(app, user, 'First'), await createProject(app, user, 'Second')];
      const moment = (seconds: number) => new Date(origin + seconds * 1000).toISOString();
      const model = createModel();
      for (const step of actions) {
        await run(step, user, projects, model, moment);
        await compare(user, projects, model, moment);
      }
    }),
    { numRuns: 25 },
  );
});

type Model = ReturnType<typeof createModel>;
type Moment = (seconds: number) => string;

async function run(step: Action, user: TestUser, projects: number[], model: Model, moment: Moment): Promise<void> {
  const client = app.as(user);
  switch (step.kind) {
    case 'create': {
      const start = model.now() - step.ago;
      const status = model.create(start, start + step.length);
      const body = { started_at: moment(start), duration_seconds: step.length };
      const { body: created } = await client
        .post(`/api/projects/${projects[step.project]}/sessions`, body)
        .expect(status);
      if (status === 201)
        model.add({
          id: created.data.id,
          project: step.project,
          start,
          end: start + step.length,
          timer: false,
          auto: false,
        });
      return;
    }
    case 'move': {
      const record = model.at(step.pick);
      if (record === undefined) return;
      const start = model.now() - step.ago;
      const status = model.move(record, start, start + step.length);
      const body = { started_at: moment(start), ended_at: moment(start + step.length) };
      await client.put(`/api/sessions/${record.id}`, body).expect(status);
      return;
    }
    case 'delete': {
      const record = model.at(step.pick);
      if (record === undefined) return;
      model.remove(record);
      await client.delete(`/api/sessions/${record.id}`).expect(200);
      return;
    }
    case 'start': {
      const { status, startsAt } = model.start(step.project);
      const response = await client.post('/api/timer/start', { project_id: projects[step.project] }).expect(status);
      if (status !== 201) return;
      expect(response.body.data.started_at).toBe(moment(startsAt));
      model.add({
        id: response.body.data.id,
        project: step.project,
        start: startsAt,
        end: undefined,
        timer: true,
        auto: false,
      });
      return;
    }
    case 'stop':
      await client.post('/api/timer/stop').expect(model.stop());
      return;
    case 'wait':
      clock.advance(step.seconds * 1000);
      model.wait(step.seconds);
  }
}

async function compare(user: TestUser, projects: number[], model: Model, moment: Moment): Promise<void> {
  const { data } = (await app.as(user).get('/api/sessions?limit=100').expect(200)).body;
  const records = model.list();
  const expected = records.map((record) => ({
    id: record.id,
    project_id: projects[record.project],
    started_at: moment(record.start),
    ended_at: record.end === undefined ? null : moment(record.end),
    duration_seconds: (record.end ?? Math.max(record.start, model.now())) - record.start,
    auto_stopped: record.auto,
  }));
  expect(data.sessions).toMatchObject(expected);
  expect(data.pagination.total).toBe(expected.length);
  for (const [index, id] of projects.entries()) {
    const finished = records.filter((record) => record.project === index && record.end !== undefined);
    const seconds = finished.reduce((sum, record) => sum + (record.end ?? 0) - record.start, 0);
    expect(await figures(app, id)).toMatchObject({ current_seconds: seconds, sessions_count: finished.length });
  }
}
