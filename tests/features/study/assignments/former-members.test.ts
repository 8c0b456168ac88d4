import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { raceAgainstLock } from '../../../support/locks.ts';
import { assign, createProject, figures, trueFigures, unassign } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const hour = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
let app: TestApp;
let admin: TestUser;
let owner: TestUser;
let ann: TestUser;
let bob: TestUser;
let project: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.stop();
});

beforeEach(async () => {
  [owner, ann, bob] = [await app.createUser(), await app.createUser(), await app.createUser()];
  project = await createProject(app, owner, 'Algebra');
  await app
    .as(admin)
    .put(`/api/projects/${project}`, { assigned_user_ids: [ann.id, bob.id] })
    .expect(200);
});

const timerOf = async (user: TestUser) => (await app.as(user).get('/api/timer').expect(200)).body.data;
const start = (user: TestUser, on = project) => app.as(user).post('/api/timer/start', { project_id: on });
const record = async (user: TestUser, times: object) =>
  (await app.as(user).post(`/api/projects/${project}/sessions`, times).expect(201)).body.data;
const read = (user: TestUser, id: number) => app.as(user).get(`/api/sessions/${id}`).expect(200);

/** Statements that wait for a lock. */
const waiting = async () => {
  const [row] = await app.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.waiting;
};

describe('unassigning a user stops their timer', () => {
  test.each<[string, () => PromiseLike<unknown>]>([
    [
      'with a new list',
      () =>
        app
          .as(admin)
          .put(`/api/projects/${project}`, { assigned_user_ids: [bob.id] })
          .expect(200),
    ],
    [
      'with a new assigned_user_id',
      () => app.as(admin).put(`/api/projects/${project}`, { assigned_user_id: bob.id }).expect(200),
    ],
    ['with a batch remove', () => batch({ project_ids: [project], user_ids: [ann.id], assign_type: 'remove' })],
    ['with a batch replace', () => batch({ project_ids: [project], user_ids: [bob.id], assign_type: 'replace' })],
    ['with a batch assigned_user_ids', () => batch({ project_ids: [project], assigned_user_ids: [bob.id] })],
    ['by deleting the project', () => app.as(owner).delete(`/api/projects/${project}`).expect(200)],
  ])('%s', async (_how, unassignAnn) => {
    await start(ann).expect(201);
    await start(bob).expect(201);
    await app.query(`UPDATE study_sessions SET started_at = started_at - interval '1 hour' WHERE user_id = $1`, [
      ann.id,
    ]);
    await unassignAnn();
    expect(await timerOf(ann)).toBeNull();
    const [ended] = (await app.as(ann).get('/api/sessions').expect(200)).body.data.sessions;
    expect(ended).toMatchObject({ project_name: 'Algebra', auto_stopped: true });
    expect(ended.duration_seconds).toBeGreaterThanOrEqual(3600);
    expect(ended.duration_seconds).toBeLessThan(3600 + 300);
    expect(await figures(app, project)).toEqual(await trueFigures(app, project));
  });

  const batch = (body: object) => app.as(admin).post('/api/projects/batch-assign', body).expect(200);

  test('and no other timer', async () => {
    const other = await createProject(app, owner, 'Other');
    await assign(app, other, ann);
    await start(ann, other).expect(201);
    await start(bob).expect(201);
    await assign(app, project, owner);
    await start(owner).expect(201);
    await unassign(app, project, ann);
    await unassign(app, project, owner);
    for (const user of [ann, bob, owner]) expect(await timerOf(user)).not.toBeNull();
  });

  test('and limits a timer that has run for days', async () => {
    await start(ann).expect(201);
    await app.query(`UPDATE study_sessions SET started_at = started_at - interval '3 days' WHERE user_id = $1`, [
      ann.id,
    ]);
    await unassign(app, project, ann);
    const [ended] = (await app.as(ann).get('/api/sessions').expect(200)).body.data.sessions;
    expect(ended).toMatchObject({ duration_seconds: 12 * 3600, auto_stopped: true });
  });
});

describe('a user who is being unassigned cannot add', () => {
  const unassignAnn = () => app.as(admin).put(`/api/projects/${project}`, { assigned_user_ids: [bob.id] });
  const lock = () => `SELECT FROM projects WHERE id = ${project} FOR UPDATE`;

  test.each<[string, () => PromiseLike<{ status: number }>]>([
    [
      'a record',
      () => app.as(ann).post(`/api/projects/${project}/sessions`, { started_at: ago(hour), duration_seconds: 60 }),
    ],
    ['a timer', () => start(ann)],
  ])('%s', async (_what, add) => {
    // Both wait for the project, the unassignment first.
    const [removed, added] = await raceAgainstLock(app, lock(), 2, async () => {
      const removing = unassignAnn().then((response) => response);
      await expect.poll(waiting, { interval: 5 }).toBe(1);
      return Promise.all([removing, add()]);
    });
    expect([removed.status, added.status]).toEqual([200, 403]);
    expect(await timerOf(ann)).toBeNull();
    expect((await figures(app, project)).sessions_count).toBe(0);
  });
});

