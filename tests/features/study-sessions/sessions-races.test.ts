import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { assign, createProject, figures, trueFigures } from '../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../support/test-app.ts';

// Two processes on one database. The timers of this file are short, so that some are overdue while others race.
const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let second: TestApp;
const answered: number[] = [];

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  second = await startTestApp({ clock, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await app.stop();
});
afterEach(async () => {
  expect(answered.filter((status) => status >= 500)).toEqual([]);
  answered.length = 0;
  const [{ deadlocks } = { deadlocks: -1 }] = await app.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(deadlocks).toBe(0);
});

/** Requests go to the two processes in turn. */
let turn = 0;
const as = (user: TestUser) => {
  turn += 1;
  return (turn % 2 === 0 ? app : second).as(user);
};
const times = <T>(count: number, make: (index: number) => PromiseLike<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

async function settle<T extends { status: number }>(answers: Promise<T[]>): Promise<T[]> {
  const all = await answers;
  answered.push(...all.map((answer) => answer.status));
  return all;
}
const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

const record = (user: TestUser, projectId: number, body: object) =>
  as(user).post(`/api/projects/${projectId}/sessions`, body);
/** Keeps everybody who needs these projects waiting, so that all start off at one moment. */
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

/** Until so many of this database's connections wait for a lock. */
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

async function expectTrueFigures(projectIds: readonly number[]) {
  for (const id of projectIds) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
}

test('of records that overlap, saved at once, exactly one gets in, and the others name it', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 4);
  for (let round = 0; round < 5; round += 1) {
    const answers = await settle(
      times(12, (index) =>
        record(user, projects[index % 4] ?? 0, {
          started_at: new Date(Date.UTC(2026, 0, 1 + round, 8, index)).toISOString(),
          duration_seconds: 3600,
        }),
      ),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 11]);
    const winner = answers.find((answer) => answer.status === 201)?.body.data.id;
    for (const { body } of answers.filter((answer) => answer.status === 409))
      expect(body.error).toMatchObject({ code: 'SESSION_OVERLAP', details: [{ message: String(winner) }, {}, {}, {}] });
  }
  await expectTrueFigures(projects);
});

test('many users on one project at once: its figures are the exact sum', async () => {
  const owner = await app.createUser();
  const [projectId = 0] = await projectsOf(owner, 1);
  const users = await times(15, async () => {
    const user = await app.createUser();
    await assign(app, projectId, user);
    return user;
  });
  const answers = await settle(
    Promise.all(
      users.flatMap((user) =>
        [1, 2, 3, 4].map((day) =>
          record(user, projectId, { started_at: `2026-02-0${day}T08:00:00Z`, duration_seconds: 1000 + day }),
        ),
      ),
    ),
  );
  expect(count(answers, 201)).toBe(60);
  expect(await figures(app, projectId)).toEqual({
    current_seconds: 15 * 4010,
    current_hours: Math.round((15 * 4010) / 36) / 100,
    sessions_count: 60,
  });
  const ids = answers.map((answer) => answer.body.data.id);
  const changes = await settle(
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

test('timers started at once: one runs, the others were stopped or refused nothing', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 4);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(60_000);
    const answers = await settle(
      times(12, (index) => as(user).post('/api/timer/start', { project_id: projects[index % 4] })),
    );
    expect(count(answers, 200) + count(answers, 201)).toBe(12);
    const running = await app.query('SELECT id FROM study_sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id]);
    expect(running).toHaveLength(1);
    const started = answers.filter((answer) => answer.status === 201);
    const stopped = started.map((answer) => answer.body.data.stopped?.id).filter((id) => id !== undefined);
    expect(new Set(stopped).size).toBe(stopped.length);
  }
  await expectTrueFigures(projects);
});

test('stopped at once: one stops it, the others find none', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  for (let round = 0; round < 4; round += 1) {
    clock.advance(60_000);
    await as(user).post('/api/timer/start', { project_id: projectId }).expect(201);
    clock.advance(30_000);
    const answers = await settle(times(8, () => as(user).post('/api/timer/stop')));
    expect([count(answers, 200), count(answers, 409)]).toEqual([1, 7]);
    expect(new Set(answers.filter((answer) => answer.status === 409).map((answer) => answer.body.error.code))).toEqual(
      new Set(['NO_TIMER']),
    );
  }
  expect(await figures(app, projectId)).toMatchObject({ current_seconds: 120, sessions_count: 4 });
});

