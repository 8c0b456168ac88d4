import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../src/features/session-import/file/layout.ts';
import {
  agreeingTimes,
  type DateOrder,
  instantsOf,
  parseClock,
  parseDay,
  parseMoment,
  parseSeconds,
} from '../../../src/features/session-import/file/written-times.ts';

const dayText = (text: string, order: DateOrder = 'month_first') => {
  const day = parseDay(text, order);
  return day === undefined ? undefined : new Date(day).toISOString().slice(0, 10);
};

describe('days', () => {
  test.each([
    ['2026-02-01', '2026-02-01'],
    ['2026/7/4', '2026-07-04'],
    ['2026年7月4日', '2026-07-04'],
    ['２０２６/７/４', '2026-07-04'],
    ['02/01/2026', '2026-02-01'],
    ['7/14/26', '2026-07-14'],
    ['01.02.2026', '2026-02-01'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', undefined],
    ['2026-13-01', undefined],
    ['13/13/2026', undefined],
    ['2026-07/04', undefined],
    ['', undefined],
    ['soon', undefined],
  ])('%s is %s', (text, expected) => {
    expect(dayText(text)).toBe(expected);
  });

  test('the order decides about slashes and hyphens only', () => {
    expect(dayText('02/01/2026', 'day_first')).toBe('2026-01-02');
    expect(dayText('2026/01/02', 'day_first')).toBe('2026-01-02');
  });
});

describe('times of a day, in minutes', () => {
  test.each([
    ['08:00:00', 480],
    ['8:00', 480],
    ['08.00', 480],
    ['12:00:00 AM', 0],
    ['12:30 pm', 750],
    ['11:59 p.m.', 1439],
    ['上午9:00', 540],
    ['下午 3:05:00', 905],
    ['中午12:00', 720],
    ['凌晨12:30', 30],
    ['９：００', 540],
    ['24:00', undefined],
    ['13:00 PM', undefined],
    ['00:30 AM', undefined],
    ['08:60', undefined],
    ['8', undefined],
    ['', undefined],
  ])('%s is %s', (text, minutes) => {
    expect(parseClock(text)).toBe(minutes === undefined ? undefined : minutes * 60_000);
  });
});

describe('moments', () => {
  test.each<[string, object | undefined]>([
    ['2016-01-21T14:49:13.000-0500', { instant: Date.UTC(2016, 0, 21, 19, 49, 13) }],
    ['2026-02-01T08:00Z', { instant: Date.UTC(2026, 1, 1, 8) }],
    ['2026-02-01T08:00:00+08', { instant: Date.UTC(2026, 1, 1) }],
    ['2026-02-30T08:00:00Z', undefined],
    ['2020/12/31 23:39:08', { local: Date.UTC(2020, 11, 31, 23, 39, 8) }],
    ['2026/7/4 上午9:00', { local: Date.UTC(2026, 6, 4, 9) }],
    ['04.07.2026, 09:00', { local: Date.UTC(2026, 6, 4, 9) }],
    ['7/4/26 9:00 PM', { local: Date.UTC(2026, 6, 4, 21) }],
    ['2026-07-04T09:00', { local: Date.UTC(2026, 6, 4, 9) }],
    ['2026-07-04', undefined],
    ['soon', undefined],
  ])('%s', (text, expected) => {
    expect(parseMoment(text, 'month_first')).toEqual(expected);
  });
});

test.each([
  ['1:30', 90],
  ['01:30:00', 90],
  ['1.5', 90],
  ['1,5', 90],
  ['１：３０', 90],
  ['1h 30m', 90],
  ['1小时30分', 90],
  ['90 min', 90],
  ['PT1H30M', 90],
  ['0', 0],
  ['', undefined],
  ['1:75', undefined],
  ['-1', undefined],
  ['soon', undefined],
])('the duration %s is %s minutes', (text, minutes) => {
  expect(parseSeconds(text, 'hours')).toBe(minutes === undefined ? undefined : minutes * 60);
});

test('a number is in the unit of its column; a thousand minutes are not one', () => {
  expect(parseSeconds('1,500', 'hours')).toBe(5_400);
  expect(parseSeconds('90', 'minutes')).toBe(5_400);
  expect(parseSeconds('1,000', 'minutes')).toBeUndefined();
});

test.each([
  ['46207', '', '2026-07-04T00:00'],
  ['46207.375', '', '2026-07-04T09:00'],
  ['46207', '0.989583333', '2026-07-04T23:45'],
])('days and times that a spreadsheet writes as numbers: %s %s', (day, clock, expected) => {
  const moment = parseMoment(day, 'month_first');
  const local = moment !== undefined && 'local' in moment ? moment.local : (parseDay(day, 'month_first') ?? 0);
  expect(new Date(local + (parseClock(clock, true) ?? 0)).toISOString().slice(0, 16)).toBe(expected);
});

test('9:00am needs no space; a fraction is a time only beside such a day', () => {
  expect(parseClock('9:00am')).toBe(540 * 60_000);
  expect(parseClock('0.375')).toBeUndefined();
});

describe('local times', () => {
  const at = (hour: number, minute = 0) => Date.UTC(2018, 10, 4, hour, minute);

  test('a repeated hour has two instants, and the duration decides', () => {
    const [starts, ends] = [instantsOf(at(1, 20), 'America/New_York'), instantsOf(at(2, 20), 'America/New_York')];
    expect(starts).toEqual([at(5, 20), at(6, 20)]);
    expect(agreeingTimes(starts, ends, 7200)).toEqual([at(5, 20), at(7, 20)]);
    expect(agreeingTimes(starts, ends, 3600)).toEqual([at(6, 20), at(7, 20)]);
  });

  test('a skipped hour has two readings, and the duration decides', () => {
    const local = (hour: number, minute: number) => Date.UTC(2026, 2, 29, hour, minute);
    const [starts, ends] = [instantsOf(local(2, 30), 'Europe/Berlin'), instantsOf(local(3, 30), 'Europe/Berlin')];
    expect(agreeingTimes(starts, ends, 3600)).toEqual([local(0, 30), local(1, 30)]);
  });

  test('any instant is among those of its local time', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const moment = minute * 60_000;
        const written = new Date(moment).toLocaleString('sv-SE', { timeZone });
        expect(instantsOf(Date.parse(`${written.replace(' ', 'T')}Z`), timeZone)).toContain(moment);
      }),
    );
  });
});

describe('headers', () => {
  test.each([
    'Project,Description,Start date,Start time,Stop date,Stop time,Duration',
    'Projekt,Startdatum,Startzeit,Dauer (h)',
    'Projet,Date de début,Heure de début,Durée (h)',
    'Proyecto,Fecha de inicio,Hora de inicio,Duración (h)',
    'Projeto,Data de início,Hora de início,Duração (h)',
    'プロジェクト,開始日,開始時刻,期間',
    '项目,开始日期,开始时间,结束日期,结束时间',
    'Date,Client,Project,Task,Notes,Hours',
    'project_name,started_at,ended_at',
  ])('%s', (header) => {
    const layout = layoutOf(header.split(','));
    expect(layout).toMatchObject({ at: { project: expect.any(Number) } });
  });

  test.each(['a,b', 'project,note', 'start,note', 'project,end,duration', 'project,start time'])('%s', (header) => {
    expect(layoutOf(header.split(','))).toBeUndefined();
  });
});