describe('a record of a former member', () => {
  test('may be corrected within the time of the assignment, but not moved beyond it', async () => {
    const { id } = await record(ann, { started_at: ago(3 * hour), ended_at: ago(2 * hour) });
    await unassign(app, project, ann);
    const left = Date.now();
    const change = (body: object, user = ann) => app.as(user).put(`/api/sessions/${id}`, body);

    await change({ note: 'rings' }).expect(200);
    await change({ started_at: ago(4 * hour), ended_at: ago(hour) }).expect(200);
    await change({ ended_at: ago(2 * hour) }).expect(200);
    for (const body of [
      { ended_at: new Date(left + 60_000).toISOString() },
      { started_at: new Date(left - 1000).toISOString(), duration_seconds: 240 },
    ]) {
      const rejected = await change(body).expect(400);
      expect(rejected.body.error.details).toEqual([
        { field: 'ended_at', message: expect.stringMatching(/^must not be after \d{4}-.*no longer assigned/) },
      ]);
    }
    await change({ ended_at: new Date(left + 60_000).toISOString() }, admin).expect(200);
    // A time set by an administrator is not rejected when it is unchanged.
    await change({ started_at: ago(3 * hour) }).expect(200);

    await assign(app, project, ann);
    await change({ ended_at: new Date(left + 120_000).toISOString() }).expect(200);
  });

  test('cannot be moved beyond the assignment while its author is being unassigned', async () => {
    const { id } = await record(ann, { started_at: ago(3 * hour), ended_at: ago(2 * hour) });
    await app.query(`UPDATE projects SET description = 'x' WHERE id = $1`, [project]);
    const later = new Date(Date.now() + 200_000).toISOString();
    const lock = `SELECT FROM projects WHERE id = ${project} FOR UPDATE`;
    const response = await raceAgainstLock(app, lock, 2, async () => {
      const removing = app
        .as(admin)
        .put(`/api/projects/${project}`, { assigned_user_ids: [bob.id] })
        .then((sent) => sent);
      await expect.poll(waiting, { interval: 5 }).toBe(1);
      const [, moved] = await Promise.all([removing, app.as(ann).put(`/api/sessions/${id}`, { ended_at: later })]);
      return moved;
    });
    expect(response.status).toBe(400);
  });

  test('shows its author the project name at the time of unassignment everywhere', async () => {
    const { id } = await record(ann, { started_at: ago(3 * hour), ended_at: ago(2 * hour) });
    await unassign(app, project, ann);
    const before = await read(ann, id);
    await app.as(owner).put(`/api/projects/${project}`, { name: 'Secret plans' }).expect(200);

    const after = await read(ann, id);
    expect([after.body.data.project_name, after.headers['etag']]).toEqual(['Algebra', before.headers['etag']]);
    const texts = [
      (await app.as(ann).get('/api/sessions').expect(200)).text,
      (await app.as(ann).get('/api/sessions/export?format=csv').expect(200)).text,
      (await app.as(ann).get('/api/sessions/export?format=json').expect(200)).text,
      (await app.as(ann).get('/api/stats').expect(200)).text,
      (await app.as(ann).put(`/api/sessions/${id}`, { note: 'mine' }).expect(200)).text,
      (await overlapping()).text,
    ];
    for (const text of texts) expect([text.includes('Algebra'), text.includes('Secret plans')]).toEqual([true, false]);
    for (const user of [owner, admin]) expect((await read(user, id)).body.data.project_name).toBe('Secret plans');

    await assign(app, project, ann);
    const again = await read(ann, id);
    expect(again.body.data.project_name).toBe('Secret plans');
    expect(again.headers['etag']).not.toBe(before.headers['etag']);
    await unassign(app, project, ann);
    const once = await read(ann, id);
    expect(once.body.data.project_name).toBe('Secret plans');
    expect(once.headers['etag']).not.toBe(before.headers['etag']);
  });

  /** Tries to add a record on a project of Ann's own that overlaps the former one. */
  async function overlapping() {
    const own = await createProject(app, ann, 'Own');
    const times = { started_at: ago(2.5 * hour), duration_seconds: 60 };
    return app.as(ann).post(`/api/projects/${own}/sessions`, times).expect(409);
  }

  test('stays readable', async () => {
    const { id } = await record(ann, { started_at: ago(3 * hour), ended_at: ago(2 * hour) });
    await unassign(app, project, ann);
    await read(ann, id);
    await app.as(ann).get(`/api/projects/${project}`).expect(403);
    await app.as(ann).delete(`/api/sessions/${id}`).expect(200);
  });
});

test('unassigning users and starting timers in opposite orders does not deadlock', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => app.createUser()));
  const projects = await Promise.all(['One', 'Two', 'Three'].map((name) => createProject(app, owner, name)));
  const ids = people.map(({ id }) => id);
  for (let round = 0; round < 4; round += 1) {
    await app
      .as(admin)
      .post('/api/projects/batch-assign', { project_ids: projects, assigned_user_ids: ids })
      .expect(200);
    const responses = await Promise.all([
      ...people.map((user, index) => start(user, projects[(index + round) % 3] ?? 0)),
      app.as(admin).post('/api/projects/batch-assign', {
        project_ids: [...projects].reverse(),
        user_ids: ids.slice(0, 3),
        assign_type: 'remove',
      }),
      app
        .as(admin)
        .post('/api/projects/batch-assign', { project_ids: projects, user_ids: ids.slice(2), assign_type: 'remove' }),
      ...people.map((user) => app.as(user).post('/api/timer/stop')),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    for (const user of people) expect(await timerOf(user)).toBeNull();
  }
});
