import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assign } from '../../../support/records.ts';
import type { TestApp, TestUser } from '../../../support/test-app.ts';
import { type StudyWorld, startStudyWorld } from './study-world.ts';

let world: StudyWorld;
let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  world = await startStudyWorld();
  app = world.app;
});
afterAll(() => app.stop());
beforeEach(async () => {
  ({ admin, ann, bob } = await world.at('2026-02-18T10:00:00Z')); // a Wednesday in the ISO week 2026-W08
});

describe('statistics of a project', () => {
  test('are zero without records', async () => {
    expect(await world.statsOf(await world.createProject(ann), ann)).toEqual({
      total_sessions: 0,
      total_hours: 0,
      average_session_length: 0,
      longest_session: 0,
      shortest_session: 0,
      study_days: 0,
      current_streak: 0,
      longest_streak: 0,
      completion_rate: 0,
      weekly_progress: [],
      daily: expect.any(Array),
    });
  });

  test('include the finished records of all users, in hours with two decimals', async () => {
    const project = await world.createProject(ann, { target: 10 });
    await world.record(project, ann, '2026-02-16T08:00:00Z', 50);
    await world.record(project, ann, '2026-02-17T08:00:00Z', 100);
    await world.record(project, bob, '2026-02-17T08:00:00Z', 25);
    await world.startTimer(project, ann, '2026-02-18T09:00:00Z');
    expect(await world.statsOf(project, ann)).toEqual({
      total_sessions: 3,
      total_hours: 2.92,
      average_session_length: 0.97,
      longest_session: 1.67,
      shortest_session: 0.42,
      study_days: 2,
      current_streak: 2,
      longest_streak: 2,
      completion_rate: 29.17,
      weekly_progress: [{ week: '2026-W08', hours: 2.92 }],
      daily: expect.any(Array),
    });
  });

  test('include the last 371 days of all users or one user, in the requested time zone', async () => {
    const project = await world.createProject(ann);
    await assign(app, project, bob);
    await world.record(project, ann, '2026-02-17T23:30:00Z', 60);
    await world.record(project, bob, '2026-02-17T08:00:00Z', 15);
    const days = async (query = '') => (await world.statsOf(project, ann, query)).daily;
    const all = await days();
    expect(all).toHaveLength(371);
    expect(all[0]).toEqual({ date: '2025-02-13', hours: 0 });
    const last = (list: { hours: number }[]) => list.slice(-3).map(({ hours }) => hours);
    expect(last(all)).toEqual([0, 0.75, 0.5]);
    expect(last(await days(`?user_id=${bob.id}`))).toEqual([0, 0.25, 0]);
    expect(last(await days(`?user_id=${ann.id}&tz=Asia/Shanghai`))).toEqual([0, 0, 1]);
  });

  test('of oneself need access to the project, those of another user the owner or an administrator', async () => {
    const project = await world.createProject(ann);
    await assign(app, project, bob);
    await world.record(project, ann, '2026-02-16T08:00:00Z', 60);
    await world.record(project, bob, '2026-02-16T08:00:00Z', 30);
    expect((await world.statsOf(project, bob, `?user_id=${bob.id}`)).total_hours).toBe(0.5);
    expect((await world.statsOf(project, ann, `?user_id=${bob.id}`)).total_hours).toBe(0.5);
    expect((await world.statsOf(project, admin, `?user_id=${ann.id}`)).total_hours).toBe(1);
    expect((await world.statsOf(project, bob)).total_hours).toBe(1.5);
    const rejected = await app.as(bob).get(`/api/projects/${project}/stats?user_id=${ann.id}`).expect(403);
    expect(rejected.body.error.code).toBe('PERMISSION_DENIED');
  });

  test('need access to the project, and are 404 for a deleted one', async () => {
    const project = await world.createProject(ann);
    await app.as(bob).get(`/api/projects/${project}/stats`).expect(403);
    await app.as(bob).get(`/api/projects/${project}/stats?weeks=0`).expect(403);
    await assign(app, project, bob);
    await app.as(bob).get(`/api/projects/${project}/stats`).expect(200);
    await app.query('DELETE FROM project_assignments WHERE project_id = $1', [project]);
    await app.as(bob).get(`/api/projects/${project}/stats`).expect(403);
    await app.as(admin).get(`/api/projects/${project}/stats`).expect(200);
    await app.anonymous.get(`/api/projects/${project}/stats`).expect(401);
    await app.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project]);
    await app.as(ann).get(`/api/projects/${project}/stats`).expect(404);
    await app.as(ann).get('/api/projects/999999999999999999999/stats').expect(404);
    await app.as(ann).get('/api/projects/1x/stats').expect(400);
  });

  test.each(['tz=Mars/Olympus', 'tz=%2B08:00', 'weeks=0', 'weeks=105', 'weeks=x', 'weeks=1&weeks=2', 'user_id=me'])(
    'reject %s',
    async (query) => {
      const response = await app
        .as(ann)
        .get(`/api/projects/${await world.createProject(ann)}/stats?${query}`)
        .expect(400);
      expect(response.body.error.details[0].field).toBe(query.split('=')[0]);
    },
  );

  test('completion is the progress, or 100 for a completed project', async () => {
    const project = await world.createProject(ann, { target: 4 });
    await world.record(project, ann, '2026-02-16T08:00:00Z', 60);
    expect((await world.statsOf(project, ann)).completion_rate).toBe(25);
    await world.changeStatus(project, 'paused', '2026-02-17T00:00:00Z');
    expect((await world.statsOf(project, ann)).completion_rate).toBe(25);
    await world.changeStatus(project, 'completed', '2026-02-17T00:00:00Z');
    expect((await world.statsOf(project, ann)).completion_rate).toBe(100);
  });
});

