import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  user = await app.createUser({ timezone: 'UTC' });
});
afterAll(() => app.stop());

type Fields = Record<string, string>;
type Listed = { started_at: string; ended_at: string };
type Reading = { column: string; written: string; read: string };

/** A dry run: the report, the spans of its records in UTC, how cells were read, and its errors. */
async function checked(lines: readonly string[], fields: Fields = {}, language = 'en') {
  const request = app.as(user).post('/api/sessions/import').set('Accept-Language', language);
  for (const [name, value] of Object.entries({ create_projects: 'true', ...fields })) request.field(name, value);
  const { body } = await request.attach('file', Buffer.from(lines.join('\n')), 'records.csv').expect(200);
  const spans = body.data.sessions.map((one: Listed) => `${one.started_at.slice(5, 16)}–${one.ended_at.slice(5, 16)}`);
  const readings = body.data.readings.map((one: Reading) => `${one.written} → ${one.read}`);
  const errors = body.data.errors.map((one: { row: number; message: string }) => `${one.row} ${one.message}`);
  return { report: body.data, spans, readings, errors };
}

describe('dates with a time of midnight are dates', () => {
  test.each<[string, string[], string[]]>([
    [
      'beside a time, of databases',
      ['Project,Date,Start time,Duration', 'Algebra,2026-07-04 00:00:00,09:00:00,1:00'],
      ['07-04T09:00–07-04T10:00'],
    ],
    [
      'beside a time, of spreadsheets',
      ['Project,Date,Start time,Duration', 'Algebra,7/14/2026 12:00:00 AM,9:00:00 AM,1:00'],
      ['07-14T09:00–07-14T10:00'],
    ],
    [
      'beside start and end, of JSON',
      ['Project,Date,Start,End', 'Algebra,2026-07-04T00:00:00.000Z,9:00,10:00'],
      ['07-04T09:00–07-04T10:00'],
    ],
    [
      'beside start and end dates',
      ['Project,Start date,Start time,End date,End time', 'Algebra,2026-07-04 00:00,23:00,2026-07-05 00:00,1:00'],
      ['07-04T23:00–07-05T01:00'],
    ],
    [
      'beside hours only',
      ['Project,Date,Hours', 'Algebra,7/14/2026 0:00,1.5', 'History,7/14/2026 0:00,2'],
      ['07-14T09:00–07-14T10:30', '07-14T10:30–07-14T12:30'],
    ],
    [
      'and times with a day that is none',
      ['Project,Date,Start,End', 'Algebra,2026-07-04,1899-12-30 09:00:00,1899-12-30 10:00:00'],
      ['07-04T09:00–07-04T10:00'],
    ],
    [
      'but not in a column of times',
      ['Project,Date,Hours', 'Algebra,2026-07-04T00:00:00,1', 'Algebra,2026-07-04T07:00:00,1'],
      ['07-04T00:00–07-04T01:00', '07-04T07:00–07-04T08:00'],
    ],
  ])('%s', async (_name, lines, expected) => {
    const { spans, errors } = await checked(lines);
    expect(errors).toEqual([]);
    expect(spans).toEqual(expected);
  });

  test('a date and a time that contradict each other are refused', async () => {
    const { errors } = await checked(['Project,Date,Start,End', 'Algebra,2026-07-04 08:00,9:00,10:00']);
    expect(errors).toEqual(['2 is “2026-07-04 08:00” and “9:00”, which contradict each other']);
  });
});

