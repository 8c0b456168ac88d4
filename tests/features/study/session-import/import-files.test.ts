import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
let algebra: number;

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
});
afterAll(() => app.stop());

type Fields = Record<string, string>;

async function send(file: string | Buffer, fields: Fields = {}) {
  const content = typeof file === 'string' ? await readFile(`tests/fixtures/imports/${file}`) : file;
  const request = app.as(user).post('/api/sessions/import');
  for (const [name, value] of Object.entries({ dry_run: 'false', ...fields })) request.field(name, value);
  return request.attach('file', content, 'records.csv');
}

async function signUp(email?: string) {
  user = await app.createUser({ timezone: 'Asia/Shanghai' });
  if (email !== undefined) await app.query('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
  algebra = await createProject(app, user, 'Algebra');
}

/** Imports a file for a new user; returns the report and the records. */
async function imported(file: string | Buffer, fields: Fields = {}, email?: string) {
  await signUp(email);
  const response = await send(file, fields);
  expect(response.body).toMatchObject({ success: true });
  const list = await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200);
  return { report: response.body.data, records: list.body.data.sessions };
}

const timesOf = (records: { started_at: string; ended_at: string }[]) =>
  records.map(({ started_at, ended_at }) => [started_at.slice(0, 16), ended_at.slice(0, 16)]);

