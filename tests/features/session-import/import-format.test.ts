import { describe, expect, test } from 'vitest';
import { dateOrderOf, formatOf } from '../../../src/features/session-import/file/import-format.ts';

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

describe('times of a report', () => {
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

  test('are read with the day first, if that was detected', () => {
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
  ])('%j %j is rejected', (date, time) => {
    expect(readReport(date, time)).toEqual(['started_at']);
  });

  test('need an end or a duration', () => {
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

  test('defaults missing values to those of the caller', () => {
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

  test('reports each invalid cell', () => {
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

  test('falls back to the name for an invalid id', () => {
    expect(read({ ...good, project_id: '99999999999999999999' })).toMatchObject({
      project_id: null,
      project_name: 'P',
    });
  });
});

test('other columns are not recognised', () => {
  expect(formatOf({ a: '', b: '' })).toBeUndefined();
  expect(formatOf({ started_at: '', ended_at: '' })).toBeUndefined();
});

/** The errors of a row as field and message key, or the row itself. */
const problems = (cells: Record<string, string>) => {
  const read = formatOf(cells)?.(cells, options);
  return Array.isArray(read) ? read.map(({ field, message }) => `${field} ${message.key}`) : read;
};

describe('every column of a report', () => {
  const report = { project: ' Piano ', 'start date': ' 02/01/2026 ', 'start time': ' 8:05 AM ' };

  test.each([
    [{ 'end date': ' 02/01/2026 ', 'end time': ' 09:00 ' }, '2026-02-01 09:00:00 Asia/Shanghai', null],
    [{ 'stop date': '02/01/2026', 'stop time': '09:00' }, '2026-02-01 09:00:00 Asia/Shanghai', null],
    [{ 'end date': '', 'stop date': '02/01/2026', 'stop time': '09:00' }, '2026-02-01 09:00:00 Asia/Shanghai', null],
    [{ duration: ' 100:01:02 ' }, null, 360_062],
    [{ 'duration (h)': '00:00:01' }, null, 1],
  ])('%o', (end, ended, seconds) => {
    const cells = { ...report, description: ' Scales ', ...end };
    expect(formatOf(cells)?.(cells, options)).toEqual({
      project_id: null,
      project_name: 'Piano',
      started: '2026-02-01 08:05:00 Asia/Shanghai',
      ended,
      seconds,
      note: 'Scales',
      source: 'manual',
      time_zone: 'Asia/Shanghai',
      auto_stopped: false,
    });
  });

  test.each([
    [{ duration: '1:00' }, ['ended_at required']],
    [{ duration: '1:00:00x' }, ['ended_at required']],
    [{ duration: 'x1:00:00' }, ['ended_at required']],
    [{ duration: '1:00:00', 'start time': '8:05x' }, ['started_at import_date']],
    [{ duration: '1:00:00', 'start time': 'x8:05' }, ['started_at import_date']],
    [{ duration: '1:00:00', 'start date': '12026-02-01' }, ['started_at import_date']],
    [{ duration: '1:00:00', 'start date': '2026-02-011' }, ['started_at import_date']],
    [{ duration: '1:00:00', 'start date': '2026-02/01' }, ['started_at import_date']],
    [{ duration: '1:00:00', 'start date': '0000-02-01' }, ['started_at session_too_early']],
    [{ duration: '1:00:00', project: 'x'.repeat(51) }, ['project too_long']],
    [{ duration: '1:00:00', project: 'x'.repeat(201) }, ['project too_long']],
    [{ duration: '1:00:00', description: 'x'.repeat(501) }, ['note too_long']],
    [{ duration: '1:00:00', description: `a${'\u0301'.repeat(31)}` }, ['note import_marks']],
    [{ duration: '1:00:00', tags: '\u0000' }, ['tags invalid_text']],
    [{ duration: '1:00:00', ['t'.repeat(60)]: '\u0000' }, [`${'t'.repeat(50)} invalid_text`]],
  ])('%o is invalid', (cells, expected) => {
    expect(problems({ ...report, ...cells })).toEqual(expected);
  });

  test.each([
    ['12/02/2026', undefined],
    ['02/12/2026', undefined],
    [' 13-02-2026 ', 'day first'],
    ['2-13-2026', 'month first'],
    ['13/02/20261', undefined],
    ['113/02/2026', undefined],
  ])('%j proves the order to be %s', (date, order) => {
    expect(dateOrderOf({ 'start date': date })).toBe(order);
    expect(dateOrderOf({})).toBeUndefined();
  });

  test.each([
    ['1:00 AM', '01:00'],
    ['12:00 p.m.', '12:00'],
    ['1:00 p', undefined],
    ['1:00PM', '13:00'],
  ])('%s is %s', (time, expected) => {
    const started = expected === undefined ? ['started_at'] : `2026-02-01 ${expected}:00 Asia/Shanghai`;
    expect(readReport('2026/02/01', time)).toEqual(started);
  });
});

describe('every column of our own export', () => {
  const own = {
    project_id: ' 12 ',
    project_name: ' Piano ',
    user_id: ' 7 ',
    started_at: ' 2026-02-01T08:00:00Z ',
    ended_at: '2026-02-01T09:00:00Z',
    note: "'=1+1",
    source: ' timer ',
    time_zone: ' Europe/Berlin ',
    auto_stopped: ' TRUE ',
  };

  test('is read, trimmed and without the formula guard', () => {
    expect(problems(own)).toEqual({
      project_id: 12,
      project_name: 'Piano',
      started: '2026-02-01T08:00:00.000Z',
      ended: '2026-02-01T09:00:00.000Z',
      seconds: null,
      note: '=1+1',
      source: 'timer',
      time_zone: 'Europe/Berlin',
      auto_stopped: true,
    });
    expect(problems({ ...own, auto_stopped: 'false', source: ' ', time_zone: ' ', user_id: ' ' })).toMatchObject({
      auto_stopped: false,
      source: 'manual',
      time_zone: 'Asia/Shanghai',
    });
  });

  test.each([
    ['user_id', '77', 'user_id import_not_yours'],
    ['time_zone', 'Moon', 'time_zone invalid_time_zone'],
    ['source', 'phone', 'source invalid'],
    ['started_at', 'yesterday', 'started_at invalid_date'],
    ['started_at', '0000-06-01T08:00:00Z', 'started_at session_too_early'],
    ['project_name', 'x'.repeat(51), 'project too_long'],
  ])('%s %j is %s', (field, value, expected) => {
    expect(problems({ ...own, [field]: value })).toEqual([expected]);
  });

  test.each(['0', '01', '1234567890123456', 'x1', '1x'])('%s is not an id', (project_id) => {
    expect(problems({ ...own, project_id })).toMatchObject({ project_id: null });
  });

  test('needs the project by id or by name', () => {
    const times = { started_at: own.started_at, ended_at: own.ended_at };
    expect(problems({ ...times, project_id: '12' })).toMatchObject({ project_id: 12, project_name: '' });
    expect(problems({ ...times, project_name: 'P' })).toMatchObject({ project_id: null, project_name: 'P' });
    expect(formatOf({ started_at: '', project_id: '' })).toBeUndefined();
    expect(formatOf({ 'start date': '', 'start time': '' })).toBeUndefined();
  });
});
