import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession, assign, createProject } from '../../../support/records.ts';
import type { TestUser } from '../../../support/test-app.ts';
import { type StudyWorld, startStudyWorld } from '../statistics/study-world.ts';

let world: StudyWorld;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());

const dataOf = async (user: TestUser, path: string) => (await world.app.as(user).get(path).expect(200)).body.data;

/** Records of these seconds, one a day from a day on. */
async function study(project_id: number, user: TestUser, from: string, seconds: readonly number[]): Promise<void> {
  for (const [index, length] of seconds.entries()) {
    const start = new Date(Date.parse(from) + index * 86_400_000);
    const end = new Date(start.getTime() + length * 1000);
    const times = { started_at: start.toISOString(), ended_at: end.toISOString() };
    await addSession(world.app, { project_id, user_id: user.id, ...times });
  }
}

test('a target that lacks one second is not reached in any place', async () => {
  const { admin, ann, bob } = await world.at('2026-06-10T12:00:00Z');
  const id = await world.createProject(ann, { target: 100 });
  await assign(world.app, id, ann);
  const eachId = await createProject(world.app, admin, 'Each', 'active', { target_hours: 2, target_scope: 'each' });
  const carol = await world.app.createUser();
  await assign(world.app, eachId, bob, carol);
  const classOf = { name: 'Nearly there', user_ids: [ann.id, bob.id, carol.id] };
  const group = (await world.app.as(admin).post('/api/admin/groups', classOf).expect(201)).body.data.id;
  await world.app.as(ann).put(`/api/projects/${id}`, { due_date: '2026-06-30' }).expect(200);
  await study(id, ann, '2026-06-01T00:00:00Z', [86_400, 86_400, 86_400, 86_400, 14_399]);
  await study(eachId, bob, '2026-06-01T00:00:00Z', [7199]); // what others do beyond the target does not make up for it
  await study(eachId, carol, '2026-06-07T00:00:00Z', [20_000]);

  async function places() {
    const [listed] = (await dataOf(ann, '/api/projects?search=Algebra')).projects;
    const project = await dataOf(ann, `/api/projects/${id}`);
    const listedAsDone = (await dataOf(ann, '/api/projects?state=done')).projects.length;
    const forecast = await dataOf(ann, `/api/projects/${id}/forecast`);
    const [student] = (await dataOf(admin, `/api/admin/progress?search=${ann.username}`)).users;
    const hours = await dataOf(admin, `/api/admin/progress/projects?search=${ann.username}`);
    const report = await dataOf(admin, `/api/reports/students/${ann.id}?from=2026-06-01&to=2026-06-10`);
    const [member] = await dataOf(ann, `/api/projects/${id}/members`);
    const { projects } = await dataOf(admin, `/api/admin/groups/${group}/statistics`);
    const ofClass = (project: number) =>
      projects.find((one: { project_id: number }) => one.project_id === project).progress;
    const ofReport = report.projects.find(({ name }: { name: string }) => name === 'Algebra').progress;
    const { body: synced } = await world.app.as(ann).get('/api/sync').expect(200);
    return {
      progress: [listed.progress, listed.own_progress, project.progress, project.own_progress, member.progress],
      others: [ofReport, ofClass(id), ofClass(eachId)],
      state: forecast.state,
      listedAsDone,
      remaining: forecast.remaining_hours,
      done: student.goals.done,
      all: JSON.stringify([hours, report, synced.data]),
    };
  }
  const before = await places();
  expect(before).toMatchObject({ remaining: 0.01, done: 0, listedAsDone: 0, others: [99.99, 99.99, 99.99] });
  expect(before.progress).toEqual([99.99, 99.99, 99.99, 99.99, 99.99]);
  expect(before.state).not.toBe('done');
  expect(before.all).not.toMatch(/"(own_)?progress":100\b/);

  await study(id, ann, '2026-06-06T00:00:00Z', [1]);
  await study(eachId, bob, '2026-06-06T00:00:00Z', [1]);
  const after = await places();
  expect(after).toMatchObject({
    progress: [100, 100, 100, 100, 100],
    others: [100, 100, 100],
    remaining: 0,
    done: 1,
    listedAsDone: 1,
    state: 'done',
  });
});

test('a record counts for days, streaks and awards from 60 seconds on', async () => {
  const { admin, ann, bob } = await world.at('2026-06-10T12:00:00Z');
  for (const [user, length] of [[ann, 59] as const, [bob, 60] as const]) {
    const id = await world.createProject(user);
    for (const started_at of ['2026-06-08T05:00:00Z', '2026-06-09T05:00:00Z'])
      await world.app
        .as(user)
        .post(`/api/projects/${id}/sessions`, { started_at, duration_seconds: length })
        .expect(201);
    const days = length < 60 ? 0 : 2;
    const stats = await dataOf(user, '/api/stats?from=2026-06-01&to=2026-06-10');
    expect(stats).toMatchObject({ study_days: days, current_streak: days, longest_streak: days });
    expect(await dataOf(user, `/api/projects/${id}/stats`)).toMatchObject({ current_streak: days });
    const awards: { earned_at: string | null }[] = await dataOf(user, '/api/achievements');
    expect(awards.filter(({ earned_at }) => earned_at !== null)).toHaveLength(length < 60 ? 0 : 2); // the first record, and an early one
    const [student] = (await dataOf(admin, `/api/admin/progress?search=${user.username}`)).users;
    expect(student.current_streak).toBe(days);
    const report = await dataOf(admin, `/api/reports/students/${user.id}?from=2026-06-01&to=2026-06-10`);
    expect(report.study_days).toBe(days);
  }
});
