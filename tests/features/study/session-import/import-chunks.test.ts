import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { assign, createProject, figures } from '../../../support/records.ts';
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
let owner: TestUser;
let first: number;
let second: number;

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.stop();
});
beforeEach(async () => {
  owner = await app.createUser();
  user = await app.createUser();
  first = await createProject(app, owner, 'First');
  second = await createProject(app, owner, 'Second');
  await app.query('UPDATE project_status_changes SET changed_at = $1', ['2019-01-01T00:00:00Z']);
  for (const project of [first, second]) await assign(app, project, user);
});

const start = Date.UTC(2020, 0, 1);
const moment = (hour: number) => new Date(start + hour * 3_600_000).toISOString();
/** Half-hour records, one per hour: first on one project, then on the other. */
const fileOf = (onFirst: number, onSecond: number) =>
  Buffer.from(
    [
      'project_id,started_at,ended_at',
      ...Array.from({ length: onFirst + onSecond }, (_, hour) => {
        const ended = new Date(start + (hour + 0.5) * 3_600_000).toISOString();
        return `${hour < onFirst ? first : second},${moment(hour)},${ended}`;
      }),
    ].join('\n'),
  );

/** Sends immediately: supertest starts a request only when it is awaited. */
function send(file: Buffer, { by = user, to = app, dryRun = false } = {}) {
  const request = to.as(by).post('/api/sessions/import').field('dry_run', String(dryRun));
  const upload = request.attach('file', file, 'records.csv');
  return upload.then((response) => response);
}

type Status = { id: number; state: string; rows: number; processed: number; imported: number; error: unknown };
const imports = async (by = user): Promise<Status[]> =>
  (await app.as(by).get('/api/sessions/imports').expect(200)).body.data.imports;

