import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSession, assign, createProject, figures, trueFigures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let user: TestUser;
let algebra: number;

beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());
beforeEach(async () => {
  user = await app.createUser({ timezone: 'Europe/Berlin' });
  algebra = await createProject(app, user, 'Algebra');
});

function send(csv: string | Buffer, fields: Record<string, string> = {}, by = user) {
  const request = app.as(by).post('/api/sessions/import');
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request.attach('file', Buffer.from(csv), 'records.csv');
}
/** The counts and errors; other fields of a report are covered by import-options.test.ts. */
const countsOf = ({ import_id, rows, valid, duplicates, overlaps, imported, errors }: Record<string, unknown>) => ({
  ...{ import_id, rows, valid, duplicates, overlaps, imported, errors },
});
const check = async (csv: string, fields = {}) => countsOf((await send(csv, fields).expect(200)).body.data);
const save = async (csv: string, fields = {}) =>
  countsOf((await send(csv, { dry_run: 'false', ...fields }).expect(200)).body.data);
const exported = async (by = user, query = '') => {
  const response = await app.as(by).get(`/api/sessions/export?order=asc${query}`).expect(200);
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  return response.text;
};
const records = async () =>
  (await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200)).body.data.sessions;
const empty = { import_id: expect.any(Number), rows: 0, valid: 0, duplicates: 0, overlaps: 0, imported: 0, errors: [] };

const toggl = `"User","Email","Client","Project","Task","Description","Billable","Start date","Start time","End date","End time","Duration","Tags","Amount ()"
"Lin","lin@example.org","","Algebra","","Rings, and ""ideals""","No","2026-03-02","09:00:00","2026-03-02","10:30:00","01:30:00","",""
"Lin","lin@example.org","","Algebra","","","No","2026-03-02","23:30:00","2026-03-03","00:15:00","00:45:00","",""
`;
const clockify = `"Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)","Billable Rate (USD)","Billable Amount (USD)"
"Algebra","","Groups","","Lin","","lin@example.org","","Yes","03/04/2026","09:00:00 AM","03/04/2026","12:30:00 PM","03:30:00","3.50","",""
"Algebra","","Fields","","Lin","","lin@example.org","","Yes","03/25/2026","12:00:00 AM","03/25/2026","01:00:00 AM","01:00:00","1.00","",""
`;