describe('a zone in the header', () => {
  test.each([
    ['Start (UTC),End (UTC)', '2026-07-04 09:00,2026-07-04 10:00', '07-04T09:00–07-04T10:00'],
    ['start_utc,end_utc', '2026-07-04 09:00,2026-07-04 10:00', '07-04T09:00–07-04T10:00'],
    ['Start (GMT+2),End (GMT+2)', '2026-07-04 09:00,2026-07-04 10:00', '07-04T07:00–07-04T08:00'],
    ['Start (UTC-03:30),End (UTC-03:30)', '2026-07-04 09:00,10:00', '07-04T12:30–07-04T13:30'],
    ['开始时间(UTC),结束时间(UTC)', '2026-07-04 09:00,2026-07-04 10:00', '07-04T09:00–07-04T10:00'],
    ['Start (UTC),End (UTC)', '2026-07-04T09:00+08:00,2026-07-04T10:00+08:00', '07-04T01:00–07-04T02:00'],
  ])('%s is that of its times', async (header, row, expected) => {
    const { spans, errors } = await checked([`Project,${header}`, `Algebra,${row}`], { time_zone: 'Asia/Shanghai' });
    expect(errors).toEqual([]);
    expect(spans).toEqual([expected]);
  });

  test('also of columns that are assigned, and of a date beside a time', async () => {
    const columns = JSON.stringify({ project: 'What', start: 'Opened UTC', end: 'Closed UTC' });
    const lines = ['What,Opened UTC,Closed UTC', 'Algebra,2026-07-04 09:00,2026-07-04 10:00'];
    expect((await checked(lines, { columns, time_zone: 'Asia/Shanghai' })).spans).toEqual(['07-04T09:00–07-04T10:00']);
    const parted = ['Project,Date,Start time (UTC),End time (UTC)', 'Algebra,2026-07-04,9:00,10:00'];
    expect((await checked(parted, { time_zone: 'Asia/Shanghai' })).spans).toEqual(['07-04T09:00–07-04T10:00']);
  });

  test('of the start only contradicts an end without one', async () => {
    const { errors } = await checked(['Project,Start (UTC),End', 'Algebra,2026-07-04 09:00,2026-07-04 10:00']);
    expect(errors).toEqual(['2 is “2026-07-04 10:00” and “2026-07-04 09:00”, which contradict each other']);
  });
});

describe('an end before the start', () => {
  const lines = (...rows: string[]) => ['Project,Date,Start,End', ...rows.map((row) => `Algebra,2026-07-04,${row}`)];
  test('is refused if its half of the day is not certain', async () => {
    const { errors } = await checked(lines('9:00,10:00', '11:00,1:00'));
    expect(errors).toEqual([
      '3 is “1:00” after “11:00”, which may be in the afternoon or at night; write 13:00 or 1:00 PM, or 01:00 at night',
    ]);
  });

  test.each([
    ['in the night', '22:00,1:00', '07-04T22:00–07-05T01:00'],
    ['with a zero', '11:00,01:00', '07-04T11:00–07-05T01:00'],
    ['beside a time of 24 hours', '11:00,1:00', '07-04T11:00–07-05T01:00', '2:00,3:00', '0:30,1:30'],
  ])('is on the next day %s', async (_name, row, expected, ...others) => {
    const { spans, errors } = await checked(lines(row, ...others));
    expect(errors).toEqual([]);
    expect(spans).toContain(expected);
  });
});

describe('units of durations', () => {
  test('a comma beside decimals with a point is none that begins decimals', async () => {
    const { errors } = await checked([
      'Project,Start,Minutes',
      'Algebra,2026-07-04 09:00,12.5',
      'Algebra,2026-07-04 12:00,"1,200"',
    ]);
    expect(errors).toEqual(['3 is “1,200”, but must be a duration such as 1:30, 01:30:00 or 1.5']);
  });

  const columns = JSON.stringify({ project: 'Activity', start: 'Date', duration: 'Time Spent (seconds)' });
  const rescueTime = [
    'Date,Time Spent (seconds),Number of People,Activity,Category,Productivity',
    '2026-07-04T09:00:00,1800,1,Reading,Reference,2',
    '2026-07-04T12:00:00,20,1,Reading,Reference,2',
  ];
  test.each<[string, Fields]>([
    ['assigned', { columns }],
    ['found', {}],
  ])('seconds by their header, %s', async (_name, fields) => {
    const { spans, readings, report } = await checked(rescueTime, fields);
    expect(spans).toEqual(['07-04T09:00–07-04T09:30', '07-04T12:00–07-04T12:00']);
    expect(readings).toEqual(['2026-07-04T09:00:00 → 4 July 2026 09:00', '1800 → 30 minutes']);
    expect(report).toMatchObject({
      duration_unit: 'seconds',
      hours: 0.51,
      unread_columns: expect.arrayContaining(['Category']),
    });
  });

  test.each([
    ['duration_seconds', '1800', '09:30'],
    ['Duration (s)', '1800', '09:30'],
    ['时长(秒)', '1800', '09:30'],
    ['Duration (ms)', '1800000', '09:30'],
    ['duration_ms', '1800000', '09:30'],
    ['Duration (min)', '30', '09:30'],
    ['Minutes', '30', '09:30'],
    ['Dauer (Std.)', '"0,5"', '09:30'],
    ['Hours', '0.5', '09:30'],
    ['Duration', '30m', '09:30'],
    ['Duration', 'PT30M', '09:30'],
    ['Duration', '0:30', '09:30'],
    ['Duration', '0.5', '09:30'],
    ['Length (mm:ss)', '30:00', '09:30'],
  ])('%s: %s', async (header, written, expected) => {
    const { spans, errors } = await checked([`Project,Start,${header}`, `Algebra,2026-07-04 09:00,${written}`]);
    expect(errors).toEqual([]);
    expect(spans).toEqual([`07-04T09:00–07-04T${expected}`]);
  });

  test.each(['20', '90', '1800', '20.334', '25:30'])(
    '%s without a unit is refused until it is chosen',
    async (written) => {
      const lines = ['timestamp,duration,Project', `2026-07-04 09:00,${written},Algebra`];
      const { errors, report } = await checked(lines);
      expect(errors).toEqual([
        `2 is “${written}” without a unit; choose hours, minutes, seconds or milliseconds with duration_unit`,
      ]);
      expect(report).toMatchObject({ duration_unit: null, duration_unit_asked: true, valid: 0 });
      const unit = written.includes(':') ? 'minutes' : 'seconds';
      const chosen = await checked([...lines, '2026-07-04 12:00,0.5,Algebra'], {
        duration_unit: unit,
        skip_invalid: 'true',
      });
      expect(chosen.report).toMatchObject({ duration_unit: unit, duration_unit_asked: false });
      expect(chosen.spans[0]).toMatch(/^07-04T09:00–07-04T09:(00|01|25|30)$/);
    },
  );

  test('start and end tell the unit for the rows that have no end', async () => {
    const lines = [
      'Project,Start,End,Duration',
      'A one,2026-07-04 09:00,2026-07-04 09:30,30',
      'A one,2026-07-04 12:00,,20',
    ];
    const { spans, report } = await checked(lines);
    expect(spans).toEqual(['07-04T09:00–07-04T09:30', '07-04T12:00–07-04T12:20']);
    expect(report).toMatchObject({ duration_unit: 'minutes', duration_unit_asked: false });
  });

  test('hours and minutes in two columns are refused', async () => {
    const file = Buffer.from('Project,Date,Hours,Minutes\nAlgebra,2026-07-04,1,30');
    const { body } = await app.as(user).post('/api/sessions/import').attach('file', file, 'records.csv').expect(400);
    expect(body.error.details).toMatchObject([
      { field: 'columns', message: 'must choose one of several columns for the duration: “Hours, Minutes”' },
    ]);
  });
});

