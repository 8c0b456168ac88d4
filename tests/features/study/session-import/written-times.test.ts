import { describe, expect, test } from 'vitest';
import {
  type DecimalMarks,
  readDuration,
} from '../../../../src/features/study/session-import/file/written-durations.ts';
import { type DateOrder, readWhen } from '../../../../src/features/study/session-import/file/written-times.ts';
import {
  createReader,
  dayWays,
  durationWays,
  timeWays,
} from '../../../../src/features/study/session-import/file/written-ways.ts';

const now = Date.UTC(2026, 10, 20);
const midnight = 86_400_000;

/** In ISO 8601, as far as a text says it. */
function when(text: string, expected: 'day' | 'time', order: DateOrder = 'day_first') {
  const read = readWhen(text, expected, { order, now });
  if (read === undefined) return 'refused';
  const day = read.day === undefined ? '' : new Date(read.day).toISOString().slice(0, 10);
  const time = read.time === midnight ? '24:00:00' : new Date(read.time ?? 0).toISOString().slice(11, 19);
  const zone = read.offset === undefined ? '' : read.offset === 0 ? 'Z' : `${read.offset / 3_600_000}`;
  return read.time === undefined ? day : `${day}${day && 'T'}${time}${zone}`;
}
const seconds = (text: string, unit: 'hours' | 'minutes' | 'seconds' | undefined, marks: DecimalMarks = '') => {
  const read = readDuration(text, { unit, marks });
  return read === undefined ? 'refused' : read === 'asked' ? 'asked' : read.milliseconds / 1000;
};

describe('the table', () => {
  test.each(dayWays)('day %s: %s is %s', (_pattern, example, meaning) => expect(when(example, 'day')).toBe(meaning));
  test.each(timeWays)('time %s: %s is %s', (_pattern, example, meaning) => expect(when(example, 'time')).toBe(meaning));
  test.each(durationWays)('duration %s: %s is %s s', (_pattern, example, meaning) =>
    expect(seconds(example, 'hours')).toBe(Number(meaning)),
  );

  test.each([
    ['days', dayWays, false],
    ['times', timeWays, true],
    ['durations', durationWays, true],
  ] as const)('%s: no example is read in two ways', (_name, ways, isWhole) => {
    for (const [pattern, example] of ways) {
      const reading = ways.filter((way) => createReader([way], isWhole)(example.replace(' pm', ''))?.rest === '');
      expect([example, reading.map(([other]) => other)]).toEqual([example, [pattern]]);
    }
  });

  test.each(dayWays.filter(([, , meaning]) => !meaning.includes('T')))('%s: with each time', (_pattern, example) => {
    const times = ['9:30', '09:30:00', '9:30 AM', '上午9:30', '9:30 a. m.', '9h30'];
    for (const time of times) expect([time, when(`${example} ${time}`, 'day')]).toEqual([time, '2026-07-04T09:30:00']);
  });
});

