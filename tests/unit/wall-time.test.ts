import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWallTime, parseDuration, toWallTime } from '../../web/src/lib/wall-time.ts';

test.each([
  ['2026-02-01T08:00', 'Asia/Shanghai', '2026-02-01T00:00:00.000Z'],
  ['2026-07-01T08:00', 'Europe/London', '2026-07-01T07:00:00.000Z'],
  ['2026-02-01T00:15', 'Asia/Kathmandu', '2026-01-31T18:30:00.000Z'],
  // Clocks skip the hour from 1:00 in March and repeat it in October.
  ['2026-03-29T01:30', 'Europe/London', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00.000Z'],
  ['nonsense', 'UTC', undefined],
  ['', 'UTC', undefined],
])('local time %s in %s is %s', (wall, zone, moment) => {
  expect(fromWallTime(wall, zone)).toBe(moment);
});

test('a moment is converted to local time and back in every zone', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
  const property = fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
    const wall = toWallTime(minute * 60_000, zone);
    expect(toWallTime(fromWallTime(wall, zone) ?? 0, zone)).toBe(wall);
  });
  fc.assert(property, { numRuns: 500 });
});

test.each([
  ['1h30', 90],
  ['1:30', 90],
  ['1.5h', 90],
  ['1,5 h', 90],
  ['90', 90],
  ['45 min', 45],
  ['2 h', 120],
  ['1 h 05', 65],
  ['1 小时 20 分', 80],
  ['20 分钟', 20],
  ['1：30', 90],
  ['９０', 90],
  ['1:30:00', 90],
  ['1.5', 90],
  ['1,5', 90],
  ['2 hours', 120],
  ['1 hour 5 minutes', 65],
  ['1小时半', 90],
  ['1h半', 90],
  ['', undefined],
  ['半', undefined],
  ['abc', undefined],
  ['soon', undefined],
  ['1:75', undefined],
])('%s is %s minutes', (text, minutes) => {
  expect(parseDuration(text)).toBe(minutes);
});
