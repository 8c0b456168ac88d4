import { expect, test } from 'vitest';
import { canonicalZone, suggestedZone } from '../../src/lib/time-zone.ts';

test.each([
  ['Asia/Shanghai', 'Asia/Shanghai'],
  ['asia/shanghai', 'Asia/Shanghai'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['PRC', 'Asia/Shanghai'],
  ['Japan', 'Asia/Tokyo'],
  ['utc', 'UTC'],
  ['GMT', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['Etc/GMT+12', 'Etc/GMT+12'],
])('%s is %s', (name, zone) => {
  expect(canonicalZone(name)).toBe(zone);
  expect(suggestedZone(name)).toBeUndefined();
});

test.each([
  ['EST', 'America/New_York'],
  ['CET', 'Europe/Paris'],
  ['ist', 'Asia/Kolkata'],
  ['CEST', 'Europe/Paris'],
  ['PST8PDT', 'America/Los_Angeles'],
  ['ACT', 'UTC'],
])('%s is refused, %s is suggested', (name, zone) => {
  expect(canonicalZone(name)).toBeUndefined();
  expect(suggestedZone(name)).toBe(zone);
});

test.each(['', ' ', 'Mars/Base', '+08:00', 'UTC+8', 'SystemV/PST8', 'Factory', 'Foo', 'XYZ1ABC'])(
  '%j is no time zone',
  (name) => {
    expect(canonicalZone(name)).toBeUndefined();
    expect(suggestedZone(name)).toBeUndefined();
  },
);

test('the canonical name of every zone of the runtime is canonical, and so is every suggestion', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = canonicalZone(name);
    expect([name, zone]).toEqual([name, expect.stringMatching(/^(UTC|.+\/.+)$/)]);
    expect(canonicalZone(zone ?? '')).toBe(zone);
  }
  for (const name of ['EST', 'CST', 'BST', 'AEST', 'NZST', 'WET', 'HST', 'MST', 'KST', 'SGT', 'HKT', 'MSK', 'EET'])
    expect(canonicalZone(suggestedZone(name) ?? '')).toBe(suggestedZone(name));
});
