import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp, TestUser } from '../../../support/test-app.ts';
import { type StudyWorld, startStudyWorld } from './study-world.ts';

let world: StudyWorld;
let app: TestApp;
let ann: TestUser;

beforeAll(async () => {
  world = await startStudyWorld();
  app = world.app;
});
afterAll(() => app.stop());
beforeEach(async () => {
  ({ ann } = await world.at('2026-02-18T10:00:00Z')); // a Wednesday in the ISO week 2026-W08
});

describe('local days', () => {
  test('are in the caller’s time zone unless another one is requested', async () => {
    const far = await app.createUser({ timezone: 'Asia/Kathmandu' });
    const project = await world.createProject(far);
    await world.record(project, far, '2026-02-16T18:00:00Z', 30); // 23:45–00:15 in Kathmandu
    expect((await world.statsOf(project, far)).study_days).toBe(2);
    expect((await world.statsOf(project, far, '?tz=UTC')).study_days).toBe(1);
    expect((await world.statsOf(project, far, '?tz=asia/kathmandu')).study_days).toBe(2);
  });

  test('a record that ends at midnight does not count for the next day', async () => {
    const project = await world.createProject(ann);
    await world.record(project, ann, '2026-02-16T23:00:00Z', 60);
    expect((await world.statsOf(project, ann)).study_days).toBe(1);
  });

  test('24 hours of study across a 23-hour day count for three days', async () => {
    ({ ann } = await world.at('2026-03-31T10:00:00Z'));
    const project = await world.createProject(ann);
    await world.record(project, ann, '2026-03-28T22:30:00Z', 24 * 60); // Saturday 23:30 to Monday 00:30 in Berlin
    const figures = await world.statsOf(project, ann, '?tz=Europe/Berlin');
    expect(figures).toMatchObject({ study_days: 3, total_hours: 24, longest_streak: 3 });
    expect(figures.weekly_progress).toEqual([
      { week: '2026-W13', hours: 23.5 },
      { week: '2026-W14', hours: 0.5 },
    ]);
  });

  test('a 25-hour day counts as one day', async () => {
    ({ ann } = await world.at('2025-11-03T10:00:00Z'));
    const project = await world.createProject(ann);
    await world.record(project, ann, '2025-11-02T04:00:00Z', 24 * 60); // midnight to 23:00 in New York
    await world.record(project, ann, '2025-11-03T04:00:00Z', 60); // its last hour
    expect(await world.statsOf(project, ann, '?tz=America/New_York')).toMatchObject({ study_days: 1, total_hours: 25 });
  });

  test('the day skipped in Samoa does not break a streak', async () => {
    ({ ann } = await world.at('2012-01-01T00:00:00Z'));
    const project = await world.createProject(ann);
    await world.record(project, ann, '2011-12-29T20:00:00Z', 60); // the 29th in Apia
    await world.record(project, ann, '2011-12-30T20:00:00Z', 60); // the 31st
    await world.record(project, ann, '2011-12-31T20:00:00Z', 60);
    expect(await world.statsOf(project, ann, '?tz=Pacific/Apia')).toMatchObject({
      study_days: 3,
      longest_streak: 3,
      current_streak: 3,
    });
  });
});

describe('streaks', () => {
  const days = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `2026-02-${String(from + index).padStart(2, '0')}`);

  test('end today or yesterday', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, [...days(3, 8), ...days(15, 17)]);
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 3, longest_streak: 6 });
    await world.record(project, ann, '2026-02-18T08:00:00Z', 30);
    expect((await world.statsOf(project, ann)).current_streak).toBe(4);
    await app.query("DELETE FROM study_sessions WHERE project_id = $1 AND started_at >= '2026-02-17Z'", [project]);
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 0, longest_streak: 6 });
  });

  test('are paused while the project is not active, and continue afterwards', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, days(1, 5));
    await world.changeStatus(project, 'paused', '2026-02-06T09:00:00Z');
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 5, longest_streak: 5 });
    await world.changeStatus(project, 'completed', '2026-02-10T09:00:00Z');
    expect((await world.statsOf(project, ann)).current_streak).toBe(5);
    await world.changeStatus(project, 'active', '2026-02-16T09:00:00Z');
    expect((await world.statsOf(project, ann)).current_streak).toBe(0); // the 17th was active and without study
    await world.studyOn(project, ann, ['2026-02-17']);
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 6, longest_streak: 6 });
  });

  test('already broken when the project is paused remain broken', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, days(1, 5));
    await world.changeStatus(project, 'paused', '2026-02-07T09:00:00Z');
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 0, longest_streak: 5 });
    await world.changeStatus(project, 'active', '2026-02-17T09:00:00Z');
    await world.studyOn(project, ann, ['2026-02-17']);
    expect(await world.statsOf(project, ann)).toMatchObject({ current_streak: 1, longest_streak: 5 });
  });

  test('are not extended by a record on a fully paused day, which counts for everything else', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, days(1, 2));
    await world.changeStatus(project, 'paused', '2026-02-02T15:00:00Z');
    await world.changeStatus(project, 'active', '2026-02-04T09:00:00Z');
    await world.studyOn(project, ann, days(3, 4));
    await world.changeStatus(project, 'paused', '2026-02-04T15:00:00Z');
    expect(await world.statsOf(project, ann)).toMatchObject({
      study_days: 4,
      total_hours: 4,
      longest_streak: 3,
      current_streak: 3,
    });
  });

  test('are broken on a day with a short pause and no study', async () => {
    const project = await world.createProject(ann);
    await world.studyOn(project, ann, ['2026-02-15', '2026-02-17']);
    await world.changeStatus(project, 'paused', '2026-02-16T09:00:00Z');
    await world.changeStatus(project, 'active', '2026-02-16T09:05:00Z');
    expect((await world.statsOf(project, ann)).longest_streak).toBe(1);
  });

  test('of an inactive project without recorded status changes end on its last day', async () => {
    const project = await world.createProject(ann, { status: 'paused' });
    await world.studyOn(project, ann, days(1, 4));
    expect((await world.statsOf(project, ann)).current_streak).toBe(4);
  });
});
