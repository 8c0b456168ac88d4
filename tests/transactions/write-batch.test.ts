import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProjectBody } from '../../src/features/study/projects/project-schemas.ts';
import { expectInvariants } from '../support/invariants.ts';
import { untilWaiting } from '../support/locks.ts';
import { actorOf, assign, createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** Two simulated processes on one database. Calls of one turn of the event loop are in the same batch. */
let apps: [TestApp, TestApp];
let users: TestUser[];

beforeAll(async () => {
  const first = await startTestApp();
  apps = [first, await startTestApp({ databaseUrl: first.databaseUrl })];
  users = await Promise.all(Array.from({ length: 6 }, () => first.createUser()));
});
afterAll(async () => {
  await expectInvariants(apps[0]);
  await apps[1].stop();
  await apps[0].stop();
});

const at = (hour: number, seconds = 60) => ({
  started_at: new Date(Date.UTC(2026, 2, 1, hour)),
  ended_at: new Date(Date.UTC(2026, 2, 1, hour, 0, seconds)),
  note: '',
  tags: [],
});
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'created' : (result.reason.code ?? result.reason.name);

async function signedIn(user: TestUser) {
  const [row] = await apps[0].query<{ id: string }>('SELECT id FROM sign_ins WHERE user_id = $1 LIMIT 1', [user.id]);
  const context = { actor_id: user.id, sign_in_id: row?.id ?? '', role: user.role, action: 'createProject' };
  return { ...actorOf(user), context: { ...context, request_id: 'test' } };
}

test('a caller whose rights were revoked is rejected, and the others of the batch are not', async () => {
  const actors = await Promise.all(users.slice(0, 3).map(signedIn));
  await apps[0].query('UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1', [users[1]?.id]);
  const create = apps[0].container.services.projects.create;
  const results = await Promise.allSettled(
    actors.map((actor) => create(actor, createProjectBody.parse({ name: 'Together' }))),
  );
  expect(results.map(codeOf)).toEqual(['created', 'UNAUTHORIZED', 'created']);
  await apps[0].query('UPDATE sign_ins SET revoked_at = NULL WHERE user_id = $1', [users[1]?.id]);
});

test('what the database rejects fails alone', async () => {
  const create = apps[0].container.services.projects.create;
  const names = ['Fine', 'x'.repeat(1000), 'Fine too'];
  const results = await Promise.allSettled(
    names.map((name) =>
      create(actorOf(users[0] as TestUser), { ...createProjectBody.parse({ name: 'Any name' }), name }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const rows = await apps[0].query(`SELECT name FROM projects WHERE name LIKE 'Fine%' ORDER BY name`);
  expect(rows).toEqual([{ name: 'Fine' }, { name: 'Fine too' }]);
});

test('records of one batch are judged one by one: unknown, invisible, inactive, overlapping', async () => {
  const [owner, stranger] = users as [TestUser, TestUser];
  const [projectId, paused] = [
    await createProject(apps[0], owner),
    await createProject(apps[0], owner, 'Rest', 'paused'),
  ];
  const record = apps[0].container.services.sessions.create;
  const results = await Promise.allSettled([
    record(actorOf(owner), projectId, at(1)),
    record(actorOf(owner), projectId, at(1, 30)),
    record(actorOf(owner), 999_999, at(2)),
    record(actorOf(stranger), projectId, at(3)),
    record(actorOf(owner), paused, at(4)),
    record(actorOf(owner), projectId, at(5)),
  ]);
  expect(results.map(codeOf)).toEqual([
    'created',
    'SESSION_OVERLAP',
    'RESOURCE_NOT_FOUND',
    'PERMISSION_DENIED',
    'PROJECT_NOT_ACTIVE',
    'created',
  ]);
});

test('a webhook gets each project that is created after it, and each is created once before, with and after it', async () => {
  const create = apps[0].container.services.projects.create;
  const createNamed = async (name: string) =>
    (await create(actorOf(users[0] as TestUser), createProjectBody.parse({ name }))).id;
  await createNamed('Before');
  await apps[0].query(
    `INSERT INTO webhooks (url, events, secret, created_at, updated_at)
     VALUES ('https://example.com/', '{project.created}', 'x', now(), now())`,
  );
  const ids = [await createNamed('First'), await createNamed('Second')];
  await apps[0].query('DELETE FROM background_jobs');
  const delivered = await apps[0].query(
    `SELECT (data->>'id')::integer AS id FROM webhook_deliveries WHERE type = 'project.created' ORDER BY id`,
  );
  expect(delivered).toEqual(ids.map((id) => ({ id })));
  await apps[0].query('DELETE FROM webhooks');
  await createNamed('After');
  await createNamed('Last');
  const names = ['Before', 'First', 'Second', 'After', 'Last'];
  const created = await apps[0].query('SELECT name FROM projects WHERE name = ANY ($1) ORDER BY id', [names]);
  expect(created).toEqual(names.map((name) => ({ name })));
});

const keyed = (key: string) => ({ id: { caller: 'test', path: '/test', key }, requestHash: Buffer.from('digest') });

test('of requests with one key, in one batch and in two processes, one creates', async () => {
  const owner = users[0] as TestUser;
  const project = createProjectBody.parse({ name: 'Only once' });
  const results = await Promise.allSettled(
    [0, 0, 1, 1, 0, 1].map((n) =>
      (apps[n] as TestApp).container.services.projects.create(actorOf(owner), project, keyed('create')),
    ),
  );
  expect(results.map(codeOf).sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT', 'created']);
  expect(await apps[0].query(`SELECT name FROM projects WHERE name = 'Only once'`)).toHaveLength(1);
});

test('a repetition in the same batch is a repetition, not an overlap', async () => {
  const owner = users[0] as TestUser;
  const projectId = await createProject(apps[0], owner);
  const record = apps[0].container.services.sessions.create;
  const results = await Promise.allSettled([
    record(actorOf(owner), projectId, at(7), keyed('record')),
    record(actorOf(owner), projectId, at(7), keyed('record')),
    record(actorOf(owner), projectId, at(7), keyed('another')),
  ]);
  const names = results.map((result) => (result.status === 'fulfilled' ? 'created' : result.reason.name));
  expect(names).toEqual(['created', 'KeyTakenError', 'ConflictError']);
});

test('when the connection is lost in the middle, nothing of the batch is stored, and repetitions with the keys store it', async () => {
  const owner = users[0] as TestUser;
  const projectId = await createProject(apps[0], owner);
  const record = apps[0].container.services.sessions.create;
  const recordAll = () =>
    Promise.allSettled([8, 9].map((hour) => record(actorOf(owner), projectId, at(hour), keyed(`lost ${hour}`))));
  await apps[0].transaction(async (query) => {
    await query(`SELECT FROM projects WHERE id = ${projectId} FOR UPDATE`);
    const results = recordAll();
    await untilWaiting(apps[0], 1);
    await query(`SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.wait_event_type = 'Lock'`);
    expect(new Set((await results).map(codeOf))).toContain('SERVICE_UNAVAILABLE');
  });
  const again = (await recordAll()).map((result) => (result.status === 'fulfilled' ? 'created' : result.reason.name));
  expect(again.every((name) => name === 'created' || name === 'KeyTakenError')).toBe(true);
  const [{ number } = { number: 0 }] = await apps[0].query<{ number: number }>(
    `SELECT count(*)::integer AS number FROM study_sessions WHERE project_id = ${projectId}`,
  );
  expect(number).toBe(2);
});

test('a locked project delays only the records on it', async () => {
  const [owner, other] = users as [TestUser, TestUser];
  const [locked, free] = [await createProject(apps[0], owner), await createProject(apps[0], other)];
  const record = apps[0].container.services.sessions.create;
  const results = await apps[0].transaction(async (query) => {
    await query(`SELECT FROM projects WHERE id = ${locked} FOR UPDATE`);
    const results = { locked: record(actorOf(owner), locked, at(6)), free: record(actorOf(other), free, at(6)) };
    await results.free;
    await untilWaiting(apps[0], 1);
    return results;
  });
  expect(await results.locked).toMatchObject({ project_id: locked });
});

test('several processes record for the same users on the same projects without deadlocks, and the totals are exact', async () => {
  const owner = users[0] as TestUser;
  const projects = await Promise.all([1, 2, 3].map(() => createProject(apps[0], owner)));
  for (const id of projects) await assign(apps[0], id, ...users.slice(1));
  const results = await Promise.allSettled(
    Array.from({ length: 120 }, (_, n) => {
      const app = apps[n % 2] as TestApp;
      const [user, project] = [users[(n * 5) % 6] as TestUser, projects[(n * 7) % 3] as number];
      return app.container.services.sessions.create(actorOf(user), project, at(24 + n));
    }),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});