// Without a pause the questions would take the time of what they wait for.
const waitUntil = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { interval: 10, timeout: 120_000 });
const written = async (): Promise<number> => {
  const newest = 'SELECT imported FROM session_imports WHERE user_id = $1 ORDER BY id DESC LIMIT 1';
  return (await app.query<{ imported: number }>(newest, [user.id]))[0]?.imported ?? 0;
};
const untilWritten = (records: number) => waitUntil(async () => (await written()) >= records);
const waitingForLocks = async () =>
  (await app.query(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
    .length;

/** Locks a project in another transaction, which can also change it. */
async function lockProject(projectId: number) {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  return {
    change: (statement: string) => client.query(statement),
    open: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

const runJob = (name: string) => app.container.jobs.find((job) => job.name === name)?.run();
const recordsOf = async (by = user) =>
  (await app.query('SELECT id FROM study_sessions WHERE user_id = $1', [by.id])).length;
const stagedRows = async () => (await app.query('SELECT row FROM session_import_rows')).length;

describe('progress', () => {
  test('can be read by its user during and after the import', async () => {
    const lock = await lockProject(second);
    const importing = send(fileOf(150, 30));
    await untilWritten(100);
    const [running] = await imports();
    expect(running).toMatchObject({ state: 'writing', dry_run: false, rows: 180, processed: 100, imported: 100 });
    expect(running).toMatchObject({ finished_at: null, error: null, report: { rows: 180, valid: 180 } });
    const path = `/api/sessions/imports/${running?.id}`;
    expect((await app.as(user).get(path).expect(200)).body.data).toEqual(running);
    await app.as(owner).get(path).expect(404);
    await app
      .as(await app.createUser({ role: 'admin' }))
      .get(path)
      .expect(404);
    expect(await imports(owner)).toEqual([]);

    expect((await send(fileOf(1, 0))).status).toBe(429);
    const process = await startTestApp({ clock, databaseUrl: app.databaseUrl });
    const concurrent = await send(fileOf(1, 0), { to: process });
    expect([concurrent.status, concurrent.body.error.code]).toEqual([409, 'CONFLICT']);
    await process.stop();
    await lock.open();
    expect((await importing).body.data).toMatchObject({ import_id: running?.id, rows: 180, imported: 180 });
    expect((await app.as(user).get(path)).body.data).toMatchObject({
      state: 'done',
      processed: 180,
      imported: 180,
      finished_at: clock().toISOString(),
      report: { valid: 180, imported: 180, errors: [] },
    });
    expect(await stagedRows()).toBe(0);
  });

  test('includes dry runs and rejected imports', async () => {
    await send(fileOf(2, 1), { dryRun: true });
    await send(Buffer.from('project_name,started_at,ended_at\nNowhere,2026-01-01T08:00:00Z,2026-01-01T09:00:00Z'));
    const rejected = await send(Buffer.from('a,b\n1,2'));
    expect(await imports()).toMatchObject([
      { state: 'failed', report: null, error: rejected.body.error },
      { state: 'failed', rows: 1, imported: 0, report: { valid: 0, errors: [{ row: 2, field: 'project' }] } },
      { state: 'done', dry_run: true, rows: 3, processed: 3, imported: 0, report: { valid: 3, imported: 0 } },
    ]);
    expect((await imports())[1]?.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'rows[2].project' }],
    });
    expect(await recordsOf()).toBe(0);
    expect(await stagedRows()).toBe(0);
  });

  test('is retained for 7 days', async () => {
    const countStored = async () =>
      (await app.query('SELECT id FROM session_imports WHERE user_id = $1', [user.id])).length;
    await send(fileOf(1, 0));
    const week = 7 * 86_400_000;
    clock.advance(week);
    await runJob('remove old imports');
    expect(await countStored()).toBe(1);
    clock.advance(1);
    await runJob('remove old imports');
    expect(await countStored()).toBe(0);
    expect(await recordsOf()).toBe(1);
    clock.advance(-week - 1);
  });
});

describe('a failure midway undoes the import', () => {
  const notVisible: string = expect.stringMatching(/^is “\d+”, and you have no such project;/);
  const notActive = 'The project is not active and was not active when this record began.';

  test.each<[string, () => string, string]>([
    [
      'the project is paused',
      () => `UPDATE projects SET status = 'paused' WHERE id = ${second};
        INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
        VALUES (${second}, 'active', 'paused', '2019-06-01Z')`,
      notActive,
    ],
    [
      'the project is deleted',
      () => `UPDATE projects SET deleted_at = now(), former_user_ids = '{}' WHERE id = ${second};
        DELETE FROM project_assignments WHERE project_id = ${second}`,
      notVisible,
    ],
    [
      'the user is unassigned',
      () => `DELETE FROM project_assignments WHERE project_id = ${second} AND user_id = ${user.id}`,
      notVisible,
    ],
  ])('%s', async (_name, change, message) => {
    const lock = await lockProject(second);
    const importing = send(fileOf(250, 50));
    await untilWritten(200);
    await lock.change(change());
    await lock.open();
    const { status, body } = await importing;
    expect([status, body.error.details[0]]).toEqual([400, { field: 'rows[252].project', message }]);
    expect(await imports()).toMatchObject([{ state: 'undone', imported: 0, error: body.error }]);
    expect(await recordsOf()).toBe(0);
    expect(await figures(app, first)).toMatchObject({ sessions_count: 0, current_seconds: 0 });
    await expectInvariants(app);
  });

  test.each(['deactivated', 'signed out'])('the user is %s', async (change) => {
    const admin = await app.createUser({ role: 'admin' });
    const lock = await lockProject(second);
    const importing = send(fileOf(150, 350));
    await untilWritten(100);
    let isLost = false;
    const lost = (
      change === 'deactivated'
        ? app.as(admin).put(`/api/admin/users/${user.id}`, { status: 'inactive' })
        : app.as(user).post('/api/auth/logout')
    ).then(({ status }) => {
      isLost = true;
      return status;
    });
    // The next chunk waits for the lock, and the change may wait for that chunk.
    await waitUntil(async () => isLost || (await waitingForLocks()) === 2);
    await lock.open();
    expect([await lost, (await importing).status]).toEqual([200, 401]);
    const [left] = await app.query<Status>('SELECT state, imported FROM session_imports WHERE user_id = $1', [user.id]);
    expect(left).toEqual({ state: 'undone', imported: 0 });
    expect(await recordsOf()).toBe(0);
    await expectInvariants(app);
  });

  test('an overlapping record was saved', async () => {
    const lock = await lockProject(second);
    const importing = send(fileOf(250, 50));
    await untilWritten(200);
    const other = { started_at: moment(260), duration_seconds: 60 };
    await app.as(user).post(`/api/projects/${first}/sessions`, other).expect(201);
    await lock.open();
    const { status, body } = await importing;
    const details = [{ field: 'rows[262].started_at', message: 'overlaps another record or another row' }];
    expect([status, body.error.details]).toEqual([400, details]);
    expect(await imports()).toMatchObject([{ state: 'undone', imported: 0, error: body.error }]);
    expect(await recordsOf()).toBe(1);
    await expectInvariants(app);
  });

  test('and has reached no goal; one that succeeds has, once', async () => {
    await app.query(`UPDATE projects SET target_hours = 50, target_scope = 'each' WHERE id = $1`, [first]);
    await app.query(
      `INSERT INTO webhooks (url, events, secret, created_at, updated_at)
       VALUES ('https://example.org', '{goal.reached,session.imported}', 'encrypted', now(), now())`,
    );
    onTestFinished(async () => void (await app.query('DELETE FROM webhooks')));
    const announced = async () =>
      (await app.query<{ type: string }>('SELECT type FROM webhook_deliveries ORDER BY id')).map(({ type }) => type);
    const lock = await lockProject(second);
    const importing = send(fileOf(250, 50));
    await untilWritten(200);
    await lock.change(`DELETE FROM project_assignments WHERE project_id = ${second} AND user_id = ${user.id}`);
    await lock.open();
    expect((await importing).status).toBe(400);
    expect(await announced()).toEqual([]);

    expect((await send(fileOf(250, 0))).body.data).toMatchObject({ imported: 250 });
    await expect.poll(announced).toEqual(['goal.reached', 'session.imported']);
    await expectInvariants(app);
  });

  test('but not if an identical record was saved', async () => {
    const lock = await lockProject(second);
    const importing = send(fileOf(150, 2));
    await untilWritten(100);
    await lock.change(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       VALUES (${second}, (SELECT user_id FROM projects WHERE id = ${second}), ${user.id}, '${moment(150)}', '${moment(150.5)}', 'manual', 'UTC')`,
    );
    await lock.open();
    expect((await importing).body.data).toMatchObject({ imported: 151 });
    expect(await recordsOf()).toBe(152);
  });
});

describe('an import whose process crashes', () => {
  /** Disconnects a second process from the database after it has written the first rows. */
  async function crashMidway(): Promise<void> {
    const proxy = await startTcpProxy(app.databaseUrl);
    const crashing = await startTestApp({ clock, databaseUrl: proxy.url });
    const lock = await lockProject(second);
    const importing = send(fileOf(250, 50), { to: crashing });
    await untilWritten(200);
    await waitUntil(async () => (await waitingForLocks()) === 1);
    await proxy.stop();
    expect((await importing).status).toBe(503);
    await lock.open();
    await crashing.stop();
    await waitUntil(async () => (await waitingForLocks()) === 0);
  }

  test('is undone by another process after a minute without a heartbeat', async () => {
    const earlier = { started_at: moment(-5), duration_seconds: 90 };
    await app.as(user).post(`/api/projects/${first}/sessions`, earlier).expect(201);
    await crashMidway();
    await runJob('undo interrupted imports');
    expect(await imports()).toMatchObject([{ state: 'writing', imported: (await recordsOf()) - 1 }]);
    expect(await recordsOf()).toBeGreaterThan(200);
    expect((await send(fileOf(1, 0))).status).toBe(409);

    clock.advance(60_001);
    await Promise.all([runJob('undo interrupted imports'), runJob('undo interrupted imports')]);
    expect(await imports()).toMatchObject([
      { state: 'undone', imported: 0, error: { code: 'SERVICE_UNAVAILABLE', details: [] } },
    ]);
    expect(await recordsOf()).toBe(1);
    expect(await figures(app, first)).toEqual({ current_seconds: 90, current_hours: 0.03, sessions_count: 1 });
    expect(await stagedRows()).toBe(0);
    await expectInvariants(app);

    expect((await send(fileOf(250, 50))).body.data).toMatchObject({ imported: 300, duplicates: 0 });
    expect((await send(fileOf(250, 50))).body.data).toMatchObject({ imported: 0, duplicates: 300 });
  });

  test('is undone by the user’s next import, and its process stops writing', async () => {
    await crashMidway();
    clock.advance(60_001);
    expect((await send(fileOf(250, 50))).body.data).toMatchObject({ imported: 300 });
    expect((await imports()).map(({ state }) => state)).toEqual(['done', 'undone']);
    await expectInvariants(app);
  });

  test('stops writing if it resumes after being taken over', async () => {
    const lock = await lockProject(second);
    const importing = send(fileOf(250, 50));
    await untilWritten(200);
    await waitUntil(async () => (await waitingForLocks()) === 1);
    // Its next rows wait while holding a lock on the user; claiming the import for undoing does not wait for them.
    await app.query(`UPDATE session_imports SET state = 'undoing' WHERE user_id = $1 AND state = 'writing'`, [user.id]);
    await lock.open();
    expect((await importing).status).toBe(503);
    clock.advance(60_001);
    await runJob('undo interrupted imports');
    expect(await imports()).toMatchObject([{ state: 'undone', imported: 0 }]);
    expect(await recordsOf()).toBe(0);
    await expectInvariants(app);
  });
});

describe('the locks of an import', () => {
  test('do not block records by others on its project, nor changes of it', async () => {
    const admin = await app.createUser({ role: 'admin' });
    let isFinished = false;
    const importing = send(fileOf(5_000, 0)).finally(() => {
      isFinished = true;
    });
    await untilWritten(1);
    for (let minute = 0; minute < 5; minute += 1) {
      const before = await written();
      const body = { started_at: moment(-1 - minute), duration_seconds: 60 };
      await app.as(owner).post(`/api/projects/${first}/sessions`, body).expect(201);
      await app
        .as(admin)
        .put(`/api/projects/${first}`, { name: `Renamed ${minute}` })
        .expect(200);
      expect(isFinished).toBe(false);
      // Each waits for the chunk in progress, and at most for one queued before it.
      expect((await written()) - before).toBeLessThanOrEqual(1_000);
    }
    expect((await importing).body.data).toMatchObject({ imported: 5_000 });
    expect(await figures(app, first)).toMatchObject({ sessions_count: 5_005, current_seconds: 5_000 * 1800 + 300 });
  });

  test('use at most three connections while 24 imports wait', async () => {
    const users = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const one = await app.createUser();
        await assign(app, first, one);
        return one;
      }),
    );
    const lock = await lockProject(first);
    const responses = users.map((by) => send(fileOf(3, 0), { by }));
    await waitUntil(
      async () => (await app.query('SELECT id FROM session_imports WHERE finished_at IS NULL')).length === 24,
    );
    await waitUntil(async () => (await waitingForLocks()) === 2);
    expect(app.database.pool().used).toBeLessThanOrEqual(3);
    await app.as(user).get('/api/projects').expect(200);
    await app.as(user).post(`/api/projects/${second}/sessions`, { started_at: moment(0), duration_seconds: 60 });
    await lock.open();
    for (const { status, body } of await Promise.all(responses))
      expect([status, body.data?.imported]).toEqual([200, 3]);
  });

  test('are retried after a lock timeout', async () => {
    const shortLockTimeout = await startTestApp({ clock, databaseUrl: app.databaseUrl, timeouts: { lock: 300 } });
    onTestFinished(shortLockTimeout.stop);
    const lock = await lockProject(second);
    const importing = send(fileOf(0, 3), { to: shortLockTimeout });
    await waitUntil(async () => (await waitingForLocks()) === 1);
    await waitUntil(async () => (await waitingForLocks()) === 0);
    await waitUntil(async () => (await waitingForLocks()) === 1);
    await lock.open();
    expect((await importing).body.data).toMatchObject({ imported: 3 });
  });
});
