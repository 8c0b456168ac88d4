import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession } from '../../../support/records.ts';
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
  const { admin, ann } = await world.at('2026-06-10T12:00:00Z');
  const id = await world.createProject(ann, { target: 100 });
  await world.app.as(ann).put(`/api/projects/${id}`, { due_date: '2026-06-30' }).expect(200);
  await study(id, ann, '2026-06-01T00:00:00Z', [86_400, 86_400, 86_400, 86_400, 14_399]);

  async function places() {
    const [listed] = (await dataOf(ann, '/api/projects')).projects;
    const project = await dataOf(ann, `/api/projects/${id}`);
    const listedAsDone = (await dataOf(ann, '/api/projects?state=done')).projects.length;
    const forecast = await dataOf(ann, `/api/projects/${id}/forecast`);
    const [student] = (await dataOf(admin, `/api/admin/progress?search=${ann.username}`)).users;
    const hours = await dataOf(admin, `/api/admin/progress/projects?search=${ann.username}`);
    const report = await dataOf(admin, `/api/reports/students/${ann.id}?from=2026-06-01&to=2026-06-10`);
    const { body: synced } = await world.app.as(ann).get('/api/sync').expect(200);
    return {
      progress: [listed.progress, listed.own_progress, project.progress, project.own_progress],
      state: forecast.state,
      listedAsDone,
      remaining: forecast.remaining_hours,
      done: student.goals.done,
      all: JSON.stringify([hours, report, synced.data]),
    };
  }
  const before = await places();
  expect(before).toMatchObject({ progress: [99.99, 99.99, 99.99, 99.99], remaining: 0.01, done: 0, listedAsDone: 0 });
  expect(before.state).not.toBe('done');
  expect(before.all).not.toMatch(/"(own_)?progress":100\b/);

  await study(id, ann, '2026-06-06T00:00:00Z', [1]);
  const after = await places();
  expect(after).toMatchObject({
    progress: [100, 100, 100, 100],
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