test.each<[string, string[], string[]]>([
  [
    'noon and evening',
    ['项目,日期,开始,结束', '高数,2026-07-04,早上8:00,中午11:30', '高数,2026-07-06,晚上10:00,晚上12:00'],
    ['07-04T08:00–07-04T11:30', '07-06T22:00–07-07T00:00'],
  ],
  [
    'names of months',
    [
      'Project,Start,End',
      'Algebra,4-Jul-26 9:00,4-Jul-26 10:00',
      'Algebra,"July 5, 2026 9:00 AM","July 5, 2026 10:00 AM"',
      'Algebra,06/Jul/26 9:00 AM,06/Jul/26 10:00 AM',
    ],
    ['07-04T09:00–07-04T10:00', '07-05T09:00–07-05T10:00', '07-06T09:00–07-06T10:00'],
  ],
  [
    'weekdays and dates without marks',
    [
      'Project,Date,Start,End',
      'Algebra,"Tue, 7 Jul 2026",9:00,10:00',
      'Algebra,20260708,9:00,10:00',
      'Algebra,2026年7月9日星期四,9:00,10:00',
    ],
    ['07-07T09:00–07-07T10:00', '07-08T09:00–07-08T10:00', '07-09T09:00–07-09T10:00'],
  ],
  [
    'a day that ends at 24:00',
    ['Project,Date,Start,End', 'Algebra,2026-07-04,22:00,24:00'],
    ['07-04T22:00–07-05T00:00'],
  ],
  [
    'an end and a duration',
    ['Project,Date,End time,Duration', 'Algebra,2026-07-04,10:00,1:00'],
    ['07-04T09:00–07-04T10:00'],
  ],
  ['a time beside hours', ['Project,Date,Time,Hours', 'Algebra,2026-07-04,13:00,1.5'], ['07-04T13:00–07-04T14:30']],
])('%s', async (_name, lines, expected) => {
  const { spans, errors } = await checked(lines);
  expect(errors).toEqual([]);
  expect(spans).toEqual(expected);
});

