import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSchedule } from '../../src/lib/schedule.ts';

const zone = process.env['TZ'];
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  // the last one at or before, and the next one after
  ['03:00', '2026-06-10T12:00:00Z', '2026-06-10T01:00:00Z', '2026-06-11T01:00:00Z'],
  ['03:00', '2026-06-10T01:00:00Z', '2026-06-10T01:00:00Z', '2026-06-11T01:00:00Z'],
  ['03:00', '2026-06-10T00:59:59Z', '2026-06-09T01:00:00Z', '2026-06-10T01:00:00Z'],
  ['00:30', '2026-12-31T23:00:00Z', '2026-12-30T23:30:00Z', '2026-12-31T23:30:00Z'],
  // the clocks go forward over 02:30, and back over it
  ['02:30', '2026-03-28T12:00:00Z', '2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z'],
  ['02:30', '2026-10-25T12:00:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ['6h', '2026-06-10T12:00:00Z', '2026-06-10T12:00:00Z', '2026-06-10T18:00:00Z'],
  ['6h', '2026-06-10T11:59:59Z', '2026-06-10T06:00:00Z', '2026-06-10T12:00:00Z'],
])('%s at %s', (text, now, last, next) => {
  const schedule = parseSchedule(text);
  expect(schedule?.last(new Date(now))).toEqual(new Date(last));
  expect(schedule?.next(new Date(now))).toEqual(new Date(next));
});

test.each(['', '3:00', '24:00', '03:60', '03:00:00', '0h', '169h', '6', '6 h', '6d', '-1h', '1.5h'])(
  '%j is no schedule',
  (text) => expect(parseSchedule(text)).toBeUndefined(),
);
