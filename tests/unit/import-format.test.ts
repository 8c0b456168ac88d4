import { describe, expect, test } from 'vitest';
import { dateOrderOf, formatOf } from '../../src/features/session-transfer/import-format.ts';

const options = { userId: 7, timeZone: 'Asia/Shanghai', dateOrder: 'month first' } as const;

function readReport(
  date: string,
  time: string,
  more: Record<string, string> = {},
  order = options.dateOrder as 'day first' | 'month first',
) {
  const cells = { project: 'P', 'start date': date, 'start time': time, duration: '00:30:00', ...more };
  const draft = formatOf(cells)?.(cells, { ...options, dateOrder: order });
  return draft === undefined || Array.isArray(draft) ? draft?.map((error) => error.field) : draft.started;
}

describe('the times of a report', () => {
  test.each([
    ['2026-02-01', '08:00:00', '2026-02-01 08:00:00'],
    ['2026-02-01', '8:00', '2026-02-01 08:00:00'],
    ['02/01/2026', '12:00:00 AM', '2026-02-01 00:00:00'],
    ['2/1/2026', '12:30 pm', '2026-02-01 12:30:00'],
    ['02/01/2026', '11:59:59 p.m.', '2026-02-01 23:59:59'],
    ['01.02.2026', '23:59', '2026-02-01 23:59:00'],
    ['2024-02-29', '00:00:00', '2024-02-29 00:00:00'],
  ])('%s %s is %s', (date, time, expected) => {
    expect(readReport(date, time)).toBe(`${expected} Asia/Shanghai`);
  });

  test('with the day first, when that was found out', () => {
    expect(readReport('02/01/2026', '08:00', {}, 'day first')).toBe('2026-01-02 08:00:00 Asia/Shanghai');
  });

  test.each([
    ['2026-02-29', '08:00'],
    ['2026-13-01', '08:00'],
    ['13/13/2026', '08:00'],
    ['2026-02-01', '24:00'],
    ['2026-02-01', '13:00 PM'],
    ['2026-02-01', '00:30 AM'],
    ['2026-02-01', '08:60'],
    ['', ''],
    ['1/2/26', '08:00'],
  ])('%j %j is refused', (date, time) => {
    expect(readReport(date, time)).toEqual(['started_at']);
  });

  test('need an end or a length', () => {
    expect(readReport('2026-02-01', '08:00', { duration: '' })).toEqual(['ended_at']);
    expect(readReport('2026-02-01', '08:00', { duration: '', 'stop date': '2026-02-01', 'stop time': 'x' })).toEqual([
      'ended_at',
    ]);
  });

  test.each([
    ['13/02/2026', 'day first'],
    ['02/13/2026', 'month first'],
    ['02/03/2026', undefined],
    ['2026-02-13', undefined],
  ])('%s proves the order to be %s', (date, order) => {
    expect(dateOrderOf({ 'start date': date })).toBe(order);
  });
});

describe('our own export', () => {
  const good = {
    project_id: '3',
    project_name: 'P',
    started_at: '2026-02-01T08:00:00+08:00',
    ended_at: '2026-02-01T01:00:00.5Z',
  };
  const read = (cells: Record<string, string>) => formatOf(cells)?.(cells, options);

  test('with what is not given taken from the caller', () => {
    expect(read(good)).toEqual({
      project_id: 3,
      project_name: 'P',
      started: '2026-02-01T00:00:00.000Z',
      ended: '2026-02-01T01:00:00.500Z',
      seconds: null,
      note: '',
      source: 'manual',
      time_zone: 'Asia/Shanghai',
      auto_stopped: false,
    });
  });

  test('names each cell that is wrong', () => {
    const wrong = {
      ...good,
      user_id: '8',
      ended_at: '2026-02-01 01:00',
      source: 'phone',
      time_zone: 'Moon',
      note: 'a\u0000b',
    };
    const errors = read(wrong);
    expect(Array.isArray(errors) && errors.map((error) => error.field).sort()).toEqual([
      'ended_at',
      'note',
      'source',
      'time_zone',
      'user_id',
    ]);
  });

  test('an id that is none falls back on the name', () => {
    expect(read({ ...good, project_id: '99999999999999999999' })).toMatchObject({
      project_id: null,
      project_name: 'P',
    });
  });
});

test('other columns are no format', () => {
  expect(formatOf({ a: '', b: '' })).toBeUndefined();
  expect(formatOf({ started_at: '', ended_at: '' })).toBeUndefined();
});
