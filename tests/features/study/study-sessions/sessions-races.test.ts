import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { assign, createProject, figures, trueFigures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

// Two processes on one database.
const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let second: TestApp;
const statuses: number[] = [];

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  second = await startTestApp({ clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await app.stop();
});
afterEach(async () => {
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  statuses.length = 0;
  const [{ deadlocks } = { deadlocks: -1 }] = await app.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(deadlocks).toBe(0);
});

/** Alternates between the two processes. */
let turn = 0;
const as = (user: TestUser) => {
  turn += 1;
  return (turn % 2 === 0 ? app : second).as(user);
};
const times = <T>(count: number, make: (index: number) => PromiseLike<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

async function collect<T extends { status: number }>(responses: Promise<T[]>): Promise<T[]> {
  const all = await responses;
  statuses.push(...all.map((response) => response.status));
  return all;
}
const count = (responses: readonly { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

const record = (user: TestUser, projectId: number, body: object) =>
  as(user).post(`/api/projects/${projectId}/sessions`, body);
/** Locks the projects, so that all requests that need them continue at the same time. */
async function holdProjects(projectIds: readonly number[], change = 'SELECT'): Promise<{ open(): Promise<void> }> {
  const holder = new pg.Client(app.databaseUrl);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM projects WHERE id IN (${projectIds.join(', ')}) ORDER BY id FOR NO KEY UPDATE`);
  await holder.query(change);
  return {
    open: async () => {
      await holder.query('COMMIT');
      await holder.end();
    },
  };
}

/** Waits until that many connections of the database wait for a lock. */
async function untilBlocked(number: number): Promise<void> {
  for (;;) {
    const blocked = await app.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (blocked.length >= number) return;
  }
}

const projectsOf = (user: TestUser, number: number) =>
  times(number, (index) => createProject(app, user, `Project ${index}`));

async function expectExactTotals(projectIds: readonly number[]) {
  for (const id of projectIds) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
}

test('of concurrent overlapping records exactly one is saved, and the others refer to it', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 4);
  for (let round = 0; round < 5; round += 1) {
    const responses = await collect(
      times(12, (index) =>
        record(user, projects[index % 4] ?? 0, {
          started_at: new Date(Date.UTC(2026, 0, 1 + round, 8, index)).toISOString(),
          duration_seconds: 3600,
        }),
      ),
    );
    expect([count(responses, 201), count(responses, 409)]).toEqual([1, 11]);
    const winner = responses.find((response) => response.status === 201)?.body.data.id;
    for (const { body } of responses.filter((response) => response.status === 409))
      expect(body.error).toMatchObject({ code: 'SESSION_OVERLAP', details: [{ message: String(winner) }, {}, {}, {}] });
  }
  await expectExactTotals(projects);
});

test('totals of a project are exact after concurrent writes by many users', async () => {
  const owner = await app.createUser();
  const [projectId = 0] = await projectsOf(owner, 1);
  const users = await times(15, async () => {
    const user = await app.createUser();
    await assign(app, projectId, user);
    return user;
  });
  const responses = await collect(
    Promise.all(
      users.flatMap((user) =>
        [1, 2, 3, 4].map((day) =>
          record(user, projectId, { started_at: `2026-02-0${day}T08:00:00Z`, duration_seconds: 1000 + day }),
        ),
      ),
    ),
  );
  expect(count(responses, 201)).toBe(60);
  expect(await figures(app, projectId)).toEqual({
    current_seconds: 15 * 4010,
    current_hours: Math.round((15 * 4010) / 36) / 100,
    sessions_count: 60,
  });
  const ids = responses.map((response) => response.body.data.id);
  const changes = await collect(
    Promise.all(
      ids.map((id, index) => {
        const user = users[Math.floor(index / 4)] ?? owner;
        return index % 2 === 0
          ? as(user).delete(`/api/sessions/${id}`)
          : as(user).put(`/api/sessions/${id}`, { duration_seconds: 500 });
      }),
    ),
  );
  expect(count(changes, 200)).toBe(60);
  expect(await figures(app, projectId)).toMatchObject({ current_seconds: 15_000, sessions_count: 30 });
});

test('of concurrently started timers one keeps running, and each of the others is stopped once', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 4);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(60_000);
    const responses = await collect(
      times(12, (index) => as(user).post('/api/timer/start', { project_id: projects[index % 4] })),
    );
    expect(count(responses, 200) + count(responses, 201)).toBe(12);
    const running = await app.query('SELECT id FROM study_sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id]);
    expect(running).toHaveLength(1);
    const started = responses.filter((response) => response.status === 201);
    const stopped = started.map((response) => response.body.data.stopped?.id).filter((id) => id !== undefined);
    expect(new Set(stopped).size).toBe(stopped.length);
  }
  await expectExactTotals(projects);
});

test('of concurrent stops one succeeds, the others return NO_TIMER', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(60_000);
    await as(user).post('/api/timer/start', { project_id: projectId }).expect(201);
    clock.advance(30_000);
    const responses = await collect(times(8, () => as(user).post('/api/timer/stop')));
    expect([count(responses, 200), count(responses, 409)]).toEqual([1, 7]);
    expect(
      new Set(responses.filter((response) => response.status === 409).map((response) => response.body.error.code)),
    ).toEqual(new Set(['NO_TIMER']));
  }
  expect(await figures(app, projectId)).toMatchObject({ current_seconds: 120, sessions_count: 4 });
});

test('of concurrent corrections that would overlap one succeeds', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 2);
  for (let round = 1; round <= 8; round += 1) {
    const day = `2026-05-${String(round).padStart(2, '0')}`;
    const created = await times(2, (index) =>
      record(user, projects[index] ?? 0, { started_at: `${day}T0${1 + index * 4}:00:00Z`, duration_seconds: 600 }),
    );
    const [first, other] = created.map((response) => response.body.data.id);
    const lock = await holdProjects(projects);
    const waiting = collect(
      Promise.all([
        as(user).put(`/api/sessions/${first}`, { started_at: `${day}T03:00:00Z`, ended_at: `${day}T04:00:00Z` }),
        as(user).put(`/api/sessions/${other}`, { started_at: `${day}T03:30:00Z`, ended_at: `${day}T04:30:00Z` }),
        record(user, projects[1] ?? 0, { started_at: `${day}T03:45:00Z`, duration_seconds: 60 }),
      ]),
    );
    await untilBlocked(3);
    await lock.open();
    const responses = await waiting;
    expect(responses.filter((response) => response.status < 300)).toHaveLength(1);
    for (const { body } of responses.filter((response) => response.status === 409))
      expect(body.error.details).toHaveLength(4);
  }
  await expectExactTotals(projects);
});

test('concurrent changes of different fields are all saved', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  const { body } = await record(user, projectId, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 3600 });
  const path = `/api/sessions/${body.data.id}`;
  const responses = await collect(
    Promise.all([
      as(user).put(path, { started_at: '2026-03-01T07:30:00Z' }),
      as(user).put(path, { note: 'both' }),
      as(user).put(path, { ended_at: '2026-03-01T09:30:00Z' }),
    ]),
  );
  expect(count(responses, 200)).toBe(3);
  expect((await app.as(user).get(path)).body.data).toMatchObject({ note: 'both', hours: 2 });
  await expectExactTotals([projectId]);
});

test('a record that waits for a status change is validated against the new status', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  const pause = `
    WITH change AS (
      INSERT INTO project_status_changes (project_id, from_status, to_status) VALUES (${projectId}, 'active', 'paused'))
    UPDATE projects SET status = 'paused' WHERE id = ${projectId}`;
  const lock = await holdProjects([projectId], pause);
  const waiting = Promise.all([
    record(user, projectId, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 60 }),
    as(user).post('/api/timer/start', { project_id: projectId }),
  ]);
  await untilBlocked(2);
  await lock.open();
  const [before, now] = await waiting;
  expect(before.status).toBe(201); // it was active when the record began
  expect(now.body.error.code).toBe('PROJECT_NOT_ACTIVE');
});

test('all operations concurrently with deleted and restored projects cause no error and no wrong total', async () => {
  const owner = await app.createUser();
  const projects = await projectsOf(owner, 4);
  const users = await times(4, async () => {
    const user = await app.createUser();
    for (const id of projects) await assign(app, id, user);
    return user;
  });
  const pick = <T>(list: readonly T[], index: number): T => {
    const item = list[index % list.length];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const endOverdue = (process: TestApp) =>
    process.container.jobs.find(({ name }) => name === 'end overdue timers')?.run();
  for (let round = 0; round < 6; round += 1) {
    clock.advance(round === 3 ? 12.5 * 3_600_000 : 60_000);
    const deletedProject = pick(projects, round);
    const moment = (index: number) => new Date(clock().getTime() - (index % 3) * 10_000 - 20_000).toISOString();
    await Promise.all([
      collect(
        times(32, (index) => {
          const user = pick(users, index);
          const project_id = pick(projects, index + Math.floor(index / 4));
          if (index % 8 === 5) return as(user).post('/api/timer/stop');
          if (index % 3 === 0) return record(user, project_id, { started_at: moment(index), duration_seconds: 15 });
          const key = `${round}-${index}`;
          return as(user).post('/api/timer/start', { project_id }).set('Idempotency-Key', key);
        }),
      ),
      collect(Promise.all([as(owner).delete(`/api/projects/${deletedProject}`)])),
      endOverdue(app),
      endOverdue(second),
    ]);
    expect(
      await app.query('SELECT id FROM study_sessions WHERE project_id = $1 AND ended_at IS NULL', [deletedProject]),
    ).toEqual([]);
    await collect(Promise.all([as(owner).post(`/api/projects/${deletedProject}/restore`)]));
  }
  expect(
    count(
      statuses.map((status) => ({ status })),
      201,
    ),
  ).toBeGreaterThan(20);
  await expectExactTotals(projects);
});
