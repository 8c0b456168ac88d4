import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as rosterRows from '../../../../src/features/school/roster/roster-row-repository.ts';
import { applyJobs, getRoster, header, runRoster, sendRoster } from '../../../support/roster.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let app: TestApp;
let admin: TestUser;
let number = 0;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());
beforeEach(async () => {
  admin = await app.createUser({ role: 'admin' });
  number += 1;
});

const rows = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `r${number}u${n},r${number}u${n}@school.test,,R${number}-${n},Race ${number}`,
  );
const apply = { dry_run: 'false', missing: 'deactivate', deactivate_at_most: '1000' };
const userOf = async (username: string) => {
  const found = await app.query<{ id: number; status: string; role: string; email: string }>(
    'SELECT id, status, role, email FROM users WHERE username = $1',
    [username],
  );
  return found[0];
};
/** Sends a roster and compares it, but applies nothing: `meanwhile` happens after the comparison. */
async function between(
  file: readonly string[],
  meanwhile: () => Promise<unknown>,
  fields: Record<string, string> = apply,
) {
  const { id } = (await sendRoster(app, admin, file, fields).expect(202)).body.data;
  const { findPending } = rosterRows;
  let isFirst = true;
  const interrupted = vi.spyOn(rosterRows, 'findPending').mockImplementation(async (db, rosterId) => {
    if (isFirst) {
      isFirst = false;
      await meanwhile();
    }
    return findPending(db, rosterId);
  });
  try {
    await applyJobs(app);
  } finally {
    interrupted.mockRestore();
  }
  return getRoster(app, admin, id).catch(() => ({ roster: undefined, changes: [] }));
}

test('of two rosters at once, one is accepted', async () => {
  const admins = [admin, await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
  const answers = await Promise.all(admins.map((one) => sendRoster(app, one, [header, ...rows(3)], apply)));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  await applyJobs(app);
  expect(await app.query(`SELECT count(*) AS n FROM users WHERE username LIKE 'r${number}u%'`)).toEqual([{ n: 3 }]);
});

test.each([
  ['is demoted', (id: number) => app.query("UPDATE users SET role = 'user' WHERE id = $1", [id]), 'PERMISSION_DENIED'],
  [
    'signs out',
    (id: number) => app.query('UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1', [id]),
    'UNAUTHORIZED',
  ],
])('a roster stops when its administrator %s', async (_, lose, code) => {
  const other = await app.createUser({ role: 'admin' });
  await between([header, ...rows(3)], () => lose(admin.id));
  expect(await app.query(`SELECT FROM users WHERE username LIKE 'r${number}u%'`)).toEqual([]);
  const { rosters } = (await app.as(other).get('/api/admin/roster').expect(200)).body.data;
  expect(rosters[0]).toMatchObject({ state: 'stopped', processed: 0, error: { code } });
});

test('accounts that change meanwhile: promoted, deleted and deactivated ones, and a name that is taken', async () => {
  const first = rows(5);
  await runRoster(app, admin, [header, ...first]);
  const [promoted, deleted, idle] = [
    await userOf(`r${number}u0`),
    await userOf(`r${number}u1`),
    await userOf(`r${number}u2`),
  ];
  const next = first.slice(1, 4).map((row) => row.replace(/,,/, ',Renamed,'));
  const { roster, changes } = await between(
    [header, ...next, `late${number},late${number}@school.test,,L${number},`],
    async () => {
      await app.as(admin).put(`/api/admin/users/${promoted?.id}`, { role: 'admin' }).expect(200);
      await app.as(admin).delete(`/api/admin/users/${deleted?.id}`).expect(200);
      await app
        .as(admin)
        .put(`/api/admin/users/${idle?.id}`, { status: 'inactive', username: `idle${number}` })
        .expect(200);
      await app.createUser({ username: `late${number}` });
    },
  );
  // The rows of the deleted account are deleted with it.
  expect(roster).toMatchObject({ state: 'done', problems: 2 });
  const problems = changes.filter((change: { problem: string | null }) => change.problem !== null);
  expect(problems).toMatchObject([
    { username: `late${number}`, problem: expect.stringMatching(/already taken/) },
    { user_id: promoted?.id, kind: 'missing', problem: expect.stringMatching(/administrator now/) },
  ]);
  expect(await userOf(`r${number}u0`)).toMatchObject({ role: 'admin', status: 'active' });
  // The roster decides about names, an administrator about the state.
  expect(await userOf(`r${number}u2`)).toMatchObject({ id: idle?.id, status: 'inactive' });
  expect(await userOf(`r${number}u4`)).toMatchObject({ status: 'inactive' });
});

test('after a crash, the next run goes on with the first row that was not applied', async () => {
  const { id } = (await sendRoster(app, admin, [header, ...rows(4)], { dry_run: 'false' }).expect(202)).body.data;
  const { findPending } = rosterRows;
  let applied = 0;
  // The process ends within the job: its claim stays.
  const never = new Promise<never>(() => undefined);
  const stopping = vi.spyOn(rosterRows, 'findPending').mockImplementation((db, rosterId) => {
    applied += 1;
    return applied <= 2 ? findPending(db, rosterId) : never;
  });
  void applyJobs(app);
  await expect.poll(() => applied, { timeout: 20_000 }).toBe(3);
  stopping.mockRestore();
  // Missing accounts of earlier tests are kept, and need nothing.
  const { counts } = (await getRoster(app, admin, id)).roster;
  const half = { state: 'writing', processed: 2 + counts.missing };
  expect((await getRoster(app, admin, id)).roster).toMatchObject(half);

  const other = await startTestApp({ databaseUrl: app.databaseUrl, clock });
  try {
    await applyJobs(other);
    expect((await getRoster(app, admin, id)).roster).toMatchObject(half);
    clock.advance(2 * 60_000 + 1);
    await applyJobs(other);
    expect((await getRoster(app, admin, id)).roster).toMatchObject({ state: 'done', problems: 0 });
  } finally {
    await other.stop();
  }
  expect(await app.query(`SELECT count(*) AS n FROM users WHERE username LIKE 'r${number}u%'`)).toEqual([{ n: 4 }]);
});

test('a comparison that outlives its lease changes nothing of a roster that was applied meanwhile', async () => {
  await runRoster(app, admin, [header, ...rows(4)]);
  const { id } = (await sendRoster(app, admin, [header, ...rows(5).slice(2)], apply).expect(202)).body.data;
  const { match } = rosterRows;
  vi.spyOn(rosterRows, 'match').mockImplementationOnce(async (...page) => {
    const found = await match(...page);
    clock.advance(2 * 60_000 + 1);
    const other = await startTestApp({ databaseUrl: app.databaseUrl, clock });
    try {
      await applyJobs(other);
    } finally {
      await other.stop();
    }
    return found;
  });
  await applyJobs(app);
  const { roster, changes } = await getRoster(app, admin, id);
  expect(roster).toMatchObject({ state: 'done', problems: 0 });
  expect(changes.filter(({ kind }: { kind: string }) => kind === 'missing').length).toBeGreaterThan(1);
  expect(await app.query('SELECT FROM roster_rows WHERE roster_id = $1 AND NOT settled', [id])).toEqual([]);
});

test('new groups count for the time of a run', async () => {
  const file = rows(1).map((row) => row.replace(/,[^,]*$/, `,Q${number}a; Q${number}b; Q${number}c`));
  const { id } = (await sendRoster(app, admin, [header, ...file], { dry_run: 'false' }).expect(202)).body.data;
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 3_000;
    return now;
  });
  await applyJobs(app).finally(() => spy.mockRestore());
  expect((await getRoster(app, admin, id)).roster.state).toBe('writing');
  const created = await app.query(`SELECT FROM groups WHERE name LIKE 'Q${number}%'`);
  expect(created.length).toBeLessThan(3);
  await applyJobs(app);
  expect((await getRoster(app, admin, id)).roster).toMatchObject({ state: 'done', problems: 0 });
});

