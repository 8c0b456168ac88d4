import { describe, expect, test } from 'vitest';
import { createTimes } from '../../web/src/features/study-sessions/record-times.ts';
import { parseClock } from '../../web/src/lib/wall-time.ts';
import { parseDay, parseRange } from '../../web/src/lib/written-dates.ts';

describe('a typed date', () => {
  test.each([
    ['2026-11-20', '2026-11-20'],
    ['2026/11/2', '2026-11-02'],
    ['20/11/2026', '2026-11-20'],
    ['20.11.', undefined],
    ['20.11', '2026-11-20'],
    ['20 Nov', '2026-11-20'],
    ['Fri 20 Nov 2026', '2026-11-20'],
    ['20 November 2025', '2025-11-20'],
    ['Nov 20, 2026', '2026-11-20'],
    ['9 Jan', '2027-01-09'], // nearer than the past one
    ['2026年11月20日', '2026-11-20'],
    ['2026年11月20日 周五', '2026-11-20'],
    ['11月20日', '2026-11-20'],
    ['１１月２０日', '2026-11-20'],
    ['yesterday', '2026-11-24'],
    ['昨天', '2026-11-24'],
    ['29 Feb 2027', undefined],
    ['2026-13-01', undefined],
    ['12', undefined],
    ['Nov', undefined],
    ['', undefined],
  ])('%s', (typed, expected) => {
    expect(parseDay(typed, '2026-11-25')).toBe(expected);
  });
});

test.each([
  ['29 Oct – 3 Nov', '2026-10-29/2026-11-03'],
  ['29–30 Oct', '2026-10-29/2026-10-30'],
  ['29 Oct 2026 to 3 Jan 2027', '2026-10-29/2027-01-03'],
  ['2026-10-29 - 2026-11-03', '2026-10-29/2026-11-03'],
  ['10月29日至30日', '2026-10-29/2026-10-30'],
  ['2026年10月29日 – 2026年11月3日', '2026-10-29/2026-11-03'],
  ['tomorrow', '2026-11-26/2026-11-26'],
  ['3 Nov – 29 Oct', undefined],
  ['29 Oct –', undefined],
  ['1–2–3 Oct', undefined],
  ['', undefined],
])('typed dates: %s', (typed, expected) => {
  const range = parseRange(typed, '2026-11-25');
  expect(range && `${range.from}/${range.to}`).toBe(expected);
});

test.each([
  ['18:05', '18:05'],
  ['1805', '18:05'],
  ['18.05', '18:05'],
  ['１８：０５', '18:05'],
  ['6:05 pm', '18:05'],
  ['12am', '00:00'],
  ['9', '09:00'],
  ['8点', '08:00'],
  ['8点5分', '08:05'],
  ['24:00', undefined],
  ['13pm', undefined],
  ['18:60', undefined],
  ['', undefined],
])('a typed time: %s', (typed, expected) => {
  expect(parseClock(typed)).toBe(expected);
});

test('day and start of a record keep its length; end and duration change it', () => {
  const times = createTimes('Europe/Berlin', (seconds) => `${seconds / 60} min`);
  const evening = times.of('2026-11-20T22:00:00Z', '2026-11-20T23:30:00Z');
  expect(evening).toEqual({ start: '2026-11-20T23:00', end: '2026-11-21T00:30', duration: '90 min' });
  expect(times.onDay(evening, '2026-11-10')).toEqual({ start: '2026-11-10T23:00', end: '2026-11-11T00:30' });
  expect(times.from(evening, '08:00')).toEqual({ start: '2026-11-20T08:00', end: '2026-11-20T09:30' });
  expect(times.until(evening, '23:40')).toEqual({ end: '2026-11-20T23:40', duration: '40 min' });
  expect(times.until(evening, '02:00')).toEqual({ end: '2026-11-21T02:00', duration: '180 min' });
  expect(times.lasting(evening, '45', false)).toEqual({ duration: '45', end: '2026-11-20T23:45' });
  expect(times.lasting(evening, '45', true)).toEqual({ duration: '45', start: '2026-11-20T23:45' });
  expect(times.lasting(evening, 'abc', true)).toEqual({ duration: 'abc' });
});
