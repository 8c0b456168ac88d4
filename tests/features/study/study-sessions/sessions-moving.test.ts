import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { raceAgainstLock } from '../../../support/locks.ts';
import { assign, createProject, figures, trueFigures, unassign } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let app: TestApp;
let user: TestUser;
let owner: TestUser;
let admin: TestUser;
let algebra: number;
let shared: number;

beforeAll(async () => {
  app = await startTestApp({ clock });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  user = await app.createUser();
  owner = await app.createUser();
  algebra = await createProject(app, user, 'Algebra');
  shared = await createProject(app, owner, 'Shared');
  await assign(app, shared, user);
});
afterEach(async () => {
  for (const id of [algebra, shared]) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
});

const morning = { started_at: '2026-02-01T08:00:00Z', ended_at: '2026-02-01T09:00:00Z' };
const record = async (project = algebra, times: object = morning): Promise<number> =>
  (await app.as(user).post(`/api/projects/${project}/sessions`, times).expect(201)).body.data.id;
const move = (id: number, project_id: number, more: object = {}, by = user) =>
  app.as(by).put(`/api/sessions/${id}`, { project_id, ...more });
/** Makes the projects active since the start of 2026. */
const activateSince2026 = () => app.query(`UPDATE project_status_changes SET changed_at = '2026-01-01T00:00:00Z'`);

describe('a record', () => {
  test('can be moved to another project with its hours, and is visible to the owner there', async () => {
    const id = await record();
    const { data } = (await move(id, shared, { note: 'rings' }).expect(200)).body;
    expect(data).toMatchObject({ id, project_id: shared, project_name: 'Shared', note: 'rings', hours: 1 });
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 0, sessions_count: 0 });
    expect(await figures(app, shared)).toMatchObject({ current_seconds: 3600, sessions_count: 1 });
    const of = async (by: TestUser, path: string) => (await app.as(by).get(path).expect(200)).body.data.sessions;
    expect(await of(owner, '/api/sessions')).toEqual([expect.objectContaining({ id })]);
    expect(await of(user, `/api/projects/${algebra}/sessions`)).toEqual([]);
    await move(id, algebra).expect(200);
    expect(await of(owner, '/api/sessions')).toEqual([]);
    await app.as(owner).get(`/api/sessions/${id}`).expect(403);
  });

  test('can change its times while being moved', async () => {
    const id = await record();
    await move(id, shared, { duration_seconds: 600 }).expect(200);
    expect(await figures(app, shared)).toMatchObject({ current_seconds: 600, sessions_count: 1 });
    const other = await record(algebra, { started_at: '2026-02-01T10:00:00Z', duration_seconds: 60 });
    expect((await move(other, shared, { started_at: '2026-02-01T08:05:00Z' }).expect(409)).body.error).toMatchObject({
      code: 'SESSION_OVERLAP',
      details: [{ message: String(id) }, {}, {}, {}],
    });
    expect((await app.as(user).get(`/api/sessions/${other}`)).body.data.project_id).toBe(algebra);
  });

  test('earns achievements on the project it is moved to', async () => {
    const late = { started_at: '2026-02-01T23:00:00Z', duration_seconds: 600 };
    const id = await record(algebra, late);
    const earned = async (project: number) =>
      (await app.query('SELECT FROM project_achievements WHERE project_id = $1', [project])).length;
    expect(await earned(shared)).toBe(0);
    await move(id, shared).expect(200);
    expect(await earned(shared)).toBeGreaterThan(0);
  });

  test('can be moved only to a project where its author could record it', async () => {
    await activateSince2026();
    const id = await record();
    const foreign = await createProject(app, owner, 'Foreign');
    expect((await move(id, foreign).expect(403)).body.error.message).toMatch(/You do not have permission/);
    expect((await move(id, foreign, {}, admin).expect(403)).body.error.message).toMatch(/author/);
    await move(id, shared, {}, owner).expect(403);
    await move(id, 999_999).expect(404);
    for (const wrong of ['1', 0, null, 1.5])
      expect(
        (await app.as(user).put(`/api/sessions/${id}`, { project_id: wrong }).expect(400)).body.error.details,
      ).toEqual([expect.objectContaining({ field: 'project_id' })]);
    await app.as(owner).put(`/api/projects/${shared}`, { status: 'paused' }).expect(200);
    const today = await record(algebra, {
      started_at: new Date(clock().getTime() - 60_000).toISOString(),
      duration_seconds: 30,
    });
    await move(id, shared).expect(200); // it was active when the record began
    await app.query(
      `UPDATE project_status_changes SET changed_at = now() - interval '1 hour' WHERE to_status = 'paused'`,
    );
    expect((await move(today, shared).expect(409)).body.error.code).toBe('PROJECT_NOT_ACTIVE');
    await unassign(app, shared, user);
    await move(id, shared).expect(200); // unchanged project
    await move(today, shared).expect(403);
    await move(id, algebra).expect(200);
    await app.as(owner).delete(`/api/projects/${shared}`).expect(200);
    await move(id, shared).expect(404);
  });

  test('moved by an administrator is in the audit log', async () => {
    const id = await record();
    await move(id, shared, {}, admin).expect(200);
    const { entries } = (await app.as(admin).get('/api/admin/audit').expect(200)).body.data;
    expect(entries[0]).toMatchObject({ action: 'updateSession', target_ids: [id] });
    expect(JSON.stringify(entries[0])).toContain(String(shared));
  });
});

