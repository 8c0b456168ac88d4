import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type People, type StudyWorld, startStudyWorld } from '../statistics/study-world.ts';

let world: StudyWorld;
let people: People;
let project: number;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());

/** Sets the current time. */
async function at(moment: string) {
  people = await world.at(moment);
  project = await world.createProject(people.ann);
}
beforeEach(() => at('2026-06-10T12:00:00Z'));

const prefer = (preferences: object) => world.app.as(people.ann).put('/api/auth/me', preferences).expect(200);
const study = (start: string, minutes = 60) => world.record(project, people.ann, start, minutes);
const read = async (path: string) => (await world.app.as(people.ann).get(path).expect(200)).body.data;
const dashboard = () => read('/api/dashboard');

test('days start at day_start_hour', async () => {
  await at('2026-06-10T02:30:00Z');
  await study('2026-06-09T20:00:00Z');
  await study('2026-06-10T01:00:00Z');
  expect(await dashboard()).toMatchObject({ date: '2026-06-10', today_hours: 1, current_streak: 2 });
  await prefer({ day_start_hour: 4 });
  expect(await dashboard()).toMatchObject({
    date: '2026-06-09',
    today_hours: 2,
    current_streak: 1,
    studied_today: true,
  });
  await prefer({ day_start_hour: 2 });
  expect(await dashboard()).toMatchObject({
    date: '2026-06-10',
    today_hours: 0,
    current_streak: 1,
    studied_today: false,
  });
});

test('rest days do not break the streak', async () => {
  // Thursday, Friday and Monday
  for (const day of ['2026-06-04', '2026-06-05', '2026-06-08']) await study(`${day}T08:00:00Z`);
  expect(await dashboard()).toMatchObject({ current_streak: 0 }); // the last study day was the day before yesterday
  await prefer({ rest_weekdays: [6, 7, 2] });
  expect(await dashboard()).toMatchObject({ current_streak: 3, studied_today: false });
  await prefer({ rest_weekdays: [7, 2] });
  expect(await dashboard()).toMatchObject({ current_streak: 1 });
});

test('weeks start on week_start', async () => {
  await study('2026-06-05T08:00:00Z', 30); // Friday
  await study('2026-06-07T08:00:00Z', 60); // Sunday
  await study('2026-06-08T08:00:00Z', 120); // Monday
  expect(await dashboard()).toMatchObject({ week_hours: 2 });
  await prefer({ week_start: 7 });
  expect(await dashboard()).toMatchObject({ week_hours: 3 });
  await prefer({ week_start: 5 });
  expect(await dashboard()).toMatchObject({ week_hours: 3.5 });
});

test('a gap in the week ends the streak, but the week’s hours include all days', async () => {
  await at('2026-06-14T12:00:00Z'); // Sunday
  await study('2026-06-08T00:00:00Z');
  await study('2026-06-14T10:00:00Z');
  expect(await dashboard()).toMatchObject({ week_hours: 2, current_streak: 1 });
});

describe('with any preferences and any history', () => {
  test.each([
    { day_start_hour: 0, rest_weekdays: [], week_start: 1 },
    { day_start_hour: 3, rest_weekdays: [], week_start: 7 },
    { day_start_hour: 6, rest_weekdays: [6, 7], week_start: 3 },
    { day_start_hour: 1, rest_weekdays: [1, 2, 3, 4, 5, 6], week_start: 6 },
  ])('%j, the figures equal those of the statistics', async (preferences) => {
    let random = 11;
    const next = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    for (const now of ['10T00:30', '12T12:00', '14T05:00', '15T23:00', '17T12:00', '20T12:00']) {
      await at(`2026-06-${now}:00Z`);
      await prefer(preferences);
      // Consecutive days with gaps of up to twelve days.
      for (let ago = 40; ago > 0; ago -= next(8) === 0 ? 1 + next(12) : 1)
        await study(new Date(Date.UTC(2026, 5, 10 - ago, next(24), next(60))).toISOString(), 10 + next(50));
      const [shown, stats] = [await dashboard(), await read('/api/stats')];
      for (const figure of ['today_hours', 'week_hours', 'current_streak'])
        expect([now, figure, shown[figure]]).toEqual([now, figure, stats[figure]]);
    }
  });
});
