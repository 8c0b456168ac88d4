import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assign } from '../../../support/records.ts';
import type { TestUser } from '../../../support/test-app.ts';
import { type People, type StudyWorld, startStudyWorld } from '../statistics/study-world.ts';

let world: StudyWorld;
let people: People;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());
beforeEach(async () => {
  people = await world.at('2026-06-10T12:00:00Z');
});

async function createGoal(target_scope: 'shared' | 'each', owner: TestUser, assigned: TestUser[], target = 10) {
  const id = await world.createProject(owner, { target });
  await world.app.as(people.admin).put(`/api/projects/${id}`, { target_scope, due_date: '2026-06-20' }).expect(200);
  await world.app.query(`UPDATE projects SET created_at = '2026-06-01', plan_started_at = '2026-06-01' WHERE id = $1`, [
    id,
  ]);
  await assign(world.app, id, ...assigned);
  await world.app.query(`UPDATE project_assignments SET assigned_at = '2026-06-01' WHERE project_id = $1`, [id]);
  return id;
}
const dataOf = async (user: TestUser, path: string) => (await world.app.as(user).get(path).expect(200)).body.data;
const projectOf = (user: TestUser, id: number) => dataOf(user, `/api/projects/${id}`);
const forecastOf = (user: TestUser, id: number) => dataOf(user, `/api/projects/${id}/forecast`);
const atRisk = async (user: TestUser) =>
  (await dataOf(user, '/api/dashboard')).goals_at_risk.map(({ project_id }: { project_id: number }) => project_id);
const goalsOf = async ({ username }: TestUser) =>
  (await dataOf(people.admin, `/api/admin/progress?search=${username}`)).users[0].goals;
const inState = async (user: TestUser, state: string) =>
  (await dataOf(user, `/api/projects?state=${state}`)).projects.map(({ id }: { id: number }) => id);

describe('a target that all users share', () => {
  test('is the goal of the group, not of a member', async () => {
    const { admin, ann, bob } = people;
    const id = await createGoal('shared', admin, [ann, bob]);
    await world.record(id, bob, '2026-06-09T00:00:00Z', 540); // 9 of 10 hours
    expect(await goalsOf(ann)).toMatchObject({ behind: 0, near: 0 });
    expect(await goalsOf(bob)).toMatchObject({ behind: 0, near: 0 });
    expect(await atRisk(ann)).toEqual([]);
    expect(await projectOf(ann, id)).toMatchObject({ progress: 90, own_progress: 0, target_scope: 'shared' });
    expect(await projectOf(bob, id)).toMatchObject({ progress: 90, own_progress: 90 });
    for (const user of [admin, ann, bob])
      expect(await forecastOf(user, id)).toMatchObject({ hours_of: 'all', remaining_hours: 1, state: 'ahead' });
  });

  test('is the goal of an owner who has the project to themselves', async () => {
    const { ann } = people;
    const id = await createGoal('shared', ann, []);
    expect(await goalsOf(ann)).toMatchObject({ behind: 1, near: 0 });
    expect(await atRisk(ann)).toEqual([id]);
    await world.record(id, ann, '2026-06-09T00:00:00Z', 480);
    expect(await goalsOf(ann)).toMatchObject({ behind: 0, near: 1 });
    expect(await forecastOf(ann, id)).toMatchObject({ hours_of: 'caller', state: 'ahead', remaining_hours: 2 });
  });
});

describe('a target for each user', () => {
  test('is forecast for administrators as each user sees it, in the days of that user', async () => {
    const { admin, ann, bob } = people;
    const id = await createGoal('each', admin, [ann, bob]);
    await world.record(id, ann, '2026-06-09T00:00:00Z', 240);
    await world.app.as(bob).put('/api/auth/me', { timezone: 'Pacific/Kiritimati' }).expect(200);
    for (const user of [ann, bob])
      expect(await dataOf(admin, `/api/projects/${id}/forecast?user_id=${user.id}`)).toEqual(
        await forecastOf(user, id),
      );
    await world.app.as(ann).get(`/api/projects/${id}/forecast?user_id=${bob.id}`).expect(403);
    await world.app.as(admin).get(`/api/projects/${id}/forecast?user_id=999999`).expect(404);
  });

  test('is not started for a week after the assignment, and behind from then on', async () => {
    const { admin, ann, bob } = people;
    const id = await createGoal('each', admin, [ann, bob]);
    const assignedOn = (day: string) =>
      world.app.query('UPDATE project_assignments SET assigned_at = $2 WHERE project_id = $1', [id, day]);
    await assignedOn('2026-06-03T00:00:00Z');
    expect(await goalsOf(ann)).toMatchObject({ not_started: 1, behind: 0, total: 1 });
    expect(await forecastOf(ann, id)).toMatchObject({ state: 'not_started', behind_hours: 0, began_on: '2026-06-03' });
    expect([await atRisk(ann), await inState(ann, 'not_started')]).toEqual([[], [id]]);
    await assignedOn('2026-06-02T23:59:59Z');
    expect(await goalsOf(ann)).toMatchObject({ not_started: 0, behind: 1, total: 1 });
    expect(await forecastOf(ann, id)).toMatchObject({ state: 'behind', behind_hours: 4.44, began_on: '2026-06-02' });
    expect([await atRisk(ann), await inState(ann, 'behind')]).toEqual([[id], [id]]);
  });

  test('is the goal of every assigned user, with their own hours', async () => {
    const { admin, ann, bob } = people;
    const id = await createGoal('each', admin, [ann, bob]);
    await world.record(id, bob, '2026-06-09T00:00:00Z', 540);
    expect(await goalsOf(ann)).toMatchObject({ behind: 1, overdue: 0, ahead: 0, near: 0, total: 1 });
    expect(await goalsOf(bob)).toMatchObject({ behind: 0, overdue: 0, ahead: 1, near: 1, total: 1 });
    expect([await atRisk(ann), await atRisk(bob), await atRisk(admin)]).toEqual([[id], [], []]);
    expect([await inState(ann, 'behind'), await inState(bob, 'ahead')]).toEqual([[id], [id]]);
    expect(await forecastOf(ann, id)).toMatchObject({ hours_of: 'caller', remaining_hours: 10, state: 'behind' });
    expect(await forecastOf(bob, id)).toMatchObject({ hours_of: 'caller', remaining_hours: 1, state: 'ahead' });
    // Others see the mean.
    expect(await forecastOf(admin, id)).toMatchObject({ hours_of: 'average', remaining_hours: 5.5 });
    // The customer's figures stay those of the whole project.
    expect(await projectOf(ann, id)).toMatchObject({ current_hours: 9, progress: 90, own_progress: 0 });
  });

  test('counts a member whose target is reached as neither behind nor near', async () => {
    const { admin, ann } = people;
    const id = await createGoal('each', admin, [ann]);
    await world.record(id, ann, '2026-06-09T00:00:00Z', 600);
    expect(await goalsOf(ann)).toMatchObject({ behind: 0, near: 0 });
    expect(await inState(ann, 'done')).toEqual([id]);
  });
});

