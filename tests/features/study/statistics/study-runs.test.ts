import { describe, expect, test } from 'vitest';
import { isoWeekday } from '../../../../src/features/study/calendar/day-kinds.ts';
import { isoWeek, skippedDays, studyFigures } from '../../../../src/features/study/calendar/study-figures.ts';
import { pausesOf, studyRuns } from '../../../../src/features/study/calendar/study-runs.ts';

const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const monday = dayOf('2026-06-01');

describe('runs of days of study', () => {
  test('are broken by a day without study', () => {
    const { runs, longest, current } = studyRuns([1, 2, 3, 5, 6], {});
    expect(runs).toEqual([
      { first: 1, last: 3, length: 3 },
      { first: 5, last: 6, length: 2 },
    ]);
    expect(longest).toBe(3);
    expect([4, 6, 7, 8].map(current)).toEqual([3, 2, 2, 0]);
    expect([0, 1].map(current)).toEqual([0, 3]);
  });

  test('are not broken by days of rest, which count only with study', () => {
    const rest_weekdays = [6, 7];
    const { longest, current } = studyRuns([monday + 3, monday + 4, monday + 5, monday + 7], { rest_weekdays });
    expect(longest).toBe(4);
    expect([monday + 8, monday + 9].map(current)).toEqual([4, 0]);
    expect(studyRuns([monday + 4], { rest_weekdays }).current(monday + 7)).toBe(1);
  });

  test('are neither broken nor extended during a pause', () => {
    const pauses = pausesOf([
      [12, false],
      [14, false],
      [20, true],
      [22, false],
      [22, true],
      [30, false],
    ]);
    expect(pauses).toEqual([
      [12, 14],
      [14, 20],
      [30, null],
    ]);
    const { longest, current } = studyRuns([10, 11, 13, 15, 20, 21, 40], { pauses });
    expect(longest).toBe(4);
    expect([20, 22, 24].map(current)).toEqual([4, 4, 0]);
    expect(studyRuns([29, 30, 31, 99], { pauses }).longest).toBe(2);
  });

  test('are not broken by a date that the zone skipped', () => {
    const days = [dayOf('2011-12-29'), dayOf('2011-12-31')];
    const longest = (zone: string, dayStartHour: number) =>
      studyRuns(days, { isSkipped: skippedDays(zone, dayStartHour) }).longest;
    expect([longest('Pacific/Apia', 0), longest('Pacific/Fakaofo', 0)]).toEqual([2, 2]);
    expect([longest('Pacific/Apia', 1), longest('Pacific/Kiritimati', 0), longest('UTC', 0)]).toEqual([1, 1, 1]);
  });

  test('of no days are empty', () => {
    expect(studyRuns([], { pauses: [[1, null]] })).toMatchObject({ runs: [], longest: 0 });
    expect(studyRuns([], {}).current(5)).toBe(0);
  });
});

test('weekdays and weeks are those of ISO 8601', () => {
  expect([dayOf('1969-12-31'), 0, monday, monday + 6].map(isoWeekday)).toEqual([3, 4, 1, 7]);
  expect(['2020-12-31', '2021-01-03', '2021-01-04', '2024-12-30'].map((date) => isoWeek(dayOf(date)))).toEqual([
    '2020-W53',
    '2020-W53',
    '2021-W01',
    '2025-W01',
  ]);
});

test('the current week begins on the weekday of the preferences and ends today', () => {
  const days: [number, number][] = [-1, 0, 2, 3].map((ago) => [monday + ago, 3600]);
  const studied = { today: monday + 2, days, uncounted: [], day_start_hour: 0, rest_weekdays: [], off: [], school: [] };
  const hours = (week_start: number) => studyFigures({ ...studied, week_start }, 'UTC').seconds_this_week / 3600;
  expect([1, 7, 3, 4].map(hours)).toEqual([2, 3, 1, 3]);
});
