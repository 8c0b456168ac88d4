import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession, assign, createProject, unassign } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
});
afterAll(() => app.stop());

async function read(user: TestUser, since?: string | null, limit = 1000) {
  const query = new URLSearchParams({ limit: String(limit), ...(since && { since }) });
  return (await app.as(user).get(`/api/sync?${query}`).expect(200)).body.data;
}
type Page = Awaited<ReturnType<typeof read>>;
const idsOf = (page: Page) => ({
  projects: page.projects.map(({ id }: { id: number }) => id),
  sessions: page.sessions.map(({ id }: { id: number }) => id),
  deleted: [...page.deleted.projects.map(({ id }: { id: number }) => id), ...page.deleted.sessions],
});
const nothing = { projects: [], sessions: [], deleted: [] };

let hours = 0;
/** Adds a record one hour after the previous one. */
function record(project_id: number, { id: user_id }: TestUser) {
  hours += 1;
  const start = Date.UTC(2020, 0, 1, hours);
  const [started_at, ended_at] = [start, start + 1_800_000].map((time) => new Date(time).toISOString());
  return addSession(app, { project_id, user_id, started_at: started_at ?? '', ended_at: ended_at ?? '' });
}

/** Polls until no changes are returned: open transactions in other databases of the server can delay the cursor. */
async function settle(user: TestUser, since: string): Promise<string> {
  let cursor = since;
  await expect
    .poll(
      async () => {
        const page = await read(user, cursor);
        cursor = page.next_cursor;
        return idsOf(page);
      },
      { timeout: 60_000 },
    )
    .toEqual(nothing);
  return cursor;
}

test('items equal those of the lists, and are sent once', async () => {
  const [owner, member] = [await app.createUser(), await app.createUser()];
  const project = await createProject(app, owner);
  await assign(app, project, member);
  const session = await record(project, member);

  for (const user of [owner, member]) {
    const page = await read(user);
    expect(page).toMatchObject({ reset: false, has_more: false, deleted: { projects: [], sessions: [] } });
    const { projects } = (await app.as(user).get('/api/projects').expect(200)).body.data;
    const { sessions } = (await app.as(user).get('/api/sessions').expect(200)).body.data;
    expect(page).toMatchObject({ projects, sessions });
    expect([page.projects.length, page.sessions.length]).toEqual([1, 1]);
    const cursor = await settle(user, page.next_cursor);
    await app
      .as(member)
      .put(`/api/sessions/${session}`, { note: `for ${user.username}` })
      .expect(200);
    expect(idsOf(await read(user, cursor))).toEqual({ projects: [], sessions: [session], deleted: [] });
  }
});

test('a transaction that commits late is not skipped', async () => {
  const owner = await app.createUser();
  const project = await createProject(app, owner, 'First');
  const other = await createProject(app, owner, 'Second');
  let cursor = await settle(owner, (await read(owner)).next_cursor);
  await app.transaction(async (late) => {
    await late('SELECT pg_current_xact_id()');
    const early = await record(other, owner);
    for (let poll = 0; poll < 2; poll += 1) {
      const page = await read(owner, cursor);
      expect(idsOf(page)).toMatchObject({ projects: [other], sessions: [early] });
      cursor = page.next_cursor;
    }
    await late(`UPDATE projects SET name = 'Late' WHERE id = $1`, [project]);
  });
  const page = await read(owner, cursor);
  expect(page.projects.find(({ id }: { id: number }) => id === project)).toMatchObject({ name: 'Late' });
});