test('corrections of two records into each other: one gets there', async () => {
  const user = await app.createUser();
  const projects = await projectsOf(user, 2);
  for (let round = 1; round <= 8; round += 1) {
    const day = `2026-05-${String(round).padStart(2, '0')}`;
    const made = await times(2, (index) =>
      record(user, projects[index] ?? 0, { started_at: `${day}T0${1 + index * 4}:00:00Z`, duration_seconds: 600 }),
    );
    const [first, other] = made.map((answer) => answer.body.data.id);
    const gate = await holdProjects(projects);
    const waiting = settle(
      Promise.all([
        as(user).put(`/api/sessions/${first}`, { started_at: `${day}T03:00:00Z`, ended_at: `${day}T04:00:00Z` }),
        as(user).put(`/api/sessions/${other}`, { started_at: `${day}T03:30:00Z`, ended_at: `${day}T04:30:00Z` }),
        record(user, projects[1] ?? 0, { started_at: `${day}T03:45:00Z`, duration_seconds: 60 }),
      ]),
    );
    await untilBlocked(3);
    await gate.open();
    const answers = await waiting;
    expect(answers.filter((answer) => answer.status < 300)).toHaveLength(1);
    for (const { body } of answers.filter((answer) => answer.status === 409))
      expect(body.error.details).toHaveLength(4);
  }
  await expectTrueFigures(projects);
});

test('changes of different fields at once are all kept', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  const { body } = await record(user, projectId, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 3600 });
  const path = `/api/sessions/${body.data.id}`;
  const answers = await settle(
    Promise.all([
      as(user).put(path, { started_at: '2026-03-01T07:30:00Z' }),
      as(user).put(path, { note: 'both' }),
      as(user).put(path, { ended_at: '2026-03-01T09:30:00Z' }),
    ]),
  );
  expect(count(answers, 200)).toBe(3);
  expect((await app.as(user).get(path)).body.data).toMatchObject({ note: 'both', hours: 2 });
  await expectTrueFigures([projectId]);
});

test('a record that waits for a change of status is judged by what it finds then', async () => {
  const user = await app.createUser();
  const [projectId = 0] = await projectsOf(user, 1);
  const gate = await holdProjects([projectId], `UPDATE projects SET status = 'paused' WHERE id = ${projectId}`);
  const waiting = Promise.all([
    record(user, projectId, { started_at: '2026-03-01T08:00:00Z', duration_seconds: 60 }),
    as(user).post('/api/timer/start', { project_id: projectId }),
  ]);
  await untilBlocked(2);
  await gate.open();
  const [before, now] = await waiting;
  expect(before.status).toBe(201); // it was active when the record began
  expect(now.body.error.code).toBe('PROJECT_NOT_ACTIVE');
});

test('everything at once, on projects that come and go: nothing breaks, every figure is right', async () => {
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
    const going = pick(projects, round);
    const moment = (index: number) => new Date(clock().getTime() - (index % 3) * 10_000 - 20_000).toISOString();
    await Promise.all([
      settle(
        times(32, (index) => {
          const user = pick(users, index);
          const project_id = pick(projects, index + Math.floor(index / 4));
          if (index % 8 === 5) return as(user).post('/api/timer/stop');
          if (index % 3 === 0) return record(user, project_id, { started_at: moment(index), duration_seconds: 15 });
          const key = `${round}-${index}`;
          return as(user).post('/api/timer/start', { project_id }).set('Idempotency-Key', key);
        }),
      ),
      settle(Promise.all([as(owner).delete(`/api/projects/${going}`)])),
      endOverdue(app),
      endOverdue(second),
    ]);
    expect(
      await app.query('SELECT id FROM study_sessions WHERE project_id = $1 AND ended_at IS NULL', [going]),
    ).toEqual([]);
    await settle(Promise.all([as(owner).post(`/api/projects/${going}/restore`)]));
  }
  expect(
    count(
      answered.map((status) => ({ status })),
      201,
    ),
  ).toBeGreaterThan(20);
  await expectTrueFigures(projects);
});