test.each([
  ['Tue, 7 Jul 2026', '2026-07-07'],
  ['Tuesday, July 7, 2026', '2026-07-07'],
  ['Sa., 4. Juli 2026', '2026-07-04'],
  ['2026年7月9日星期四', '2026-07-09'],
  ['周四 2026/7/9', '2026-07-09'],
  ['2026/07/04(土) 09:00', '2026-07-04T09:00:00'],
  ['2026년 7월 4일 (토) 오전 9:00', '2026-07-04T09:00:00'],
  ['4 juillet 2026', '2026-07-04'],
  ['4 de julio de 2026', '2026-07-04'],
  ['1º de julho de 2026', '2026-07-01'],
  ['4 июля 2026 г.', '2026-07-04'],
  ['4 lipca 2026', '2026-07-04'],
  ['July 4th, 2026', '2026-07-04'],
  ['July 4, 2026 at 9:00 AM', '2026-07-04T09:00:00'],
  ['06/Jul/26 9:00 AM', '2026-07-06T09:00:00'],
  ['04/Jul/2026:09:00:00 +0000', '2026-07-04T09:00:00Z'],
  ['2026年7月4日上午9点30分', '2026-07-04T09:30:00'],
  ['9:00 AM, July 4, 2026', '2026-07-04T09:00:00'],
  ['\u200E4/7/2026\u200F\u202F9:00', '2026-07-04T09:00:00'],
  ['２０２６/７/４\u00A0９：００', '2026-07-04T09:00:00'],
  ['2026-07-04 09:00:00 UTC', '2026-07-04T09:00:00Z'],
  ['2026-07-04T09:00:00.123456Z', '2026-07-04T09:00:00Z'],
  ['2016-01-21T14:49:13.000-0500', '2016-01-21T14:49:13-5'],
  ['2026-07-04 09:00:00-05', '2026-07-04T09:00:00-5'],
  ['2026-07-04T09:00+08:00[Asia/Shanghai]', '2026-07-04T09:00:008'],
  ['Thu Jul 09 2026 09:00:00 GMT+0800 (China Standard Time)', '2026-07-09T09:00:008'],
  ['Thu, 09 Jul 2026 09:00:00 GMT', '2026-07-09T09:00:00Z'],
  // Forest, and Android's trackers
  ['Sat Jul 04 09:00:00 GMT+08:00 2026', '2026-07-04T09:00:008'],
  ['Sat Jul  4 09:00:00 2026', '2026-07-04T09:00:00'],
  ['Sun Jul 04 09:00:00 2026', 'refused'], // it was a Saturday
  ['Sat Jul 04 09:00:00 CST 2026', 'refused'],
  ['July 4, 2026 9:00 AM (GMT+8)', '2026-07-04T09:00:008'], // Notion
  ['July 4, 2026 9:00 AM → 10:30 AM', 'refused'], // a range of Notion
  ['2026-07-04 09:00~10:30', 'refused'], // two times
  ['2026-07-04T16:00:00+0000', '2026-07-04T16:00:00Z'], // TickTick
  ['2026-7-4 周六 上午9:00', '2026-07-04T09:00:00'],
  ['7月4日 09:00', 'refused'], // of which year
  ['令和8年7月4日', 'refused'],
  ['2026-07-04 09:00 GMT+8', '2026-07-04T09:00:008'],
  ['20260704T090000Z', '2026-07-04T09:00:00Z'],
  ['2026-07-04 24:00', '2026-07-04T24:00:00'],
  ['25/12/2026 0:00', '2026-12-25T00:00:00'],
  ['28.11.2026, 15.30 Uhr', '2026-11-28T15:30:00'],
  ['Samstag, 28. November 2026 um 15:30 Uhr', '2026-11-28T15:30:00'],
  ['28.11.2026, 3 Uhr nachmittags', '2026-11-28T15:00:00'],
  ['2026年11月28日 下午3时', '2026-11-28T15:00:00'],
  ['２０２６年１１月２８日', '2026-11-28'],
  ['Sat, 28 Nov 2026 15:00:00 +0800', '2026-11-28T15:00:008'],
  ['3:00 PM 28.11.2026', '2026-11-28T15:00:00'],
  ['46354', '2026-11-28'],
  ['46354,625', '2026-11-28T15:00:00'],
  ['7/14/2026 12:00:00 AM', 'refused'], // there is no month 14
  ['Wed, 7 Jul 2026', 'refused'], // it was a Tuesday
  ['26-07-04', 'refused'], // 2004 or 2026
  ['2026-07-04 09:00-10:00', 'refused'], // two times
  ['2026-07-04 09:00 CST', 'refused'], // in China or in America
  ['2026-07-04T09:00:00+08:75', 'refused'], // an hour has 60 minutes
  ['2026-07-04 09:00 UTC+5:90', 'refused'],
  ['2026-02-30', 'refused'],
  ['2026-W48-6', 'refused'],
  ['2026-332', 'refused'],
  ['26年11月28日', 'refused'],
  ['28112026', 'refused'],
  ['28 11 2026', 'refused'],
  ['1795878000000000', 'refused'], // microseconds
  ['2026-11-28T15', 'refused'],
  ['2026-11-28 9-10', 'refused'],
  ['Do 28.11.2026', 'refused'], // it is a Saturday
  ['Sat, 28 Nov 2026 15:00:00 EST', 'refused'],
  ['1/1/28', 'refused'], // 2028 or 1928
  ['115/11/28', 'refused'],
  ['00/00/0000', 'refused'],
  ['2026-07/04', 'refused'],
  ['July 2026 9:00', 'refused'],
  ['Jul 4 10:30', 'refused'],
  ['yesterday', 'refused'],
  ['', 'refused'],
])('the date %j is %s', (text, expected) => expect(when(text, 'day')).toBe(expected));

test('the order decides about slashes and hyphens only', () => {
  expect(when('02/01/2026', 'day', 'month_first')).toBe('2026-02-01');
  expect(when('02/01/2026', 'day', 'day_first')).toBe('2026-01-02');
  expect(when('26-07-04', 'day', 'year_first')).toBe('2026-07-04');
  for (const order of ['month_first', 'day_first'] as const) {
    expect(when('02.01.2026', 'day', order)).toBe('2026-01-02');
    expect(when('2026/01/02', 'day', order)).toBe('2026-01-02');
  }
});