test('someone who never studied is near no goal', async () => {
  const { admin, ann, bob } = people;
  for (const scope of ['shared', 'each'] as const) {
    const id = await createGoal(scope, admin, [ann, bob]);
    await world.record(id, bob, `2026-06-0${scope === 'each' ? 8 : 9}T00:00:00Z`, 540);
  }
  const owned = await createGoal('shared', ann, [bob]);
  await world.record(owned, bob, '2026-06-07T00:00:00Z', 540);
  expect(await goalsOf(ann)).toMatchObject({ near: 0 });
});

test('the number of members is shown to those who manage the project, and to members from five on', async () => {
  const { admin, ann, bob } = people;
  const id = await createGoal('shared', bob, [ann]);
  const counts = async () =>
    Promise.all([admin, bob, ann].map(async (user) => (await projectOf(user, id)).members_count));
  expect(await counts()).toEqual([1, 1, null]);
  const others = await Promise.all([1, 2, 3].map(() => world.app.createUser()));
  await assign(world.app, id, ...others);
  expect(await counts()).toEqual([4, 4, null]);
  const listed = async () => (await dataOf(ann, '/api/projects')).projects[0].members_count;
  expect(await listed()).toBeNull();
  await assign(world.app, id, await world.app.createUser());
  expect(await counts()).toEqual([5, 5, 5]);
  expect(await listed()).toBe(5);
});

test('a project has a color, by default one that follows from its id', async () => {
  const { ann } = people;
  const { id, color, target_scope } = (await world.app.as(ann).post('/api/projects', { name: 'Piano' }).expect(201))
    .body.data;
  expect({ color, target_scope }).toEqual({ color: ((id - 1) % 12) + 1, target_scope: 'shared' });
  const project = await projectOf(ann, id);
  const same = (await world.app.as(ann).put(`/api/projects/${id}`, project).expect(200)).body.data;
  expect(same.updated_at).toBe(project.updated_at);
  await world.app.as(ann).put(`/api/projects/${id}`, { color: 13 }).expect(400);
  await world.app.as(ann).put(`/api/projects/${id}`, { target_scope: 'all' }).expect(400);
  await world.app.as(ann).put(`/api/projects/${id}`, { color: 12, target_scope: 'each' }).expect(200);
  expect((await dataOf(ann, '/api/projects')).projects[0]).toMatchObject({ color: 12, target_scope: 'each' });
});

describe('the forecasts of several projects', () => {
  const listOf = (user: TestUser, ids: unknown, more = '') => dataOf(user, `/api/forecasts?project_ids=${ids}${more}`);

  test('are those of each one, in the order of the request; projects that the caller may not see are left out', async () => {
    const { admin, ann, bob } = people;
    const each = await createGoal('each', admin, [ann, bob]);
    const shared = await createGoal('shared', admin, [ann]);
    const ofBob = await createGoal('shared', bob, []);
    await world.record(each, ann, '2026-06-09T00:00:00Z', 90);
    await world.record(each, bob, '2026-06-08T00:00:00Z', 200);
    await world.record(shared, ann, '2026-06-08T00:00:00Z', 45);
    for (const user of [ann, bob, admin]) {
      const visible = [shared, each, ofBob].filter(
        (id) => user === admin || id === each || (id === shared) === (user === ann),
      );
      const expected = [];
      for (const id of visible) expected.push({ project_id: id, forecast: await forecastOf(user, id) });
      expect(await listOf(user, [shared, each, ofBob, 999_999, shared])).toEqual(expected);
    }
    const [ofAnn] = await listOf(admin, each, `&user_id=${ann.id}`);
    expect(ofAnn).toEqual({ project_id: each, forecast: await forecastOf(ann, each) });
    await world.app.as(bob).get(`/api/forecasts?project_ids=${each}&user_id=${ann.id}`).expect(403);
    await world.app.as(admin).get(`/api/forecasts?project_ids=${each}&user_id=999999`).expect(404);
  });

  test.each(['', '1,,2', '1, 2', '0', '-1', 'a', Array.from({ length: 51 }, (_, index) => index + 1).join()])(
    'project_ids=%s is refused',
    async (ids) => {
      const { body } = await world.app
        .as(people.ann)
        .get(`/api/forecasts?project_ids=${encodeURIComponent(ids)}`)
        .expect(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'project_ids' }] });
    },
  );
});