describe('files that people have', () => {
  test.each<[string, Fields, string[][]]>([
    [
      'spreadsheet-year-first.csv',
      {},
      [
        ['2026-07-04T01:00', '2026-07-04T02:00'],
        ['2026-07-05T01:00', '2026-07-05T02:00'],
      ],
    ],
    ['spreadsheet-american.csv', {}, [['2026-07-14T00:30', '2026-07-14T01:30']]],
    ['empty-rows.csv', {}, [['2026-07-04T01:00', '2026-07-04T02:00']]],
    ['semicolons.csv', {}, [['2026-07-04T01:00', '2026-07-04T02:00']]],
    ['clockify-german.csv', {}, [['2026-07-04T01:00', '2026-07-04T02:00']]],
    [
      'clock-change.csv',
      { time_zone: 'America/New_York' },
      [
        ['2018-11-04T05:20', '2018-11-04T07:20'],
        ['2018-11-04T07:20', '2018-11-04T08:00'],
        ['2019-11-03T06:20', '2019-11-03T07:20'],
      ],
    ],
    [
      'duration-forms.csv',
      {},
      [
        ['2026-07-04T01:00', '2026-07-04T02:30'],
        ['2026-07-05T01:00', '2026-07-05T02:30'],
        ['2026-07-06T01:00', '2026-07-06T02:30'],
      ],
    ],
    ['export-of-another-account.csv', { from_other_account: 'true' }, [['2026-07-04T01:00', '2026-07-04T02:00']]],
  ])('%s', async (file, fields, expected) => {
    const { records } = await imported(file, fields);
    expect(timesOf(records)).toEqual(expected);
    expect(records.every((record: { project_id: number }) => record.project_id === algebra)).toBe(true);
  });

  test('a stray quote costs nothing', async () => {
    const { records } = await imported('stray-quote.csv', { skip_invalid: 'true' });
    expect(records.map((record: { note: string }) => record.note)).toEqual(['read "Part 2" twice', 'Unit 2']);
  });

  test('a quote without an end costs only rows that cannot be read', async () => {
    const head = 'Project,Description,Start date,Start time,Duration';
    const rows = ['Algebra,Unit 1,2026-07-04,09:00,1:00', 'Algebra,"Unit" 2",2026-07-05,09:00,1:00'];
    const { records } = await imported(Buffer.from([head, ...rows].join('\n')), { skip_invalid: 'true' });
    expect(records[0]).toMatchObject({ note: 'Unit 1' });
  });

  test('rows of other people are left out and listed, unless all are wanted', async () => {
    const { report, records } = await imported('two-people.csv', {}, 'Ann@example.org');
    expect(records.map((record: { note: string }) => record.note)).toEqual(['Unit 1']);
    expect(report).toMatchObject({ rows: 2, left_out: 1, imported: 1 });
    expect(report.notices).toEqual([
      { row: 3, field: 'email', message: 'is another person: “ben@example.org”', action: 'left_out' },
    ]);
    expect((await send('two-people.csv', { people: 'all' })).body.data).toMatchObject({ duplicates: 1, imported: 1 });
  });

  test('long names and notes are shortened and listed', async () => {
    const long = await imported('long-project-name.csv', { create_projects: 'true' });
    expect(long.records[0].project_name).toBe('Introduction to the theory of numbers and algebra');
    expect(long.report).toMatchObject({ shortened: 1, created_projects: 1 });
    expect(long.report.notices).toEqual([
      { row: 2, field: 'project', message: 'is shortened to 50 characters', action: 'shortened' },
    ]);
    const note = await imported('long-note.csv');
    expect(note.records[0].note.length).toBeLessThanOrEqual(500);
    expect(note.report.notices).toMatchObject([{ row: 2, field: 'note', action: 'shortened' }]);
  });

  test.each([
    ['UTF-16 with a mark', undefined],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16, big endian', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ])('%s', async (_name, encode) => {
    await signUp();
    await createProject(app, user, '代数');
    const text =
      'Project\tDescription\tStart date\tStart time\tDuration\r\n代数\t第一章\t2026-07-04\t上午9:00\t1:00\r\n';
    const response = await send(encode?.(text) ?? 'utf-16.csv');
    expect(response.body.data).toMatchObject({ imported: 1 });
    const { body } = await app.as(user).get('/api/sessions').expect(200);
    expect(body.data.sessions).toMatchObject([
      { project_name: '代数', note: '第一章', started_at: '2026-07-04T01:00:00.000Z' },
    ]);
  });

  test('GB18030, as Chinese spreadsheets save it', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Project,Description,Start date,Start time,Duration\r\nAlgebra,'),
      Buffer.from([0xb5, 0xda, 0xd2, 0xbb, 0xd5, 0xc2]), // 第一章
      Buffer.from(',2026/7/4,9:00,1:00\r\n'),
    ]);
    expect((await imported(bytes)).records).toMatchObject([{ note: '第一章' }]);
  });

  test('Big5, as spreadsheets in Taiwan and Hong Kong save it', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Project,Description,Start date,Start time,Duration\r\nAlgebra,'),
      Buffer.from([0xb2, 0xc4, 0xa4, 0x40, 0xb3, 0xb9]), // 第一章
      Buffer.from(',2026/7/4,9:00,1:00\r\n'),
    ]);
    expect((await imported(bytes)).records).toMatchObject([{ note: '第一章' }]);
  });

  test('Shift_JIS, as spreadsheets in Japan save it', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Project,Description,Start date,Start time,Duration\r\nAlgebra,'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x6d, 0x81, 0x5b, 0x83, 0x67]), // 日本語のノート
      Buffer.from(',2026/7/4,9:00,1:00\r\n'),
    ]);
    expect((await imported(bytes)).records).toMatchObject([{ note: '日本語のノート' }]);
  });

  test('UTF-8 with a character that was damaged before', async () => {
    const text = 'Project,Description,Start date,Start time,Duration\r\nAlgebra,caf\uFFFD,2026/7/4,9:00,1:00\r\n';
    expect((await imported(Buffer.from(text))).records).toMatchObject([{ note: 'caf\uFFFD' }]);
  });

  test('the order of days and months is found in ends and durations, and told', async () => {
    const { report, records } = await imported('ambiguous-dates.csv');
    expect(timesOf(records)).toEqual([
      ['2026-04-03T01:00', '2026-04-03T02:00'],
      ['2026-04-05T15:00', '2026-04-05T17:00'],
    ]);
    expect(report).toMatchObject({ date_order: 'day_first', date_order_guessed: false });
    const line = 'Project,Start date,Start time,Duration\nAlgebra,03/04/2026,09:00,1:00\n';
    expect((await imported(Buffer.from(line))).report).toMatchObject({
      date_order: 'month_first',
      date_order_guessed: true,
    });
  });

  test('a separator can be declared', async () => {
    const text = 'sep=|\r\nProject|Start date|Start time|Duration\r\nAlgebra|2026-07-04|09:00|soon\r\n';
    await signUp();
    const { body } = await send(Buffer.from(text), { dry_run: 'true' });
    expect(body.data.errors).toMatchObject([{ row: 3, field: 'duration' }]);
  });
});