test('a group that is deleted while rows are written is created again for the others', async () => {
  const { id } = (await sendRoster(app, admin, [header, ...rows(3)], { dry_run: 'false' }).expect(202)).body.data;
  const select = 'SELECT id, members_count FROM groups WHERE name = $1';
  const group = async () => (await app.query<{ id: number; members_count: number }>(select, [`Race ${number}`]))[0];
  const { findPending } = rosterRows;
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const slow = vi.spyOn(rosterRows, 'findPending').mockImplementation((db, rosterId) => {
    now += 6_000; // one row in each run
    return findPending(db, rosterId);
  });
  try {
    await applyJobs(app);
    const first = await group();
    expect(first).toMatchObject({ members_count: 1 });
    await app.as(admin).delete(`/api/admin/groups/${first?.id}`).expect(200);
    await applyJobs(app);
  } finally {
    spy.mockRestore();
    slow.mockRestore();
  }
  await applyJobs(app);
  expect((await getRoster(app, admin, id)).roster).toMatchObject({ state: 'done', problems: 0 });
  expect(await group()).toMatchObject({ members_count: 2 });
});

test('a roster that fails again and again ends, and says at which row', async () => {
  const { id } = (await sendRoster(app, admin, [header, ...rows(2)], { dry_run: 'false' }).expect(202)).body.data;
  const { findPending } = rosterRows;
  const failing = vi
    .spyOn(rosterRows, 'findPending')
    .mockImplementation((db, rosterId) =>
      db === app.container.store ? Promise.reject(new Error('always')) : findPending(db, rosterId),
    );
  try {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await getRoster(app, admin, id)).roster.finished_at).toBeNull();
      await applyJobs(app);
      clock.advance(60_000);
    }
  } finally {
    failing.mockRestore();
  }
  const { roster } = await getRoster(app, admin, id);
  expect(roster).toMatchObject({
    state: 'stopped',
    error: {
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^Stopped after 5 failed attempts, the last one at row 2;/),
    },
  });
  expect((await runRoster(app, admin, [header, ...rows(2)])).roster.state).toBe('done');
});

test('a roster whose process ended while it was received does not block others', async () => {
  await app.query(
    `INSERT INTO rosters (user_id, sign_in_id, request_id, dry_run, missing, invite, format, rows, errors_count, errors, columns, created_at)
     SELECT user_id, id, 'request', true, 'keep', false, 'csv', 1, 0, '[]', '{"read": [], "unread": []}', $2 FROM sign_ins WHERE user_id = $1`,
    [admin.id, clock()],
  );
  await sendRoster(app, admin, [header, ...rows(1)]).expect(409);
  clock.advance(10 * 60_000 + 1);
  await app.container.jobs.find(({ name }) => name === 'clean up rosters')?.run();
  expect((await runRoster(app, admin, [header, ...rows(1)], {})).roster.state).toBe('done');
});
