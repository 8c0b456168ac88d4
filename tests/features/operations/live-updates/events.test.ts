import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient, readEvents, type ServerEvent } from '../../../../client/src/index.ts';
import { sql } from '../../../../src/db/sql/sql.ts';
import { command } from '../../../../src/db/sql/statement.ts';
import { topics } from '../../../../src/features/operations/live-updates/live-update-projection.ts';
import { createLiveUpdateRepository } from '../../../../src/features/operations/live-updates/live-update-repository.ts';
import { contactSettings, runJob, submit } from '../../../support/contact.ts';
import { assign, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const takeTransactionId = command('test_take_transaction_id', () => sql`SELECT pg_current_xact_id()`);

let app: TestApp;
/** A second process on the same database. */
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  other = await startTestApp({ databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

/** Opens a stream as the user and waits for `ready`. */
async function listen(user: TestUser, at: TestApp = app) {
  const aborted = new AbortController();
  onTestFinished(() => aborted.abort());
  const client = createClient({ baseUrl: at.origin, token: () => user.token, renew: async () => undefined });
  const events = readEvents(client, { signal: aborted.signal });
  const next = async (): Promise<ServerEvent | undefined> => (await events.next()).value ?? undefined;
  expect(await next()).toEqual({ type: 'ready', topics: [] });
  const seen = new Set<string>();
  return {
    next,
    /** Waits until all these topics were sent. */
    async until(...topics: string[]) {
      while (!topics.every((topic) => seen.has(topic))) {
        const event = await next();
        if (event === undefined) throw new Error('the stream ended');
        for (const topic of event.topics) seen.add(topic);
      }
      seen.clear();
    },
    close: () => aborted.abort(),
  };
}

test('sends the topics of changes from any process', async () => {
  const [owner, member] = [await app.createUser(), await app.createUser()];
  const project = await createProject(app, owner);
  const [atOwner, atMember] = [await listen(owner), await listen(member, other)];
  await assign(app, project, member);
  await atMember.until('projects');
  await other.as(member).post('/api/timer/start', { project_id: project }).expect(201);
  await Promise.all([atMember.until('timer', 'sessions'), atOwner.until('sessions')]);
  await app.as(member).post('/api/timer/stop').expect(200);
  await Promise.all([atMember.until('timer', 'sessions'), atOwner.until('sessions')]);
  await app.as(owner).put(`/api/projects/${project}`, { name: 'Another name' }).expect(200);
  await Promise.all([atMember.until('projects'), atOwner.until('projects')]);
});

test('sends deletions and corrections of records', async () => {
  const user = await app.createUser();
  const project = await createProject(app, user);
  const body = { started_at: '2026-03-01T08:00:00Z', duration_seconds: 600 };
  const listener = await listen(user, other);
  const { id } = (await app.as(user).post(`/api/projects/${project}/sessions`, body).expect(201)).body.data;
  await listener.until('sessions');
  await app.as(user).put(`/api/sessions/${id}`, { note: 'corrected' }).expect(200);
  await listener.until('sessions');
  await app.as(user).delete(`/api/sessions/${id}`).expect(200);
  await listener.until('sessions');
});

test('sends administrators new contact requests and changes by others', async () => {
  const [admin, colleague] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
  const listener = await listen(admin);
  await submit(app);
  await listener.until('inbox');
  const { id } = await app.createUser();
  await app
    .as(colleague)
    .post('/api/projects', { name: 'By a colleague', assigned_user_ids: [id] })
    .expect(201);
  await listener.until('projects');
});

test('sends administrators limited to classes what changes for their own students only', async () => {
  const head = await app.createUser({ role: 'admin' });
  const [teacher, own, other] = [
    await app.createUser({ role: 'admin' }),
    await app.createUser(),
    await app.createUser(),
  ];
  const group = await app
    .as(head)
    .post('/api/admin/groups', { name: 'Live 7a', user_ids: [own.id] })
    .expect(201);
  const scope = { admin_scope: 'groups', admin_group_ids: [group.body.data.id] };
  await app.as(head).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  const [project, hidden] = [await createProject(app, head, 'Algebra'), await createProject(app, head, 'Hidden')];
  const ofTeacher = await createProject(app, teacher, 'Piano');
  const [atTeacher, atOther] = [await listen(teacher), await listen(other)];
  await submit(app); // the inbox is not theirs
  await assign(app, hidden, other);
  await atOther.until('projects');
  await app.as(teacher).post('/api/timer/start', { project_id: ofTeacher }).expect(201);
  const seen: string[] = [];
  while (!seen.includes('timer')) seen.push(...((await atTeacher.next())?.topics ?? ['timer', 'ended']));
  expect(seen.filter((topic) => !['timer', 'sessions', 'stats'].includes(topic))).toEqual([]);
  await assign(app, project, own);
  await atTeacher.until('projects');

  // The class is taken away while the stream is open: from then on it tells nothing of its students.
  await app.as(head).put(`/api/admin/users/${teacher.id}`, { admin_group_ids: [] }).expect(200);
  const atOwn = await listen(own);
  await app.as(teacher).post('/api/timer/stop').expect(200);
  await atTeacher.until('timer');
  await assign(app, hidden, own);
  await atOwn.until('projects');
  await app.as(teacher).post('/api/timer/start', { project_id: ofTeacher }).expect(201);
  const later: string[] = [];
  while (!later.includes('timer')) later.push(...((await atTeacher.next())?.topics ?? ['timer', 'ended']));
  expect(later).not.toContain('projects');
});

test('a token without the scope admin is not told of the inbox', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const created = await app
    .as(admin)
    .post('/api/me/tokens', { name: 'Lists', scopes: ['read'], expires_at })
    .expect(201);
  const listener = await listen({ ...admin, token: created.body.data.token });
  await submit(app);
  await createProject(app, admin);
  expect(await listener.next()).toEqual({ type: 'changed', topics: ['projects'] });
});

test.each<[string, (user: TestUser) => Promise<unknown>]>([
  ['signed out', (user) => app.as(user).post('/api/auth/logout').expect(200)],
  ['deactivated', ({ id }) => app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [id])],
])('the stream of a user who is %s ends', async (_, lose) => {
  const user = await app.createUser();
  const listener = await listen(user, other);
  await lose(user);
  expect(await listener.next()).toBeUndefined();
});

test('ends when the access token expires', async () => {
  const user = await app.createUser();
  const [signIn] = await app.query<{ id: string }>('SELECT id FROM sign_ins WHERE user_id = $1', [user.id]);
  const subject = { user_id: user.id, sign_in_id: signIn?.id ?? '' };
  user.token = app.container.tokens.sign(subject, Date.now() + 2500); // in whole seconds
  const listener = await listen(user);
  expect(await listener.next()).toBeUndefined();
  await app.as(user).get('/api/auth/me').expect(401);
});

test('lasts for the requested time, and is neither cached nor compressed', async () => {
  const user = await app.createUser();
  const response = await app
    .as(user)
    .get('/api/events?seconds=0')
    .set('Accept-Encoding', 'gzip')
    .buffer(true)
    .expect(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(response.headers['content-encoding']).toBeUndefined();
  await app.as(user).get('/api/events?seconds=901').expect(400);
});

/** Reads the updates of a user since the last call; the first one begins. */
async function follow({ id }: TestUser) {
  const [signIn] = await app.query<{ id: string }>('SELECT id FROM sign_ins WHERE user_id = $1', [id]);
  const listener = { user_id: id, sign_in_id: signIn?.id ?? '', topics };
  let snapshot: string | undefined;
  return async () => {
    const { topics, until } = await createLiveUpdateRepository(app.container.store).read([listener], snapshot);
    snapshot = until?.snapshot;
    return topics.get(0)?.toSorted();
  };
}
const assigned = (id: number) =>
  ({
    type: 'assignment.changed',
    change: 'added',
    projects: [{ project_id: 1, owner_id: id, user_ids: [id] }],
  }) as const;

test('a committed change is read exactly once, also one that commits late, and one that is rolled back never', async () => {
  const { store } = app.container;
  const [user, late] = [await app.createUser(), await app.createUser()];
  const [ofUser, ofLate] = [await follow(user), await follow(late)];
  expect([await ofUser(), await ofLate()]).toEqual([[], []]);
  let commit = () => {};
  const open = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const slow = store.asService(async (tx) => {
    await tx.execute(takeTransactionId());
    tx.record(assigned(late.id));
    await open;
  });
  await store.asService(async (tx) => tx.record(assigned(user.id)));
  expect([await ofUser(), await ofLate()]).toEqual([['projects'], []]);
  commit();
  await slow;
  expect([await ofUser(), await ofLate()]).toEqual([[], ['projects']]);
  const failed = store.asService(async (tx) => {
    tx.record(assigned(user.id));
    throw new Error('after the event was recorded');
  });
  await expect(failed).rejects.toThrow('after the event was recorded');
  expect([await ofUser(), await ofLate()]).toEqual([[], []]);
});

test('updates are deleted after a minute', async () => {
  const reader = await follow(await app.createUser());
  await app.query(`UPDATE live_updates SET written_at = written_at - interval '61 seconds'`);
  await runJob(app, 'purge live updates');
  expect(await app.query('SELECT * FROM live_updates')).toEqual([]);
  expect(await reader()).toEqual([]);
});

test('a user has at most five open streams', async () => {
  const user = await app.createUser();
  const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(user)));
  await app.as(user).get('/api/events').expect(429);
  await app
    .as(await app.createUser())
    .get('/api/events?seconds=0')
    .expect(200);
  listeners[0]?.close();
  await expect
    .poll(async () => (await app.as(user).get('/api/events?seconds=0')).status, { timeout: 30_000 })
    .toBe(200);
});

test('streams end when the process stops', async () => {
  const stopping = await startTestApp({ databaseUrl: app.databaseUrl });
  const user = await app.createUser();
  const listener = await listen(user, stopping);
  stopping.container.lifecycle.draining = true;
  expect(await listener.next()).toBeUndefined();
  await stopping.as(user).get('/api/events').expect(503);
  await stopping.stop();
});

test('a disconnected client frees its stream', async () => {
  const user = await app.createUser();
  const { port } = new URL(app.origin);
  for (let n = 0; n < 7; n += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${user.token}\r\n\r\n`);
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 (200|429)/);
    socket.destroy();
  }
  await expect
    .poll(async () => (await app.as(user).get('/api/events?seconds=0')).status, { timeout: 30_000 })
    .toBe(200);
});