describe('importing', () => {
  test('imports a report of Toggl Track after a dry run', async () => {
    expect(await check(toggl)).toEqual({ ...empty, rows: 2, valid: 2 });
    expect(await records()).toEqual([]);
    expect(await save(toggl)).toEqual({ ...empty, rows: 2, valid: 2, imported: 2 });
    expect(await records()).toMatchObject([
      {
        project_id: algebra,
        started_at: '2026-03-02T08:00:00.000Z',
        ended_at: '2026-03-02T09:30:00.000Z',
        note: 'Rings, and "ideals"',
        source: 'manual',
        time_zone: 'Europe/Berlin',
      },
      { started_at: '2026-03-02T22:30:00.000Z', duration_seconds: 2700 },
    ]);
    expect(await figures(app, algebra)).toMatchObject({ current_seconds: 8100, sessions_count: 2 });
    expect(await save(toggl)).toEqual({ ...empty, rows: 2, duplicates: 2 });
    expect(await save(toggl.replaceAll('End ', 'Stop '))).toMatchObject({ duplicates: 2 });
  });

  test('imports a report of Clockify with detected date order', async () => {
    expect(await save(clockify, { time_zone: 'America/New_York' })).toMatchObject({ imported: 2 });
    expect(await records()).toMatchObject([
      { started_at: '2026-03-04T14:00:00.000Z', ended_at: '2026-03-04T17:30:00.000Z', time_zone: 'America/New_York' },
      { started_at: '2026-03-25T04:00:00.000Z', hours: 1 },
    ]);
    const dayFirst = clockify.replaceAll('03/04/2026', '04/03/2026').replaceAll('03/25/2026', '25/03/2026');
    expect(await save(dayFirst, { time_zone: 'America/New_York' })).toMatchObject({ duplicates: 2, imported: 0 });
  });

  test('resolves a repeated hour by the duration', async () => {
    const head = toggl.split('\n', 1)[0];
    const row = (start: string, end: string, length: string) =>
      `"","","","Algebra","","","","2026-10-25","${start}","2026-10-25","${end}","${length}","",""\n`;
    await save(`${head}\n${row('01:30:00', '02:30:00', '02:00:00')}${row('04:00:00', '05:00:00', '01:00:00')}`);
    expect(await records()).toMatchObject([
      { started_at: '2026-10-24T23:30:00.000Z', ended_at: '2026-10-25T01:30:00.000Z', hours: 2 },
      { started_at: '2026-10-25T03:00:00.000Z', hours: 1 },
    ]);
  });

  test('reports every invalid row, and saves none', async () => {
    const two = await createProject(app, user, 'Twice');
    await createProject(app, user, 'Twice');
    await createProject(app, await app.createUser(), 'Foreign');
    const paused = await createProject(app, user, 'Paused', 'paused');
    const rows = [
      ['Algebra', '2026-03-01T08:00:00Z', '2026-03-01T09:00:00Z', 'fine'],
      ['Nowhere', '2026-03-02T08:00:00Z', '2026-03-02T09:00:00Z', ''],
      ['Foreign', '2026-03-03T08:00:00Z', '2026-03-03T09:00:00Z', ''],
      ['Twice', '2026-03-04T08:00:00Z', '2026-03-04T09:00:00Z', ''],
      ['Paused', '2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z', ''],
      ['Algebra', '1999-03-02T08:00:00Z', '1999-03-02T09:00:00Z', ''],
      ['Algebra', '2027-03-02T08:00:00Z', '2027-03-02T09:00:00Z', ''],
      ['Algebra', '2026-03-07T08:00:00Z', '2026-03-07T08:00:00.500Z', ''],
      ['Algebra', '2026-03-08T08:00:00Z', '2026-03-09T08:00:00.001Z', ''],
      ['Algebra', 'soon', '', '好'.repeat(501)],
      ['Algebra', '2026-03-01T08:30:00Z', '2026-03-01T09:30:00Z', 'overlaps the first'],
      ['Algebra', '2026-03-01T08:00:00+00:00', '2026-03-01T10:00:00+01:00', 'the first again'],
    ];
    await app.query(
      `INSERT INTO project_status_changes (project_id, from_status, to_status, changed_at)
       VALUES ($1, 'active', 'paused', '2026-04-01T00:00Z')`,
      [paused],
    );
    const csv = `project_name,started_at,ended_at,note\n${rows.map((row) => row.join(',')).join('\n')}\n`;
    const errors = [
      [
        3,
        'project',
        'is “Nowhere”, and you have no such project; choose another one, or have missing projects created',
      ],
      [
        4,
        'project',
        'is “Foreign”, and you have no such project; choose another one, or have missing projects created',
      ],
      [5, 'project', 'is “Twice”, and you have several such projects; choose one of them'],
      [6, 'project', 'The project is not active and was not active when this record began.'],
      [7, 'started_at', 'must not be before the year 2000'],
      [8, 'ended_at', 'must not be in the future'],
      [9, 'ended_at', 'must be at least 1 second after the start'],
      [10, 'ended_at', 'must be at most 24 hours after the start'],
      [
        11,
        'started_at',
        'is “soon”, but must be a date and time such as 2026-02-01 08:00, 02/01/2026 8:00 AM or 2026-02-01T08:00:00Z',
      ],
      [11, 'ended_at', 'is required'],
      [12, 'started_at', 'overlaps row 2'],
    ].map(([row, field, message]) => ({ row, field, message }));
    expect(await check(csv)).toEqual({
      ...{ ...empty, rows: 12, valid: 1, duplicates: 1, overlaps: 1, imported: 0 },
      errors: errors.map((error) => (error.row === 12 ? { ...error, other_row: 2 } : error)),
    });
    const rejected = await send(csv, { dry_run: 'false' }).expect(400);
    expect(rejected.body.error.details).toEqual(
      errors.map(({ row, field, message }) => ({ field: `rows[${row}].${field}`, message })),
    );
    expect(await records()).toEqual([]);
    expect((await figures(app, two)).sessions_count).toBe(0);
    const byId = `project_id,started_at,ended_at\n${two},2026-03-04T08:00:00Z,2026-03-04T09:00:00Z\n`;
    expect(await save(byId)).toMatchObject({ imported: 1 });
    const early = `project_name,started_at,ended_at\nPaused,2026-03-05T08:00:00Z,2026-03-05T09:00:00Z\n`;
    expect(await save(early)).toMatchObject({ imported: 1 });
  });

  test('reports overlaps with existing records and the running timer', async () => {
    const post = (body: object) => app.as(user).post(`/api/projects/${algebra}/sessions`, body).expect(201);
    await post({ started_at: '2026-03-02T08:30:00Z', duration_seconds: 60 });
    expect(await check(toggl)).toMatchObject({ valid: 1, overlaps: 1, errors: [{ row: 2, field: 'started_at' }] });
    await addSession(app, { project_id: algebra, user_id: user.id, started_at: '2026-11-20T08:00:00Z' });
    const now = 'project_name,started_at,ended_at\nAlgebra,2026-11-20T09:00:00Z,2026-11-20T09:10:00Z\n';
    expect(await check(now)).toMatchObject({ overlaps: 1 });
    expect((await send(now, { dry_run: 'false' }).expect(400)).body.error.details).toHaveLength(1);
  });

  test('finds assigned projects, and any project for administrators', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const shared = await createProject(app, await app.createUser(), 'Shared by many');
    const csv = 'project_name,started_at,ended_at\nShared by many,2026-03-05T08:00:00Z,2026-03-05T09:00:00Z\n';
    expect(await check(csv)).toMatchObject({ valid: 0 });
    await assign(app, shared, user);
    expect(await save(csv)).toMatchObject({ imported: 1 });
    expect((await send(csv, { dry_run: 'false' }, admin).expect(200)).body.data.imported).toBe(1);
    expect(await figures(app, shared)).toEqual(await trueFigures(app, shared));
  });

  test('rejects invalid files and options', async () => {
    const fieldOf = async (csv: string | Buffer, fields = {}) =>
      (await send(csv, fields).expect(400)).body.error.details.map((detail: { field: string }) => detail.field);
    expect(await fieldOf('nothing,known\n1,2\n')).toEqual(['file']);
    const broken = `project_name,started_at,ended_at\nP,${'x'.repeat(40_001)},2\n`;
    expect(await fieldOf(broken, { dry_run: 'false' })).toEqual(['rows[2].file']);
    expect(await fieldOf(Buffer.concat([Buffer.from(toggl), Buffer.from([0x81, 0xff, 0xff])]))).toEqual(['file']);
    expect(await fieldOf(toggl, { dry_run: 'perhaps' })).toEqual(['dry_run']);
    expect(await fieldOf(toggl, { time_zone: 'Mars/Olympus' })).toEqual(['time_zone']);
    expect(await fieldOf(toggl.replaceAll('2026-03-02', '2026-02-30'), { dry_run: 'false' })).toEqual([
      'rows[2].started_at',
      'rows[2].ended_at',
      'rows[3].started_at',
    ]);
    expect(await fieldOf('')).toEqual(['file']);
    await app.anonymous.post('/api/sessions/import').expect(401);
    await app.as(user).post('/api/sessions/import').expect(400);
  });

  test.each([
    ['NUL in a project name', 'Al\u0000gebra,2026-03-01T08:00:00Z,2026-03-01T09:00:00Z,', ['project']],
    ['NUL in a note', 'Algebra,2026-03-01T08:00:00Z,2026-03-01T09:00:00Z,a\u0000', ['note']],
    ['a year 0', 'Algebra,0000-03-01T08:00:00Z,0000-03-01T09:00:00Z,', ['started_at', 'ended_at']],
    ['a year after 9999', 'Algebra,2026-03-01T08:00:00Z,9999-12-31T23:59:59-01:00,', ['ended_at']],
  ])('%s is an error of its row', async (_name, row, fields) => {
    const csv = `project_name,started_at,ended_at,note\n${row}\n`;
    const errors = fields.map((field) => expect.objectContaining({ row: 2, field }));
    expect(await check(csv)).toMatchObject({ rows: 1, valid: 0, errors });
    await send(csv, { dry_run: 'false' }).expect(400);
    const report = `project,start date,start time,duration\nAlgebra,${row.slice(8, 18)},08:00:00,01:00:00\n`;
    await send(report).expect(200);
  });

  test('accepts as many unknown projects as rows', async () => {
    const row = (_: unknown, index: number) => `Nowhere ${index},2026-03-01T08:00:00Z,2026-03-01T09:00:00Z`;
    const csv = `project_name,started_at,ended_at\n${Array.from({ length: 5_000 }, row).join('\n')}\n`;
    expect(await check(csv)).toMatchObject({ rows: 5_000, valid: 0 });
  });

  test('imports each record once when the same file is sent concurrently', async () => {
    const rows = Array.from({ length: 50 }, (_, hour) => {
      const start = new Date(Date.UTC(2026, 0, 1, hour * 2));
      return `${algebra},${start.toISOString()},${new Date(start.getTime() + 3_600_000).toISOString()}`;
    });
    const csv = `project_id,started_at,ended_at\n${rows.join('\n')}\n`;
    const responses = await Promise.all([1, 2, 3].map(() => send(csv, { dry_run: 'false' })));
    expect(responses.filter(({ status }) => status === 200).map(({ body }) => body.data.imported)).toContain(50);
    for (const { status } of responses) expect([200, 409, 429]).toContain(status);
    expect(await save(csv)).toMatchObject({ duplicates: 50, imported: 0 });
    expect(await figures(app, algebra)).toMatchObject({ current_hours: 50, sessions_count: 50 });
  });
});