test.each([
  ['12:00:00 AM', '00:00:00'],
  ['上午12:30', '00:30:00'],
  ['下午12:30', '12:30:00'],
  ['上午9时5分', '09:05:00'],
  ['晚上8点', '20:00:00'],
  ['１：３０', '01:30:00'],
  ['12.30 Uhr', '12:30:00'],
  ['9:00 vorm.', '09:00:00'],
  ['12 Uhr mittags', '12:00:00'],
  ['3:30 nachmittags', '15:30:00'],
  ['8 Uhr abends', '20:00:00'],
  ['24.00', '24:00:00'],
  ['12:30 pm', '12:30:00'],
  ['11:59 p.m.', '23:59:00'],
  ['9:00am', '09:00:00'],
  ['9p', '21:00:00'],
  ['0:30 PM', '12:30:00'],
  ['凌晨12:30', '00:30:00'],
  ['凌晨2点', '02:00:00'],
  ['早上8:00', '08:00:00'],
  ['上午9:00', '09:00:00'],
  ['中午11:30', '11:30:00'],
  ['中午12:30', '12:30:00'],
  ['中午1:00', '13:00:00'],
  ['下午 3:05:00', '15:05:00'],
  ['下午3点半', '15:30:00'],
  ['下午15:00', '15:00:00'],
  ['晚上10:00', '22:00:00'],
  ['晚上12:00', '24:00:00'],
  ['晚上12:30', 'refused'],
  ['晚上1:00', 'refused'],
  ['早上12:30', 'refused'],
  ['13:00 AM', 'refused'],
  ['24:30', 'refused'],
  ['25:00', 'refused'],
  ['08:60', 'refused'],
  ['9:5', 'refused'],
  ['3:5', 'refused'],
  ['3,5', 'refused'],
  ['930', 'refused'],
  ['1.5', 'refused'],
  ['halb 8', 'refused'],
  ['12:00 vormittags', 'refused'],
  ['noon', 'refused'],
  ['9:00 Z', 'refused'], // without a day
  ['09:00-10:00', 'refused'],
  ['0.45', 'refused'],
  ['8', 'refused'],
  ['', 'refused'],
])('the time %j is %s', (text, expected) => expect(when(text, 'time')).toBe(expected));

test.each([
  ['1h 30m', 5400],
  ['1h 30m 0s', 5400], // Numbers
  ['1 hr, 30 mins', 5400],
  ['1hr30', 5400],
  ['1 heure 30', 5400],
  ['1:30:00 h', 5400], // Kimai
  ['00:25:00.0000000', 1500],
  ['25分30秒', 1530],
  ['PT1.5H', 5400],
  ['26:30:00', 95_400],
  ['0:01:30:00.000', 'refused'], // Numbers: weeks or days first
  ['1:30:60', 'refused'],
  ['1w 2d', 'refused'],
  ['1h 90m', 9000],
  ['1,5 h', 5400],
  ['1:30 Std.', 5400],
  ['1:30 hours', 5400],
  ['1 Std. 30', 5400],
  ['1小时30', 5400],
  ['1.5小时', 5400],
  ['45m30s', 2730],
  ['1小时30分', 5400],
  ['1 小时 30 分钟', 5400],
  ['90分钟', 5400],
  ['1,5 Std.', 5400],
  ['1 ч 30 мин', 5400],
  ['1 hour and 30 minutes', 5400],
  ['90 min', 5400],
  ['5400 s', 5400],
  ['5400000ms', 5400],
  ['PT1H30M', 5400],
  ['P1DT2H', 93_600],
  ['0 days 01:30:00', 5400],
  ['１：３０：００', 5400],
  ['1:30', 'asked'],
  ['1.5', 'asked'],
  ['20', 'asked'],
  ['P1M', 'refused'],
  ["90'", 'refused'],
  ['1:5', 'refused'],
  ['1h5', 'refused'],
  ['1:30 min', 'refused'],
  ['1 1/2 h', 'refused'],
  ['1-2 h', 'refused'],
  ['~1h', 'refused'],
  ['1:30 AM', 'refused'],
  ['1.02:00:00', 'refused'],
  ['30m 1h', 'refused'],
  ['1h 1h', 'refused'],
  ['1:75', 'refused'],
  ['1 800', 'refused'],
  ['-1', 'refused'],
  ['soon', 'refused'],
  ['', 'refused'],
])('the duration %j is %s', (text, expected) => expect(seconds(text, undefined)).toBe(expected));

test('numbers are in the unit of their column; a thousand seconds are not one', () => {
  expect(seconds('1,5', 'hours')).toBe(5400);
  expect(seconds('1,500', 'hours')).toBe(5400);
  expect(seconds('90', 'minutes')).toBe(5400);
  expect(seconds('1:30', 'minutes')).toBe(90);
  expect(seconds('1:30', 'seconds')).toBe('refused');
  expect(seconds('1,800', 'seconds')).toBe('refused');
  expect(seconds('20.334', 'seconds')).toBe('refused');
  expect(seconds('20.334', 'seconds', '.')).toBe(20.334);
  expect(seconds('20.334', 'seconds', '.,')).toBe(20.334);
  expect(seconds('1,200', 'minutes', '.')).toBe('refused');
  expect(seconds('1,234', 'hours', '.')).toBe('refused');
  expect(seconds('1,800.5', 'seconds')).toBe(1800.5);
  expect(seconds('1.800,5', 'seconds')).toBe(1800.5);
  expect(seconds('1,800,000', 'seconds')).toBe(1_800_000);
});
