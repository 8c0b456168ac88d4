import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { type StatusChange, streaks } from '../../../support/statistics-oracle.ts';
import type { TestApp, TestUser } from '../../../support/test-app.ts';
import { awardAgain, awardAll, datesOf, setUpEarnings } from './earnings.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
const { write, ofProject, ofUser } = setUpEarnings((fixtures) => {
  ({ app, ann, bob } = fixtures);
});
type Preferences = { timezone?: string; day_start_hour?: number; rest_weekdays?: readonly number[] };
async function prefer(user: TestUser, preferences: Preferences): Promise<void> {
  await app.as(user).put('/api/auth/me', preferences).expect(200);
  await awardAll(app);
}

describe('streaks', () => {
  const noon = (day: number) => `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`;
  const streakNames = (list: string[]) => list.filter((name) => name.startsWith('streak'));

  test('of three and seven days; a second record on the same day does not count', async () => {
    await write({ start: noon(1) });
    await write({ start: noon(2) });
    await write({ start: '2026-01-02T15:00:00Z' });
    expect(streakNames(await ofUser())).toEqual([]);
    await write({ start: noon(3) });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    for (const day of [7, 6, 5]) await write({ start: noon(day) });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    await write({ start: noon(4) }); // fills the gap
    expect(streakNames(await ofUser())).toEqual(['streak_3', 'streak_7']);
    expect(streakNames(await ofProject())).toEqual(['streak_3', 'streak_7']);
  });

  test('count the own days on all projects for a user, and the days of all users for a project', async () => {
    await write({ start: noon(1) });
    await write({ start: noon(2), on: await createProject(app, bob) });
    await write({ start: noon(2), user: bob });
    await write({ start: noon(3) });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    expect(streakNames(await ofProject())).toEqual(['streak_3']);
    expect(streakNames(await ofUser(bob))).toEqual([]);
  });

  test('of a hundred days across daylight-saving changes', async () => {
    const start = Date.parse('2025-09-01T22:30:00Z');
    await prefer(ann, { timezone: 'America/New_York' });
    for (let day = 0; day < 100; day += 1) {
      if (day === 99) expect(streakNames(await ofUser())).not.toContain('streak_100');
      await write({ start: new Date(start + day * 86_400_000).toISOString(), minutes: 10, zone: 'America/New_York' });
    }
    expect(streakNames(await ofUser())).toEqual(['streak_3', 'streak_7', 'streak_30', 'streak_100']);
    expect(streakNames(await ofProject())).toEqual(['streak_3', 'streak_7', 'streak_30', 'streak_100']);
  });

  test('with a record in the repeated hour after midnight', async () => {
    const zone = 'America/Havana'; // on 3 November clocks went back from 1:00 to 0:00
    await prefer(ann, { timezone: zone });
    await write({ start: '2024-11-03T04:10:00Z', zone });
    await write({ start: '2024-11-02T16:00:00Z', zone });
    await write({ start: '2024-11-04T16:00:00Z', zone });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    expect(streakNames(await ofProject())).toEqual(['streak_3']);
  });

  test('from one statement, or from two concurrent users', async () => {
    const evening = (day: number) => noon(day).replace('T12', 'T18');
    await write(...[1, 3, 2].flatMap((day) => [{ start: noon(day) }, { start: evening(day) }]));
    expect(streakNames(await ofUser())).toEqual(['streak_3']);

    const on = await createProject(app, ann);
    await write({ on, start: noon(11) });
    await Promise.all([write({ on, start: noon(12) }), write({ on, user: bob, start: noon(13) })]);
    expect(streakNames(await ofProject(on))).toEqual(['streak_3']);
  });

  test('from two concurrent writes of one user on two projects', async () => {
    const other = await createProject(app, ann);
    for (let day = 1; day < 28; day += 4) {
      await app.query('DELETE FROM user_achievements WHERE user_id = $1', [ann.id]);
      await write({ start: noon(day) });
      await Promise.all([write({ start: noon(day + 1) }), write({ start: noon(day + 2), on: other })]);
      expect(streakNames(await ofUser())).toEqual(['streak_3']);
    }
  });

  test('across rest days, which count if the user studied on them', async () => {
    await prefer(ann, { rest_weekdays: [6, 7] }); // 3 and 4 January 2026
    for (const day of [1, 2, 5]) await write({ start: noon(day) });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    expect(streakNames(await ofProject())).toEqual(['streak_3']);
    await write(...[3, 6, 7].map((day) => ({ start: noon(day) })));
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    await write({ start: noon(8) });
    expect(streakNames(await ofUser())).toEqual(['streak_3', 'streak_7']);
  });

  test('of days that begin at 3:00', async () => {
    await prefer(ann, { timezone: 'Asia/Shanghai', day_start_hour: 3 });
    await write({ start: '2026-01-01T14:00:00Z' }); // 22:00 of the 1st
    await write({ start: '2026-01-02T18:30:00Z' }); // 2:30 of the 3rd, which counts as the 2nd
    expect(streakNames(await ofUser())).toEqual([]);
    await write({ start: '2026-01-02T19:00:00Z' }); // 3:00
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
  });

  test('that result from changed calendar preferences are earned, and never revoked', async () => {
    for (const day of [1, 2, 5, 6, 7, 8, 9]) await write({ start: noon(day) });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    await prefer(ann, { rest_weekdays: [7] });
    expect(streakNames(await ofUser())).toEqual(['streak_3']);
    await prefer(ann, { rest_weekdays: [6, 7] });
    expect(streakNames(await ofUser())).toEqual(['streak_3', 'streak_7']);
    await prefer(ann, { rest_weekdays: [] });
    expect(streakNames(await ofUser())).toEqual(['streak_3', 'streak_7']);
    expect((await app.as(ann).get('/api/stats')).body.data.longest_streak).toBe(5);

    // In Shanghai the last two are at 1:00 of the 2nd and 11:00 of the 3rd; in UTC the second one is still on the 1st.
    await write({ user: bob, start: '2026-02-01T12:00:00Z' });
    await write({ user: bob, start: '2026-02-01T17:00:00Z' });
    await write({ user: bob, start: '2026-02-03T03:00:00Z' });
    expect(streakNames(await ofUser(bob))).toEqual([]);
    await prefer(bob, { timezone: 'Asia/Shanghai' });
    expect(streakNames(await ofUser(bob))).toEqual(['streak_3']);
  });

  test('a session and a concurrent change of the calendar preferences', async () => {
    for (let day = 1; day < 20; day += 4) {
      await app.query('DELETE FROM study_sessions WHERE user_id = $1', [ann.id]);
      await app.query('DELETE FROM user_achievements WHERE user_id = $1', [ann.id]);
      await prefer(ann, { rest_weekdays: [] });
      await write({ start: noon(day) }, { start: noon(day + 1) });
      const weekday = new Date(noon(day + 2)).getUTCDay() || 7;
      await Promise.all([write({ start: noon(day + 3) }), prefer(ann, { rest_weekdays: [weekday] })]);
      expect(streakNames(await ofUser())).toEqual(['streak_3']);
    }
  });

  test('many first sessions and a concurrent change of the calendar preferences', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await app.createUser();
      const on = await createProject(app, user);
      const days = [1, 2, 5].map((day) => ({ user, on, start: noon(day) }));
      await Promise.all([write(...days), prefer(user, { rest_weekdays: [6, 7] })]);
      expect(streakNames(await ofUser(user))).toEqual(['streak_3']);
    }
  });

  test('match the statistics and the job for any order, time zone, pauses and preferences', async () => {
    const day = 86_400_000;
    const world = fc.record({
      zone: fc.constantFrom(
        'UTC',
        'Asia/Kathmandu',
        'Pacific/Apia',
        'Atlantic/Azores',
        'America/Havana',
        'Africa/Cairo',
      ),
      center: fc.constantFrom('2011-12-30', '2023-10-28', '2024-11-03', '2025-10-26'),
      starts: fc.uniqueArray(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 26 }),
      minutes: fc.constantFrom(20, 200, 245),
      offset: fc.constantFrom(0, 0, 500, 59_900),
      dayStart: fc.constantFrom(0, 0, 3, 6),
      rest: fc.constantFrom([], [], [6, 7], [1, 3, 5], [1, 2, 3, 4, 5, 6]),
      late: fc.boolean(),
      pauses: fc.array(fc.integer({ min: -13 * 1440, max: 13 * 1440 }), { maxLength: 4 }),
      together: fc.boolean(),
      ordered: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        world,
        async ({ zone, center, starts, minutes, pauses, together, ordered, offset, dayStart, rest, late }) => {
          const user = await app.createUser();
          const preferences = { timezone: zone, day_start_hour: dayStart, rest_weekdays: rest };
          if (!late) await prefer(user, preferences);
          const on = await createProject(app, user);
          const changes = pauses
            .toSorted((a, b) => a - b)
            .map(
              (offset, index): StatusChange => ({
                at: Date.parse(center) + offset * 60_000 + 7_123 + index,
                active: index % 2 === 1,
              }),
            );
          for (const { at, active } of changes) {
            await app.query(
              'INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at) VALUES ($1, $2, $3, $4)',
              [on, active ? 'paused' : 'active', active ? 'active' : 'paused', new Date(at).toISOString()],
            );
          }
          // One slot every 4.2 hours, so that records do not overlap and many days have none.
          const records = starts.map((slot) => {
            const start = Math.floor(Date.parse(center) + slot * (day / 5.7)) + offset;
            return { start, end: start + minutes * 60_000 };
          });
          const rows = records.map(({ start }) => ({ user, on, start: new Date(start).toISOString(), minutes, zone }));
          // In the order of time, every record is the one that earns an award.
          const inOrder = rows.toSorted((a, b) => a.start.localeCompare(b.start));
          if (together) await write(...rows);
          else for (const row of ordered ? inOrder : rows) await write(row);
          if (late) await prefer(user, preferences);

          const now = Math.max(...records.map((record) => record.end));
          const steps = (longest: number) =>
            [3, 7, 30, 100].filter((threshold) => longest >= threshold).map((threshold) => `streak_${threshold}`);
          const calendar = { zone, dayStart, rest };
          const { longest } = streaks({ records, now, ...calendar });
          const before = late ? streaks({ records, now, zone: 'UTC' }).longest : 0;
          expect(streakNames(await ofUser(user))).toEqual(steps(Math.max(before, longest)));
          // What a project earns depends on the user's calendar at the time a session is recorded.
          if (late) return;
          expect(streakNames(await ofProject(on))).toEqual(
            steps(streaks({ records, changes, now, ...calendar }).longest),
          );

          const single = { user: await datesOf(app, 'user', user.id), project: await datesOf(app, 'project', on) };
          await awardAgain(app, user, on);
          const byJob = { user: await datesOf(app, 'user', user.id), project: await datesOf(app, 'project', on) };
          expect(Object.keys(byJob.user)).toEqual(Object.keys(single.user));
          expect(Object.keys(byJob.project)).toEqual(Object.keys(single.project));
          if (ordered && !together) expect(byJob).toEqual(single);
        },
      ),
      { numRuns: 15 },
    );
  });
});