describe('exports of other trackers', () => {
  const all = { create_projects: 'true', skip_invalid: 'true', on_overlap: 'trim' };
  test.each<[string, Fields, object]>([
    ['atimelogger-zh-2020.csv', {}, { rows: 10, imported: 10, created_projects: 6 }],
    ['clockify-no-billable-column.csv', {}, { rows: 1, imported: 1, hours: 1 }],
    ['clockify-summary-2024.csv', {}, { rows: 4, imported: 4, hours: 3.46 }],
    ['forest.csv', {}, { rows: 2, imported: 2 }],
    ['solidtime-generic.csv', {}, { rows: 1, imported: 1, hours: 1 }],
    ['toggl-2021-trainee.csv', {}, { invalid: 0, left_out: 0 }],
    ['toggl-2019-entered-by-duration.csv', {}, { invalid: 0, left_out: 0 }],
    ['toggl-2020-no-project-running-day-long.csv', { default_project: 'Other' }, { left_out: 0 }],
  ])('%s', async (file, fields, expected) => {
    const { report } = await imported(file, { ...all, ...fields });
    expect(report).toMatchObject(expected);
    expect(report.imported).toBeGreaterThan(0);
    expect(report.imported + report.skipped + report.duplicates + report.invalid).toBe(report.rows);
    const again = await send(file, { ...all, ...fields });
    expect(again.body.data).toMatchObject({ imported: 0 });
  });

  test('a report of a team: one person’s rows, or those of all', async () => {
    const { report } = await imported('toggl-2018-team-of-eleven.csv', all, 'student1@example.org');
    expect(report.left_out).toBeGreaterThan(0);
    expect(report.imported).toBeGreaterThan(0);
    expect(report.left_out + report.imported + report.skipped + report.invalid).toBe(report.rows);
  });

  test('rows with a day and hours follow one another', async () => {
    const { records } = await imported('clockify-summary-2024.csv', {
      ...all,
      day_starts_at: '08:00',
      time_zone: 'UTC',
    });
    expect(timesOf(records).slice(0, 2)).toEqual([
      ['2024-01-03T08:00', '2024-01-03T08:38'],
      ['2024-01-03T08:38', '2024-01-03T10:14'],
    ]);
  });
});

