import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayOfDate, secondsBetween } from '../../../../src/features/study/calendar/study-figures.ts';
import { readUser } from '../../../../src/features/study/statistics/period-read-model.ts';
import { actorOf } from '../../../support/records.ts';
import type { TestUser } from '../../../support/test-app.ts';
import { type People, type StudyWorld, startStudyWorld } from './study-world.ts';

let world: StudyWorld;
let people: People;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());
beforeEach(async () => {
  people = await world.at('2026-06-10T12:00:00Z');
});

const statsOf = async (query: string, user: TestUser = people.ann) =>
  (await world.app.as(user).get(`/api/stats?${query}`).expect(200)).body.data;

describe('statistics of a period', () => {
  test('are limited to its days, and compared with the period before', async () => {
    const { ann } = people;
    const [algebra, piano] = [await world.createProject(ann), await world.createProject(ann, { name: 'Piano' })];
    await world.record(algebra, ann, '2026-05-30T08:00:00Z', 30);
    await world.record(algebra, ann, '2026-05-31T23:00:00Z', 120); // an hour of it in June
    await world.record(piano, ann, '2026-06-02T08:30:00Z', 90);
    await world.record(algebra, ann, '2026-06-10T08:00:00Z', 60);
    await world.app.query("UPDATE projects SET category = 'hobby', color = 9 WHERE id = $1", [piano]);
    const stats = await statsOf('from=2026-06-01&to=2026-06-04&compare=previous');
    expect(stats).toMatchObject({
      ...{ from: '2026-06-01', to: '2026-06-04', total_hours: 2.5, total_sessions: 1, study_days: 2 },
      ...{ average_hours_per_day: 0.63, average_session_length: 1.5, longest_session: 1.5, shortest_session: 1.5 },
      previous: {
        ...{ from: '2026-05-28', to: '2026-05-31', total_hours: 1.5, total_sessions: 2, study_days: 2 },
        average_hours_per_day: 0.38,
      },
      by_project: [
        { project_id: piano, project_name: 'Piano', category: 'hobby', color: 9, hours: 1.5 },
        { project_id: algebra, project_name: 'Algebra', hours: 1 },
      ],
      by_category: [
        { category: 'hobby', hours: 1.5 },
        { category: 'other', hours: 1 },
      ],
      weekly_progress: [{ week: '2026-W23', hours: 2.5 }],
      weekly: [
        {
          first_day: '2026-06-01',
          hours: 2.5,
          by_project: [
            { project_id: piano, project_name: 'Piano', hours: 1.5 },
            { project_id: algebra, project_name: 'Algebra', hours: 1 },
          ],
        },
      ],
      by_hour: [
        { weekday: 1, hour: 0, hours: 1 },
        { weekday: 2, hour: 8, hours: 0.5 },
        { weekday: 2, hour: 9, hours: 1 },
      ],
      daily: [
        { date: '2026-06-01', hours: 1 },
        { date: '2026-06-02', hours: 1.5 },
        { date: '2026-06-03', hours: 0 },
        { date: '2026-06-04', hours: 0 },
      ],
    });
    expect(stats.current_streak).toBe(1); // as without a period
  });

  test('that are not over are compared with the same part: up to the same time, also on a clock that has changed', async () => {
    const { ann, admin } = people;
    const id = await world.createProject(ann);
    // 14:00 on Wednesday in Berlin.
    await world.app.as(ann).put('/api/auth/me', { timezone: 'Europe/Berlin' }).expect(200);
    await world.record(id, ann, '2026-06-01T08:00:00Z', 60);
    await world.record(id, ann, '2026-06-03T11:30:00Z', 60); // half of it before 14:00
    await world.record(id, ann, '2026-06-03T13:00:00Z', 60); // after it
    await world.record(id, ann, '2026-06-04T08:00:00Z', 60); // Thursday
    await world.record(id, ann, '2026-06-08T08:00:00Z', 30);
    await world.app.query("UPDATE study_sessions SET tags = '{exam}' WHERE started_at = '2026-06-03T11:30:00Z'");
    const week = 'from=2026-06-08&to=2026-06-14&other_from=2026-06-01&other_to=2026-06-07';
    const same = { total_hours: 1.5, total_sessions: 2, study_days: 2, average_hours_per_day: 0.5 };
    expect(await statsOf(week)).toMatchObject({
      ...{ total_hours: 0.5, is_running: true, days: 3, school_days: 3 },
      previous: { from: '2026-06-01', to: '2026-06-07', ...same, days: 3, school_days: 3 },
      by_tag: [{ tag: 'exam', hours: 0, previous_hours: 0.5 }],
    });
    const [project] = (await statsOf(week)).previous.by_project;
    expect(project).toMatchObject({ project_id: id, hours: 1.5 });
    expect(await world.statsOf(id, ann, `?${week}`)).toMatchObject({ is_running: true, previous: same });
    // The same part of the days before, up to 14:00 on the 7th.
    const three = 'from=2026-06-08&to=2026-06-10&compare=previous';
    expect((await statsOf(three)).previous).toMatchObject({ from: '2026-06-05', to: '2026-06-07', total_hours: 0 });

    // The clocks went forward on 29 March: 14:00 was 12:00 UTC after it and 13:00 UTC before.
    await world.record(id, ann, '2026-03-25T12:30:00Z', 60);
    const march = `from=2026-06-10&to=2026-06-10&other_from=2026-03-25&other_to=2026-03-25&user_id=${ann.id}&tz=Europe/Berlin`;
    expect((await statsOf(march, admin)).previous).toMatchObject({ total_hours: 0.5, days: 1 });
  });

  test('with unequal numbers of school days tell both', async () => {
    const { ann } = people;
    await world.createProject(ann);
    await world.app
      .as(ann)
      .post('/api/me/days-off', { from: '2026-05-26', to: '2026-05-27', reason: 'ill' })
      .expect(201);
    const weeks = 'from=2026-06-01&to=2026-06-07&other_from=2026-05-25&other_to=2026-05-31';
    expect(await statsOf(weeks)).toMatchObject({ days: 7, school_days: 5, previous: { days: 7, school_days: 3 } });
  });

  test('end today by default, and do not average days to come', async () => {
    const { ann } = people;
    await world.studyOn(await world.createProject(ann), ann, ['2026-06-01', '2026-06-09']);
    expect(await statsOf('from=2026-06-01')).toMatchObject({ to: '2026-06-10', average_hours_per_day: 0.2 });
    const week = await statsOf('from=2026-06-08&to=2026-06-14');
    expect(week).toMatchObject({ total_hours: 1, average_hours_per_day: 0.33, previous: null });
    expect(week.daily).toHaveLength(7);
    expect(await statsOf('')).not.toHaveProperty('from');
  });

  test('follow zone, day start and week start, and agree with each other across a clock change', async () => {
    const { ann } = people;
    const id = await world.createProject(ann);
    await world.app
      .as(ann)
      .put('/api/auth/me', { timezone: 'America/New_York', day_start_hour: 4, week_start: 7 })
      .expect(200);
    // 1:30 local time before the clocks went forward, until 4:30 after it: half an hour on the 8th.
    await world.record(id, ann, '2026-03-08T06:30:00Z', 120);
    await world.record(id, ann, '2026-03-14T13:15:00Z', 60);
    const stats = await statsOf('from=2026-03-07&to=2026-03-14');
    expect(stats.daily.filter(({ hours }: { hours: number }) => hours > 0)).toEqual([
      { date: '2026-03-07', hours: 1.5 },
      { date: '2026-03-08', hours: 0.5 },
      { date: '2026-03-14', hours: 1 },
    ]);
    expect(
      stats.weekly.map(({ first_day, hours }: { first_day: string; hours: number }) => [first_day, hours]),
    ).toEqual([
      ['2026-03-01', 1.5],
      ['2026-03-08', 1.5],
    ]);
    expect(stats.by_hour).toEqual([
      { weekday: 6, hour: 1, hours: 0.5 },
      { weekday: 6, hour: 3, hours: 1 },
      { weekday: 6, hour: 9, hours: 0.75 },
      { weekday: 6, hour: 10, hours: 0.25 },
      { weekday: 7, hour: 4, hours: 0.5 },
    ]);
  });

  test('of a project cover its users, or one of them', async () => {
    const { ann, bob, admin } = people;
    const id = await world.createProject(ann);
    await world.record(id, ann, '2026-06-02T08:00:00Z', 60);
    await world.record(id, bob, '2026-06-03T08:00:00Z', 30);
    await world.record(id, bob, '2026-05-03T08:00:00Z', 30);
    expect(await world.statsOf(id, ann, '?from=2026-06-01&to=2026-06-07&compare=previous')).toMatchObject({
      ...{ total_hours: 1.5, total_sessions: 2, study_days: 2, weekly_progress: [{ week: '2026-W23', hours: 1.5 }] },
      previous: { from: '2026-05-25', total_hours: 0 },
    });
    const ofBob = await world.statsOf(id, admin, `?from=2026-06-01&to=2026-06-07&user_id=${bob.id}`);
    expect(ofBob).toMatchObject({ total_hours: 0.5, study_days: 1, previous: null });
    expect(ofBob).not.toHaveProperty('by_hour');
  });

  test('read as many rows from the database as they show, however many records there are', async () => {
    const { ann } = people;
    const projects = await Promise.all(
      Array.from({ length: 25 }, (_, n) => world.createProject(ann, { name: `Project ${n}` })),
    );
    await world.app.query(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT ($1::bigint[])[1 + n % 25], $2, $2, t, t + interval '50 minutes', 'manual', 'UTC'
       FROM generate_series(0, 4999) AS n, LATERAL (SELECT timestamptz '2025-06-05Z' + n * interval '105 minutes') AS s (t)`,
      [projects, ann.id],
    );
    const period = { from: dayOfDate('2025-06-05'), to: dayOfDate('2026-06-10') };
    const calendar = { zone: 'America/New_York', now: new Date('2026-06-10T12:00:00Z'), user_id: ann.id };
    const row = await readUser(world.app.database, actorOf(ann), ann.id, calendar, period);
    expect([row.projects.length, row.studied, row.hours.length]).toEqual([20, 25, 168]);
    const total = secondsBetween(row, period.from, period.to);
    expect(row.hours.reduce((sum, [, , seconds]) => sum + seconds, 0)).toBe(total);
    expect(row.categories).toEqual([['other', total]]);
    expect(row.weeks.length).toBe(53 * 20);
    expect(row.weeks.reduce((sum, [, , seconds]) => sum + seconds, 0)).toBe(
      row.projects.reduce((sum, { seconds }) => sum + seconds, 0),
    );
    expect(JSON.stringify(row).length).toBeLessThan(60_000);
  });

  test.each([
    ['to=2026-06-01', 'from'],
    ['compare=previous', 'from'],
    ['from=2026-06-02&to=2026-06-01', 'to'],
    ['from=2025-01-01&to=2026-06-01', 'to'],
    ['from=2020-01-01', 'from'],
    ['from=yesterday', 'from'],
    ['from=2026-06-01&compare=next', 'compare'],
    ['other_from=2026-06-01&other_to=2026-06-02', 'from'],
    ['from=2026-06-01&other_from=2026-05-01', 'other_to'],
    ['from=2026-06-01&other_to=2026-05-01', 'other_from'],
    ['from=2026-06-01&other_from=2026-05-02&other_to=2026-05-01', 'other_to'],
    ['from=2026-06-01&compare=previous&other_from=2026-05-01&other_to=2026-05-02', 'compare'],
  ])('are refused for %s', async (query, field) => {
    const { body } = await world.app.as(people.ann).get(`/api/stats?${query}`).expect(400);
    expect(body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });
});