describe('weeks', () => {
  test('from the first with a record to the current one, oldest first, with zeros for gaps', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, ['2026-01-28', '2026-02-11']);
    expect((await world.statsOf(project, ann)).weekly_progress).toEqual([
      { week: '2026-W05', hours: 1 },
      { week: '2026-W06', hours: 0 },
      { week: '2026-W07', hours: 1 },
      { week: '2026-W08', hours: 0 },
    ]);
    expect(
      (await world.statsOf(project, ann, '?weeks=2')).weekly_progress.map((entry: { week: string }) => entry.week),
    ).toEqual(['2026-W07', '2026-W08']);
  });

  test('twelve by default, even without records', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, ['2024-01-28']);
    const { weekly_progress: weeks, total_hours } = await world.statsOf(project, ann);
    expect(weeks).toHaveLength(12);
    expect(weeks.every((entry: { hours: number }) => entry.hours === 0)).toBe(true);
    expect(total_hours).toBe(1);
    expect((await world.statsOf(project, ann, '?weeks=104')).weekly_progress).toHaveLength(104);
  });

  test('days around New Year belong to the ISO week of their Thursday', async () => {
    ({ ann } = await world.at('2021-01-05T10:00:00Z'));
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, ['2020-12-31', '2021-01-01', '2021-01-03', '2021-01-04']);
    expect((await world.statsOf(project, ann)).weekly_progress).toEqual([
      { week: '2020-W53', hours: 3 },
      { week: '2021-W01', hours: 1 },
    ]);
  });

  test('a record across midnight on Sunday counts for both weeks, depending on the time zone', async () => {
    const project = await world.createProject(ann);
    await world.record(project, ann, '2026-02-15T15:30:00Z', 60); // 23:30–00:30 in Shanghai
    expect((await world.statsOf(project, ann, '?tz=Asia/Shanghai')).weekly_progress).toEqual([
      { week: '2026-W07', hours: 0.5 },
      { week: '2026-W08', hours: 0.5 },
    ]);
    expect((await world.statsOf(project, ann, '?tz=UTC')).weekly_progress[0]).toEqual({ week: '2026-W07', hours: 1 });
  });
});