test('the running timer can be moved', async () => {
  const { id } = (await app.as(user).post('/api/timer/start', { project_id: algebra }).expect(201)).body.data;
  await move(id, shared).expect(200);
  expect((await app.as(user).get('/api/timer').expect(200)).body.data).toMatchObject({ id, project_id: shared });
  await activateSince2026();
  const paused = await createProject(app, user, 'Paused', 'paused');
  await move(id, paused).expect(409);
  const { data } = (await app.as(user).post('/api/timer/stop').expect(200)).body;
  expect(data).toMatchObject({ id, project_id: shared, duration_seconds: 1 });
  expect(await figures(app, shared)).toMatchObject({ current_seconds: 1, sessions_count: 1 });
});

describe('concurrently', () => {
  const of = (...ids: number[]) => `SELECT FROM projects WHERE id IN (${ids.join(', ')}) ORDER BY id FOR NO KEY UPDATE`;

  test('records moved in both directions cause no deadlock and no wrong total', async () => {
    const third = await createProject(app, user, 'Third');
    const projects = [algebra, shared, third];
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        record(projects[index % 3], { started_at: `2026-03-${10 + index}T08:00:00Z`, duration_seconds: 100 + index }),
      ),
    );
    for (let round = 1; round <= 3; round += 1) {
      const responses = await Promise.all(
        ids.flatMap((id, index) => [
          move(id, projects[(index + round) % 3] ?? 0),
          move(id, projects[(index + 2 * round) % 3] ?? 0, { note: `round ${round}` }, admin),
        ]),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      for (const id of projects) expect(await figures(app, id)).toEqual(await trueFigures(app, id));
    }
  });

  test('a move to a project that is being deleted either succeeds before or fails', async () => {
    const id = await record();
    const [moved, deleted] = await raceAgainstLock(app, of(algebra, shared), 2, () =>
      Promise.all([move(id, shared), app.as(owner).delete(`/api/projects/${shared}`)]),
    );
    expect(deleted.status).toBe(200);
    const { data } = (await app.as(user).get(`/api/sessions/${id}`).expect(200)).body;
    expect([moved.status, data.project_id]).toEqual(moved.status === 200 ? [200, shared] : [404, algebra]);
  });

  test('moving, correcting and deleting a record leave consistent totals', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await record();
      const [moved, corrected, deleted] = await raceAgainstLock(app, of(algebra), 1, () =>
        Promise.all([
          move(id, shared),
          app.as(user).put(`/api/sessions/${id}`, { duration_seconds: 60 }),
          app.as(user).delete(`/api/sessions/${id}`),
        ]),
      );
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(moved.status);
      expect([200, 404]).toContain(corrected.status);
      for (const project of [algebra, shared])
        expect(await figures(app, project)).toEqual({ current_seconds: 0, current_hours: 0, sessions_count: 0 });
    }
  });
});