test('lost visibility is sent as a deletion, gained visibility as a change', async () => {
  const [owner, member] = [await app.createUser(), await app.createUser()];
  const project = await createProject(app, owner, 'Before');
  let cursor = await settle(member, (await read(member)).next_cursor);
  const next = async () => {
    const page = await read(member, cursor);
    cursor = await settle(member, page.next_cursor);
    return page;
  };

  await assign(app, project, member);
  expect(idsOf(await next())).toEqual({ ...nothing, projects: [project] });
  const session = await record(project, member);
  expect(idsOf(await next())).toEqual({ ...nothing, projects: [project], sessions: [session] });

  await app.as(owner).put(`/api/projects/${project}`, { name: 'At the end' }).expect(200);
  await unassign(app, project, member);
  await app.as(owner).put(`/api/projects/${project}`, { name: 'After' }).expect(200);
  expect((await next()).deleted).toEqual({ projects: [{ id: project, name: 'At the end' }], sessions: [] });

  await assign(app, project, member);
  expect(await next()).toMatchObject({ projects: [{ id: project, name: 'After' }], deleted: { projects: [] } });
  await app.as(owner).delete(`/api/projects/${project}`).expect(200);
  expect((await next()).deleted.projects).toEqual([{ id: project, name: 'After' }]);
  await app.as(owner).post(`/api/projects/${project}/restore`).expect(200);
  expect(idsOf(await next())).toMatchObject({ projects: [project], deleted: [] });
  await app.as(member).delete(`/api/sessions/${session}`).expect(200);
  expect(idsOf(await next())).toEqual({ ...nothing, projects: [project], deleted: [session] });
});

test('a moved record is deleted for the former project owner only', async () => {
  const [first, second, member] = [await app.createUser(), await app.createUser(), await app.createUser()];
  const [from, to] = [await createProject(app, first), await createProject(app, second)];
  for (const project of [from, to]) await assign(app, project, member);
  const session = await record(from, member);
  const people = [first, second, member];
  const cursors = await Promise.all(people.map(async (user) => settle(user, (await read(user)).next_cursor)));
  await app.as(member).put(`/api/sessions/${session}`, { project_id: to }).expect(200);
  const pages = await Promise.all(people.map(async (user, index) => idsOf(await read(user, cursors[index]))));
  expect(pages).toEqual([
    { projects: [from], sessions: [], deleted: [session] },
    { projects: [to], sessions: [session], deleted: [] },
    { projects: [from, to], sessions: [session], deleted: [] },
  ]);
});

test('pages are limited, and complete in total', async () => {
  const owner = await app.createUser();
  const expected: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const project = await createProject(app, owner, `Project ${n}`);
    for (let k = 0; k < 3; k += 1) expected.push(await record(project, owner));
  }
  const found = new Set<number>();
  let [cursor, pages, more] = [undefined as string | undefined, 0, true];
  while (more) {
    const page = await read(owner, cursor, 2);
    expect(page.projects.length + page.sessions.length).toBeLessThanOrEqual(2);
    for (const id of idsOf(page).sessions) found.add(id);
    [cursor, more, pages] = [page.next_cursor, page.has_more, pages + 1];
  }
  expect([...found].sort((a, b) => a - b)).toEqual(expected);
  expect(pages).toBe(6);
  await app.as(owner).get('/api/sync?limit=5000').expect(200);
  await app.as(owner).get('/api/sync?limit=0').expect(400);
});

test('thousands of deletions of one transaction are read in pages', async () => {
  const owner = await app.createUser();
  let cursor = await settle(owner, (await read(owner)).next_cursor);
  const ids = Array.from({ length: 2_500 }, (_, index) => 1_000_000 + index);
  const [user_id, owner_id] = [owner.id, owner.id];
  const sessions = ids.map((id) => ({ id, project_id: 1, user_id, owner_id, started_at: '', ended_at: '' }));
  await app.container.store.asService(async (tx) =>
    tx.record({ type: 'session.deleted', sessions: sessions.toReversed(), announced: false }),
  );
  const found: number[] = [];
  await expect
    .poll(
      async () => {
        const page = await read(owner, cursor, 700);
        cursor = page.next_cursor;
        found.push(...page.deleted.sessions);
        return found.length;
      },
      { timeout: 60_000 },
    )
    .toBe(ids.length);
  expect(found).toEqual(ids);
});

test('administrators synchronize only their own data', async () => {
  const [admin, owner, member] = [
    await app.createUser({ role: 'admin' }),
    await app.createUser(),
    await app.createUser(),
  ];
  const [own, foreign] = [await createProject(app, admin), await createProject(app, owner)];
  await assign(app, own, member);
  const session = await record(own, member);
  await record(foreign, owner);
  const page = await read(admin);
  expect(idsOf(page)).toEqual({ projects: [own], sessions: [session], deleted: [] });
  expect(page.projects[0]).toMatchObject({ assigned_user_ids: [member.id] });
});

