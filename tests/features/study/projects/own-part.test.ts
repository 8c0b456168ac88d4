import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { assign, createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser();
  bob = await app.createUser();
});
afterAll(() => app.stop());

type Listed = { id: number; own_hours: number; own_last_session: string | null; current_hours: number };
const record = async (user: TestUser, project: number, started_at: string, minutes: number) =>
  (
    await app
      .as(user)
      .post(`/api/projects/${project}/sessions`, { started_at, duration_seconds: minutes * 60 })
      .expect(201)
  ).body.data.id as number;
const listOf = async (user: TestUser, query = ''): Promise<Listed[]> =>
  (await app.as(user).get(`/api/projects?limit=100${query}`).expect(200)).body.data.projects;
const ownTotals = async (user: TestUser, project: number) => {
  const { own_hours, own_last_session, current_hours } = (await app.as(user).get(`/api/projects/${project}`)).body.data;
  const listed = (await listOf(user)).find(({ id }) => id === project);
  expect(listed).toMatchObject({ own_hours, own_last_session, current_hours });
  return [own_hours, own_last_session, current_hours];
};

describe('the own hours on a project', () => {
  test('follow each write of a record, for its author only', async () => {
    const project = await createProject(app, admin);
    for (const user of [ann, bob]) await assign(app, project, user);
    expect(await ownTotals(ann, project)).toEqual([0, null, 0]);

    const first = await record(ann, project, '2026-02-01T08:00:00Z', 60);
    const second = await record(ann, project, '2026-02-02T08:00:00Z', 30);
    await record(bob, project, '2026-02-03T08:00:00Z', 15);
    expect(await ownTotals(ann, project)).toEqual([1.5, '2026-02-02T08:30:00.000Z', 1.75]);
    expect(await ownTotals(bob, project)).toEqual([0.25, '2026-02-03T08:15:00.000Z', 1.75]);
    expect(await ownTotals(admin, project)).toEqual([0, null, 1.75]);

    await app.as(ann).put(`/api/sessions/${second}`, { ended_at: '2026-02-02T08:06:00Z' }).expect(200);
    expect(await ownTotals(ann, project)).toEqual([1.1, '2026-02-02T08:06:00.000Z', 1.35]);
    await app.as(ann).delete(`/api/sessions/${second}`).expect(200);
    expect(await ownTotals(ann, project)).toEqual([1, '2026-02-01T09:00:00.000Z', 1.25]);
    await app.as(ann).delete(`/api/sessions/${first}`).expect(200);
    expect(await ownTotals(ann, project)).toEqual([0, null, 0.25]);

    await app.as(bob).post('/api/timer/start', { project_id: project }).expect(201);
    expect(await ownTotals(bob, project)).toEqual([0.25, '2026-02-03T08:15:00.000Z', 0.25]);
    const { ended_at } = (await app.as(bob).post('/api/timer/stop').expect(200)).body.data;
    expect((await ownTotals(bob, project))[1]).toBe(ended_at);
    await expectInvariants(app);
  });

  test('sort lists, projects without own records last', async () => {
    const user = await app.createUser();
    const [old, long, recent, never] = [
      await createProject(app, user, 'Old'),
      await createProject(app, user, 'Long'),
      await createProject(app, user, 'Recent'),
      await createProject(app, user, 'Never'),
    ];
    await record(user, old, '2026-01-01T08:00:00Z', 60);
    await record(user, long, '2026-01-02T08:00:00Z', 240);
    await record(user, recent, '2026-01-03T08:00:00Z', 30);
    const order = async (sort: string) => (await listOf(user, `&sort=${sort}`)).map(({ id }) => id);
    expect(await order('own_last_session&order=desc')).toEqual([recent, long, old, never]);
    expect(await order('own_last_session&order=asc')).toEqual([old, long, recent, never]);
    expect(await order('own_hours&order=desc')).toEqual([long, old, recent, never]);
    // A record also changes the order of pages that did not contain its project.
    const first = async () =>
      (await app.as(user).get('/api/projects?limit=1&sort=own_last_session')).body.data.projects[0].id;
    expect(await first()).toBe(recent);
    await record(user, old, '2026-01-04T08:00:00Z', 60);
    expect(await first()).toBe(old);
  });

  test('are exact after any mixture of concurrent writes', async () => {
    const users = [await app.createUser(), await app.createUser(), await app.createUser()];
    const projects = [await createProject(app, admin, 'One'), await createProject(app, admin, 'Two')];
    for (const project of projects) for (const user of users) await assign(app, project, user);
    const write = fc.record({
      user: fc.nat(2),
      project: fc.nat(1),
      hour: fc.nat(23),
      minutes: fc.integer({ min: 1, max: 59 }),
      next: fc.constantFrom('keep', 'shorten', 'delete'),
    });
    const [writes] = fc.sample(fc.array(write, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 7 });
    await Promise.all(
      (writes ?? []).map(async ({ user, project, hour, minutes, next }, index) => {
        const as = app.as(users[user]);
        const started_at = new Date(Date.UTC(2026, 2, 1 + index, hour)).toISOString();
        const body = { started_at, duration_seconds: minutes * 60 };
        const { id } = (await as.post(`/api/projects/${projects[project]}/sessions`, body).expect(201)).body.data;
        if (next === 'shorten') await as.put(`/api/sessions/${id}`, { duration_seconds: 30 }).expect(200);
        if (next === 'delete') await as.delete(`/api/sessions/${id}`).expect(200);
      }),
    );
    await expectInvariants(app);
  });
});

describe('projects filtered by assigned user', () => {
  test('are listed for administrators only', async () => {
    const teacher = await app.createUser({ role: 'admin' });
    const [ofAnn, ofBoth, ofNobody] = [
      await createProject(app, teacher, 'Of Ann'),
      await createProject(app, teacher, 'Of both'),
      await createProject(app, teacher, 'Of nobody'),
    ];
    await assign(app, ofAnn, ann);
    for (const user of [ann, bob]) await assign(app, ofBoth, user);
    const ids = async (query: string) => (await listOf(teacher, `&creator=me&order=asc${query}`)).map(({ id }) => id);
    expect(await ids(`&assigned_user_id=${ann.id}`)).toEqual([ofAnn, ofBoth]);
    expect(await ids(`&assigned_user_id=${bob.id}&search=both`)).toEqual([ofBoth]);
    expect(await ids('&assigned=none')).toEqual([ofNobody]);
    expect(await ids(`&assigned=none&assigned_user_id=${bob.id}`)).toEqual([]);

    const total = async (query: string) =>
      (await app.as(admin).get(`/api/projects?limit=1${query}`).expect(200)).body.data.pagination.total;
    const unassigned = await total('&assigned=none');
    await assign(app, ofNobody, bob);
    expect(await total('&assigned=none')).toBe(unassigned - 1);
    expect(await total('&assigned=none&status=paused')).toBe(0);

    for (const query of ['assigned=none', `assigned_user_id=${ann.id}`]) {
      const { body } = await app.as(ann).get(`/api/projects?${query}`).expect(403);
      expect(body.error.code).toBe('PERMISSION_DENIED');
    }
    await app.as(admin).get('/api/projects?assigned_user_id=ann').expect(400);
  });
});