describe('what a file does not say', () => {
  const table = (header: string, ...rows: string[]) => Buffer.from([header, ...rows].join('\n'));

  test('columns can be named; the report tells those in use', async () => {
    const file = table('Fach,Wann,Wie lange', 'Algebra,2026-07-04 09:00,45 min');
    const found = [
      { name: 'Fach', example: 'Algebra' },
      { name: 'Wann', example: '2026-07-04 09:00' },
      { name: 'Wie lange', example: '45 min' },
    ];
    await signUp();
    const asked = await send(file);
    expect([asked.status, asked.body.error.details[0].file_columns]).toEqual([400, found]);
    const columns = JSON.stringify({ project: 'Fach', start: 'Wann', duration: 'Wie lange' });
    const { body } = await send(file, { columns });
    expect(body.data).toMatchObject({
      imported: 1,
      hours: 0.75,
      columns: JSON.parse(columns),
      file_columns: found,
    });
    const wrong = await send(file, { columns: JSON.stringify({ project: 'Kurs' }) });
    expect(wrong.body.error.details).toEqual([
      {
        field: 'columns',
        message: 'names “Kurs” for project, but the file has the columns “Fach, Wann, Wie lange”',
        file_columns: found,
      },
    ]);
    const broken = await send(file, { columns: 'project=Fach' });
    expect(broken.body.error.details).toEqual([{ field: 'columns', message: 'must be an object in JSON' }]);
  });

  test.each<[string, Buffer, string[][]]>([
    [
      'quoted cells, of several lines',
      Buffer.from('"a; x";b;c\r\n"1, ""2""\n3";4;5'),
      [
        ['a; x', '1, "2"3'],
        ['b', '4'],
        ['c', '5'],
      ],
    ],
    [
      'a declared separator, and rows of separators only',
      Buffer.from('sep=|\r\na|b\r\n\r\n|\r\n1|2'),
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a title above the header, and a column without a name',
      Buffer.from('Table 1;;;\na;b;;c\n1;2;;\n'),
      [
        ['a', '1'],
        ['b', '2'],
        ['c', ''],
      ],
    ],
    [
      'JSON',
      Buffer.from('{"data":[{"a":"x","b":{"c":1},"d":2}]}'),
      [
        ['a', 'x'],
        ['b', ''],
        ['d', '2'],
      ],
    ],
    [
      'a header only',
      Buffer.from('a,b\n'),
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'windows-1252',
      Buffer.from('Für;Wie viel\nÜbung;1\n', 'latin1'),
      [
        ['Für', 'Übung'],
        ['Wie viel', '1'],
      ],
    ],
    [
      'GB18030',
      Buffer.from('cfeec4bf2c610ab4facafd2c310a', 'hex'),
      [
        ['项目', '代数'],
        ['a', '1'],
      ],
    ],
  ])('the columns of the file, each with a cell: %s', async (_name, file, columns) => {
    await signUp();
    const { body } = await send(file);
    expect(body.error.details[0].file_columns).toEqual(columns.map(([name, example]) => ({ name, example })));
  });

  test('rows without a project get the default one; names can be mapped or left out', async () => {
    await signUp();
    const geometry = await createProject(app, user, 'Geometry');
    const rows = ['', '-', 'Geo', 'Lunch', 'x'].map((name, hour) => `${name},2026-07-04,0${hour}:00,1:00`);
    const file = table('Project,Start date,Start time,Duration', ...rows);
    const plain = (await send(file, { dry_run: 'true' })).body.data.errors;
    expect(plain.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [2, 'is empty; choose a project for such rows'],
      [3, 'is empty; choose a project for such rows'],
      [4, 'is “Geo”, and you have no such project; choose another one, or have missing projects created'],
      [5, 'is “Lunch”, and you have no such project; choose another one, or have missing projects created'],
      [6, 'is “x”, and you have no such project; choose another one, or have missing projects created'],
    ]);
    const project_map = JSON.stringify({ Geo: geometry, Lunch: null, x: 'Algebra' });
    const { body } = await send(file, { default_project: String(algebra), project_map });
    expect(body.data).toMatchObject({ imported: 4, left_out: 1 });
    const { body: list } = await app.as(user).get('/api/sessions?order=asc').expect(200);
    expect(list.data.sessions.map((record: { project_id: number }) => record.project_id)).toEqual([
      ...[algebra, algebra, geometry, algebra],
    ]);
  });

  test('each of the 100 projects that a report names can be mapped', async () => {
    await signUp();
    const names = Array.from(
      { length: 100 },
      (_, number) => `Wiederholung und Vertiefung der Übungen – Reihe ${100 + number}`,
    );
    const rows = names.map((name) => `${name},2026-07-04,9:00,1 min`);
    const project_map = JSON.stringify(
      Object.fromEntries(names.map((name) => [name, name.endsWith('100') ? algebra : null])),
    );
    const { body } = await send(table('Project,Start date,Start time,Duration', ...rows), { project_map });
    expect(body.data).toMatchObject({ imported: 1, left_out: 99 });
  });
});