test('administrators receive the new name of a project of others on which they have records', async () => {
  const [admin, owner] = [await app.createUser({ role: 'admin' }), await app.createUser()];
  const project = await createProject(app, owner);
  await record(project, admin);
  const cursor = await settle(admin, (await read(admin)).next_cursor);
  await app.as(owner).put(`/api/projects/${project}`, { name: 'After' }).expect(200);
  expect((await read(admin, cursor)).deleted).toEqual({ projects: [{ id: project, name: 'After' }], sessions: [] });
});

test('an invalid cursor returns a reset', async () => {
  const [user, other] = [await app.createUser(), await app.createUser()];
  await createProject(app, user);
  const { next_cursor: cursor } = await read(user);
  const reset = {
    reset: true,
    ...{ projects: [], colors: [], sessions: [], deleted: { projects: [], sessions: [] } },
    ...{ has_more: true, next_cursor: null },
  };
  expect(await read(other, cursor)).toEqual(reset);
  expect((await read(user, cursor)).reset).toBe(false);

  const elsewhere = await startTestApp();
  const foreignUser = await elsewhere.createUser();
  const foreign = (await elsewhere.as(foreignUser).get('/api/sync').expect(200)).body.data.next_cursor;
  await elsewhere.stop();
  expect(await read(user, foreign)).toEqual(reset);

  await app.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
  expect(await read(user, cursor)).toEqual(reset);
  await app.query(`UPDATE users SET role = 'user' WHERE id = $1`, [user.id]);

  for (const malformed of ['x', 'MS4x', 'ä', '%00', 'a'.repeat(300), `${cursor}${cursor}`])
    await app
      .as(user)
      .get(`/api/sync?since=${encodeURIComponent(malformed)}`)
      .expect(400);
});

test('cursors are valid for 90 days, and deletions are retained a day longer', async () => {
  const quiet = createTestClock();
  const instance = await startTestApp({
    clock: quiet,
    databaseUrl: app.databaseUrl,
    settings: { ACCESS_TOKEN_TTL: '86400' },
  });
  const owner = await app.createUser();
  const project = await createProject(app, owner);
  const days = (number: number) => number * 86_400_000;
  const get = async (since: string) => {
    const signed = { ...owner, token: instance.container.tokens.sign(await subject(owner)) };
    return (await instance.as(signed).get(`/api/sync?since=${since}`).expect(200)).body.data;
  };
  const { next_cursor: cursor } = await read(owner);
  await app.as(owner).delete(`/api/projects/${project}`).expect(200);
  const purge = instance.container.jobs.find(({ name }) => name === 'purge sync deletions');

  await app.query(`UPDATE sign_ins SET expires_at = now() + interval '200 days'`);
  quiet.advance(days(89.9));
  await purge?.run();
  expect((await get(cursor)).deleted.projects).toMatchObject([{ id: project }]);
  quiet.advance(days(0.2));
  expect((await get(cursor)).reset).toBe(true);
  quiet.advance(days(1));
  await app.query(
    `INSERT INTO sync_deletions (user_id, item_type, last_item_id, item_ids, deleted_at)
     SELECT $1, 'session', n, ARRAY[n], now() FROM generate_series(1, 10000) n`,
    [owner.id],
  );
  await purge?.run();
  expect(await app.query('SELECT FROM sync_deletions WHERE user_id = $1', [owner.id])).toEqual([]);
  await instance.stop();
});

async function subject({ id }: TestUser) {
  const [row] = await app.query<{ id: string }>('SELECT id FROM sign_ins WHERE user_id = $1', [id]);
  return { user_id: id, sign_in_id: row?.id ?? '' };
}

test('no index of projects contains changed_in, so that updates remain HOT', async () => {
  const indexed = await app.query(
    `SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = 'projects'::regclass AND a.attname = 'changed_in'`,
  );
  expect(indexed).toEqual([]);
});

test('a deleted record of the own project is stored once, although its person and the owner of the project no longer see it', async () => {
  const user = await app.createUser();
  const session = await record(await createProject(app, user), user);
  await app.as(user).delete(`/api/sessions/${session}`).expect(200);
  const stored = await app.query('SELECT item_ids FROM sync_deletions WHERE user_id = $1', [user.id]);
  expect(stored).toEqual([{ item_ids: [session] }]);
});
