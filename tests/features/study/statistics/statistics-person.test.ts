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

describe('statistics of a user', () => {
  const stats = async (user: TestUser, query = '') =>
    (await app.as(user).get(`/api/stats${query}`).expect(200)).body.data;

  test('are zero without records, and include the last 371 days', async () => {
    const figures = await stats(ann);
    expect(figures).toMatchObject({
      total_sessions: 0,
      completion_rate: 0,
      weekly_progress: [],
      today_hours: 0,
      week_hours: 0,
      by_category: [],
      by_project: [],
      running_timer: null,
    });
    expect(figures.daily).toHaveLength(371);
    expect(figures.daily[0]).toEqual({ date: '2025-02-13', hours: 0 });
    expect(figures.daily.at(-1)).toEqual({ date: '2026-02-18', hours: 0 });
  });

  test('leave the days out on request, also of a project and of a period, and are otherwise the same', async () => {
    const project = await world.createProject(ann, { name: 'Geometry' });
    const ofProject = async (query = '') =>
      (await app.as(ann).get(`/api/projects/${project}/stats${query}`).expect(200)).body.data;
    expect(await stats(ann, '?daily=false')).toEqual({ ...(await stats(ann)), daily: [] });
    const period = 'from=2026-02-01&to=2026-02-18';
    expect(await stats(ann, `?daily=false&${period}`)).toEqual({ ...(await stats(ann, `?${period}`)), daily: [] });
    expect(await ofProject('?daily=false')).toEqual({ ...(await ofProject()), daily: [] });
    expect((await ofProject('?daily=true')).daily).toHaveLength(371);
  });

  test('include the user’s records on all projects, including deleted and paused ones', async () => {
    const algebra = await world.createProject(ann, { name: 'Algebra', target: 4 });
    const piano = await world.createProject(bob, { name: 'Piano', status: 'paused' });
    await app.query("UPDATE projects SET category = 'hobby', color = 9 WHERE id = $1", [piano]);
    await world.record(algebra, ann, '2026-02-15T23:30:00Z', 60);
    await world.record(piano, ann, '2026-02-17T10:00:00Z', 30);
    await world.record(piano, bob, '2026-02-17T10:00:00Z', 600);
    await world.record(piano, ann, '2026-02-18T09:00:00Z', 15);
    await app.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [piano]);
    const figures = await stats(ann);
    expect(figures).toMatchObject({
      total_sessions: 3,
      total_hours: 1.75,
      study_days: 4,
      current_streak: 4,
      completion_rate: 25,
      today_hours: 0.25,
      week_hours: 1.25,
      weekly_progress: [
        { week: '2026-W07', hours: 0.5 },
        { week: '2026-W08', hours: 1.25 },
      ],
      by_category: [
        { category: 'other', hours: 1 },
        { category: 'hobby', hours: 0.75 },
      ],
      by_project: [
        { project_id: algebra, project_name: 'Algebra', hours: 1 },
        { project_id: piano, project_name: 'Piano', category: 'hobby', color: 9, hours: 0.75 },
      ],
    });
    expect(figures.daily.slice(-4).map((entry: { hours: number }) => entry.hours)).toEqual([0.5, 0.5, 0.5, 0.25]);
  });

  test('completion is the average of active projects with a target, own and assigned', async () => {
    await world.record(await world.createProject(ann, { target: 2 }), ann, '2026-02-16T08:00:00Z', 60); // 50
    await world.createProject(ann); // no target
    await world.createProject(ann, { target: 5, status: 'paused' });
    const assigned = await world.createProject(bob, { target: 10 });
    await assign(app, assigned, ann);
    await world.record(assigned, bob, '2026-02-16T08:00:00Z', 60); // 10
    expect((await stats(ann)).completion_rate).toBe(30);
  });

  test('include the twenty projects with the most hours', async () => {
    const projects: number[] = [];
    for (let index = 0; index < 22; index += 1) {
      const project = await world.createProject(ann, { name: `Project ${index}` });
      projects.push(project);
      await world.record(project, ann, `2026-01-${String(index + 1).padStart(2, '0')}T08:00:00Z`, 30 + index);
    }
    const { by_project: shown, by_category: categories } = await stats(ann);
    expect(shown.map((entry: { project_id: number }) => entry.project_id)).toEqual(projects.slice(2).reverse());
    expect(categories).toEqual([{ category: 'other', hours: 14.85 }]);
  });

  test('include the running timer with its current duration', async () => {
    const project = await world.createProject(ann, { name: 'Piano' });
    await world.startTimer(project, ann, '2026-02-18T08:30:00Z');
    expect((await stats(ann)).running_timer).toMatchObject({
      project_id: project,
      project_name: 'Piano',
      ended_at: null,
      duration_seconds: 5400,
      hours: 1.5,
    });
  });

  test('of another user require an administrator', async () => {
    await world.record(await world.createProject(ann), ann, '2026-02-16T08:00:00Z', 60);
    expect((await stats(admin, `?user_id=${ann.id}`)).total_hours).toBe(1);
    expect((await stats(ann, `?user_id=${ann.id}&weeks=1`)).weekly_progress).toHaveLength(1);
    await app.as(bob).get(`/api/stats?user_id=${ann.id}`).expect(403);
    await app.as(admin).get('/api/stats?user_id=99999999').expect(404);
    const project = await world.createProject(ann);
    await app.as(admin).get(`/api/projects/${project}/stats?user_id=${bob.id}`).expect(200);
    await app.as(admin).get(`/api/projects/${project}/stats?user_id=99999999`).expect(404);
    await app.as(ann).get(`/api/projects/${project}/stats?user_id=99999999`).expect(200);
    await app.as(admin).get('/api/stats?user_id=0').expect(400);
    await app.anonymous.get('/api/stats').expect(401);
  });
});