test.each<[string, string, string[], string]>([
  [
    'an end with an offset, and a start without',
    'Project,Start,End',
    ['Algebra,2026-07-04T09:00:00+08:00,2026-07-04T10:00:00', 'Algebra,2026-07-04 12:00,2026-07-04T13:00:00Z'],
    '2 is “2026-07-04T10:00:00” and “2026-07-04T09:00:00+08:00”; 3 is “2026-07-04T13:00:00Z” and “2026-07-04 12:00”',
  ],
  [
    'half a day of one time only, of an hour or thirteen',
    'Project,Date,Start,End',
    ['Algebra,2026-07-04,1:00 PM,2:00', 'Algebra,2026-07-06,9:00,10:00 PM', 'Algebra,2026-07-08,下午1:00,2:00'],
    '2 is “2:00” and “1:00 PM”; 3 is “10:00 PM” and “9:00”; 4 is “2:00” and “下午1:00”',
  ],
  [
    'a duration that is not that from start to end',
    'Project,Start,End,Duration',
    ['Algebra,2026-07-04 09:00,2026-07-04 10:00,2h 30m', 'Algebra,2026-07-05 09:00,2026-07-05 17:00,3:00'],
    '2 is “2026-07-04 10:00” and “2h 30m”; 3 is “2026-07-05 17:00” and “3:00”',
  ],
])('times that contradict each other are refused: %s', async (_name, head, rows, expected) => {
  const { errors, spans } = await checked([head, ...rows]);
  const messages = expected.split('; ').map((one) => `${one}, which contradict each other`);
  expect([spans, errors]).toEqual([[], messages]);
});

test.each<[string, string, string[]]>([
  ['9:00 AM', '13:30', ['07-04T09:00–07-04T13:30']],
  ['9:00', '1:30 PM', ['07-04T09:00–07-04T13:30']],
  ['晚上11:00', '6:30', ['07-04T23:00–07-05T06:30']],
  ['0:30', '1:00 PM', ['07-04T00:30–07-04T13:00']],
])(
  'half a day beside a time without is read where only one reading is likely: %s to %s',
  async (from, to, expected) => {
    const { spans, errors } = await checked(['Project,Date,Start,End', `Algebra,2026-07-04,${from},${to}`]);
    expect([errors, spans]).toEqual([[], expected]);
  },
);

test('a message shows the text that cannot be read', async () => {
  const head = 'Project,Date,Start,End';
  const messages = async (row: string) => (await checked([head, row])).errors.map((one: string) => one.split(',')[0]);
  expect(await messages('Algebra,someday,9:00,10:00')).toEqual(['2 is “someday 9:00”']);
  expect(await messages('Algebra,2026-07-04,at nine,10:00')).toEqual(['2 is “2026-07-04 at nine”']);
  expect(await messages('Algebra,2026-07-04,9:00,at ten')).toEqual(['2 is “at ten”']);
});

test('the preview says how each column was read, and another order can be chosen', async () => {
  const lines = ['Project,Date,Start,Duration', 'Algebra,07/04/26,9:00 AM,1h 30m', 'Algebra,2026-07-05,15:00,0:20'];
  const { report, readings } = await checked(lines);
  expect(report).toMatchObject({ date_order: 'month_first', date_order_guessed: true });
  expect(readings).toEqual([
    ...['07/04/26 → 4 July 2026, month first', '9:00 AM → 09:00', '1h 30m → 1 hour 30 minutes'],
    ...['2026-07-05 → 5 July 2026', '0:20 → 20 minutes'],
  ]);
  const { report: other, spans } = await checked(lines, { date_order: 'day_first' }, 'zh');
  expect(other.readings[0]).toEqual({
    ...{ field: 'date', column: 'Date', written: '07/04/26' },
    ...{ read: '2026年4月7日（日在前）', date_order: 'day_first' },
  });
  expect(spans[0]).toBe('04-07T09:00–04-07T10:30');
});

test('the preview says how many durations differ from start and end, which count', async () => {
  const header = 'Project,Start,End,Duration';
  const rows = [
    '09:00,10:00,1:00',
    '11:00,12:30,1:20',
    '13:00,14:00,2:00',
    '15:00:00,16:00:59,1:00',
    '17:00,18:01,1:00',
  ];
  const lines = rows.map(
    (row) => `Algebra,${row.split(',').map((text, at) => (at < 2 ? `2026-07-04 ${text}` : text))}`,
  );
  const { report, spans } = await checked([header, ...lines]);
  expect(spans[1]).toBe('07-04T11:00–07-04T12:30');
  expect([report.valid, report.other_durations, report.hours]).toEqual([5, 3, 5.53]);
});

test('a year of two digits that stands first is not taken for a day', async () => {
  const { spans, report } = await checked(['Project,Date,Start,End', 'Algebra,26-07-04,9:00,10:00']);
  expect([spans, report.date_order, report.date_order_guessed]).toEqual([
    ['07-04T09:00–07-04T10:00'],
    'year_first',
    false,
  ]);
});