describe('export → import → export', () => {
  const deleteRecords = async () => app.query('DELETE FROM study_sessions WHERE user_id = $1', [user.id]);

  test('results in the same file for any notes and names', async () => {
    const character = fc.oneof(
      fc.constantFrom(...`'=+-@＝＋－＠,"\t\n ;`),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const note = fc.string({ unit: character, maxLength: 30 });
    const trickyNotes = [
      '=1+1',
      '＝1',
      'x;=1+2',
      "'=1",
      "''",
      '+86',
      '-',
      '@you',
      'a\r\nb',
      '"',
      ',',
      ' ',
      '1,5',
      '\uFEFFx',
      '好',
    ];
    const notes = [...trickyNotes, ...fc.sample(note, 60)];
    const formula = await createProject(app, user, '=SUM(A1)', 'active');
    let saved = 0;
    for (const [index, text] of notes.entries()) {
      const body = {
        started_at: new Date(Date.UTC(2026, 4, 1, index)).toISOString(),
        duration_seconds: 61.0,
        note: text,
      };
      const { status } = await app.as(user).post(`/api/projects/${index % 2 ? formula : algebra}/sessions`, body);
      if (status === 201) saved += 1;
    }
    expect(saved).toBeGreaterThan(50);
    await app.query(`UPDATE study_sessions SET source = 'timer', auto_stopped = true, time_zone = 'Asia/Shanghai'
      WHERE user_id = ${user.id} AND id % 3 = 0`);
    const before = await exported();
    const totals = [await figures(app, algebra), await figures(app, formula)];
    expect(await save(before)).toMatchObject({ rows: saved, duplicates: saved, imported: 0 });
    await deleteRecords();
    expect(await save(before)).toEqual({ ...empty, rows: saved, valid: saved, imported: saved });
    expect(await exported()).toBe(before);
    expect([await figures(app, algebra), await figures(app, formula)]).toEqual(totals);
  });

  test('imports only own records', async () => {
    const member = await app.createUser();
    await assign(app, algebra, member);
    const post = (by: TestUser, day: number) =>
      app
        .as(by)
        .post(`/api/projects/${algebra}/sessions`, { started_at: `2026-03-0${day}T08:00:00Z`, duration_seconds: 60 });
    await post(user, 1).expect(201);
    await post(member, 2).expect(201);
    const all = await exported();
    await deleteRecords();
    expect(await check(all)).toMatchObject({ rows: 2, valid: 1, errors: [{ row: 3, field: 'user_id' }] });
    expect(await save(await exported(user, `&user_id=${user.id}`))).toMatchObject({ rows: 0 });
  });
});
