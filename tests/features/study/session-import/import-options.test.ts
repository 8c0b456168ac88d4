import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject, figures, trueFigures } from '../../../support/records.ts';
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
  user = await app.createUser();
  algebra = await createProject(app, user, 'Algebra');
});

const exportOf = (name: string) => readFile(new URL(`../../../fixtures/exports/${name}.csv`, import.meta.url));
function send(csv: string | Buffer, fields: Record<string, string> = {}) {
  const request = app.as(user).post('/api/sessions/import');
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request.attach('file', Buffer.from(csv), 'records.csv');
}
type Fields = Record<string, string>;
const check = async (csv: string | Buffer, fields: Fields) => (await send(csv, fields).expect(200)).body.data;
const save = (csv: string | Buffer, fields: Fields) => check(csv, { ...fields, dry_run: 'false' });
const records = async (): Promise<{ project_name: string; started_at: string; ended_at: string }[]> =>
  (await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200)).body.data.sessions;
const spans = async () =>
  (await records()).map((one) => `${one.started_at.slice(8, 16)}–${one.ended_at.slice(11, 16)} ${one.project_name}`);
/** A time on 2 March 2026. */
const on = (time = '') => `2026-03-02T${time.padEnd(8, ':00')}Z`;
const missing = (name: string) =>
  `is “${name}”, and you have no such project; choose another one, or have missing projects created`;
const everything = { create_projects: 'true', skip_invalid: 'true' };
/** Rows on one day, such as `08:00 10:00`. */
const day = (...rows: string[]) =>
  [
    'project_name,started_at,ended_at',
    ...rows.map((row) => row.split(' ')).map(([from, to]) => `Algebra,${on(from)},${on(to)}`),
  ].join('\n');
const record = async (from: string, to: string): Promise<number> => {
  const body = { started_at: on(from), ended_at: on(to) };
  return (await app.as(user).post(`/api/projects/${algebra}/sessions`, body).expect(201)).body.data.id;
};

describe('an export of another tracker', () => {
  test('is rejected completely by default, with every error by row', async () => {
    const csv = await exportOf('toggl-detailed');
    const report = await check(csv, {});
    expect(report).toMatchObject({ rows: 6, valid: 2, overlaps: 1, skipped: 0, invalid: 3, notices: [] });
    expect(report.errors).toEqual([
      { row: 3, field: 'started_at', message: 'overlaps row 2', other_row: 2 },
      { row: 4, field: 'project', message: missing('Biology') },
      { row: 5, field: 'project', message: missing('Biology') },
      { row: 7, field: 'project', message: missing('Biology') },
    ]);
    await send(csv, { dry_run: 'false' }).expect(400);
    expect(await records()).toEqual([]);
  });

  test('is imported according to the options, as the dry run predicted', async () => {
    const csv = await exportOf('toggl-detailed');
    const options = { ...everything, on_overlap: 'trim' };
    const plan = await check(csv, options);
    expect(plan).toMatchObject({
      ...{ rows: 6, valid: 4, overlaps: 1, skipped: 1, trimmed: 1, invalid: 1, created_projects: 1 },
      ...{ imported: 0, hours: 5.75, errors: [] },
      notices: [
        { row: 3, action: 'trimmed', other_row: 2, message: 'overlaps row 2', started_at: '2026-03-02T10:30:00.000Z' },
        { row: 5, action: 'left_out', field: 'ended_at', message: 'must be at least 1 second after the start' },
        { row: 7, action: 'skipped', field: 'started_at', other_row: 6 },
      ],
      projects: [
        { project_id: algebra, project_name: 'Algebra', sessions: 3, hours: 5 },
        { project_id: null, project_name: 'Biology', sessions: 1, hours: 0.75 },
      ],
    });
    expect(plan.sessions).toHaveLength(4);
    expect(plan.sessions[1]).toEqual({
      ...{ row: 3, project_id: algebra, project_name: 'Algebra', hours: 0.5 },
      ...{ started_at: '2026-03-02T10:30:00.000Z', ended_at: '2026-03-02T11:00:00.000Z', tags: [] },
    });
    expect(await records()).toEqual([]);
    expect((await app.as(user).get('/api/projects').expect(200)).body.data.pagination.total).toBe(1);

    const { import_id, imported, sessions, ...done } = await save(csv, options);
    expect(imported).toBe(4);
    expect({ ...done, imported: 0, sessions: plan.sessions, import_id: plan.import_id }).toEqual(plan);
    expect(await spans()).toEqual([
      ...['02T09:00–10:30 Algebra', '02T10:30–11:00 Algebra', '02T23:30–00:15 Biology', '03T09:00–12:00 Algebra'],
    ]);
    const again = await save(csv, options);
    expect(again).toMatchObject({ valid: 0, imported: 0, duplicates: 3, skipped: 2, invalid: 1, created_projects: 0 });
    expect(await records()).toHaveLength(4);
    expect(await figures(app, algebra)).toEqual(await trueFigures(app, algebra));
  });

  test.each([
    ['toggl-detailed-new', ['02T09:00–10:30 Algebra', '02T23:30–00:15 Biology']],
    ['clockify-month-first', ['02T09:00–10:30 Algebra', '25T23:30–00:15 Biology']],
    ['clockify-day-first', ['02T09:00–10:30 Algebra', '25T23:30–00:15 Biology']],
  ])('%s: columns, dates and midnights are parsed', async (name, expected) => {
    const csv = await exportOf(name);
    expect(await save(csv, { create_projects: 'true' })).toMatchObject({ imported: 2, created_projects: 1 });
    expect(await spans()).toEqual(expected);
    expect(await save(csv, { create_projects: 'true' })).toMatchObject({ imported: 0, duplicates: 2 });
  });

  test('with ambiguous dates uses date_order', async () => {
    const csv = (await exportOf('clockify-day-first')).toString().split('\n').slice(0, 2).join('\n');
    for (const [date_order, starts] of [
      ['day_first', '03-02'],
      ['month_first', '02-03'],
      ['auto', '02-03'],
    ] as const)
      expect((await check(csv, { date_order })).sessions[0].started_at).toBe(`2026-${starts}T09:00:00.000Z`);
    await send(csv, { date_order: 'year first' }).expect(400);
  });
});

describe('overlaps', () => {
  test.each([
    ['skip', ['08:00 10:00', '09:00 13:00', '12:00 14:00'], ['02T08:00–10:00', '02T12:00–14:00']],
    ['trim', ['08:00 10:00', '09:00 13:00', '12:00 14:00'], ['02T08:00–10:00', '02T10:00–13:00', '02T13:00–14:00']],
    ['trim', ['09:00 10:00', '08:00 12:00', '11:59 12:00'], ['02T08:00–12:00']],
    ['stack', ['08:00 10:00', '08:00 09:00', '08:30 09:00'], ['02T08:00–10:00', '02T10:00–11:00', '02T11:00–11:30']],
    ['skip', ['08:00 09:00', '09:00 10:00'], ['02T08:00–09:00', '02T09:00–10:00']],
  ])('%s: %j', async (on_overlap, rows, expected) => {
    await save(day(...rows), { on_overlap });
    expect(await spans()).toEqual(expected.map((span) => `${span} Algebra`));
    expect(await save(day(...rows), { on_overlap })).toMatchObject({ imported: 0 });
  });

  test('with existing records leave those unchanged', async () => {
    const first = await record('09:00', '10:00');
    const next = await record('10:00', '11:00');
    const csv = day('08:30 12:00', '09:30 12:00', '11:30 13:00');
    const options = { on_overlap: 'trim' };
    const report = await save(csv, options);
    expect(report).toMatchObject({ imported: 2, skipped: 1, trimmed: 2, valid: 2 });
    expect(report.notices).toMatchObject([
      { row: 2, action: 'skipped', message: `overlaps your record ${first}` },
      { row: 3, action: 'trimmed', session_id: next, started_at: '2026-03-02T11:00:00.000Z' },
      { row: 4, action: 'trimmed', other_row: 3, started_at: '2026-03-02T12:00:00.000Z' },
    ]);
    expect((await spans()).map((span) => span.slice(3, 14))).toEqual([
      ...['09:00–10:00', '10:00–11:00', '11:00–12:00', '12:00–13:00'],
    ]);
    expect((await check(day('08:30 09:10'), {})).errors).toMatchObject([{ row: 2, session_id: first }]);
    expect(await save(csv, options)).toMatchObject({ imported: 0, skipped: 3 });
  });

  test('stack: entries by duration follow one another, past records, and again add nothing', async () => {
    await record('10:15', '10:30');
    const csv = await readFile('tests/fixtures/imports/toggl-2019-entered-by-duration.csv');
    const options = { ...everything, on_overlap: 'stack' };
    const plan = await check(csv, options);
    expect(plan).toMatchObject({ rows: 130, valid: 130, moved: 97, trimmed: 0, skipped: 0, duplicates: 0 });
    expect(await save(csv, options)).toMatchObject({ imported: 130, hours: plan.hours });
    expect(await save(csv, options)).toMatchObject({ imported: 0, valid: 0 });
    const rows = day('10:00 10:15', '10:00 10:14', '10:20 10:25');
    const report = await save(rows, options);
    expect(report).toMatchObject({ imported: 2, moved: 1, skipped: 1 });
    expect(report.notices).toMatchObject([
      { row: 3, action: 'moved', other_row: 2, started_at: '2026-03-02T10:30:00.000Z' },
      { row: 4, action: 'skipped', field: 'started_at' },
    ]);
    expect(await save(rows, options)).toMatchObject({ imported: 0 });
  });

  test('any rows with any option result in no overlap, and importing the file again adds nothing', async () => {
    const minute = fc.integer({ min: 0, max: 300 });
    const rows = fc.array(fc.tuple(minute, fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 25 });
    const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 8, minutes)).toISOString().slice(11, 19);
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.constantFrom('skip', 'trim', 'stack'), async (first, second, on_overlap) => {
        user = await app.createUser();
        algebra = await createProject(app, user, 'Algebra');
        const options = { on_overlap, skip_invalid: 'true' };
        for (const some of [first, second]) {
          const csv = day(...some.map(([from, length]) => `${at(from)} ${at(from + length)}`));
          const plan = await check(csv, options);
          const done = await save(csv, options);
          expect(done).toMatchObject({ imported: plan.valid, skipped: plan.skipped, hours: plan.hours });
          expect(done.imported + done.duplicates + done.skipped + done.invalid).toBe(done.rows);
          expect(await save(csv, options)).toMatchObject({ imported: 0, valid: 0 });
        }
        expect(await figures(app, algebra)).toEqual(await trueFigures(app, algebra));
      }),
      { numRuns: 6 },
    );
  });
});

describe('rows with errors', () => {
  const csv = [
    'project_name,started_at,ended_at',
    'Algebra,2026-03-02T08:00:00Z,2026-03-02T09:00:00Z',
    'Algebra,2026-03-03T08:00:00Z,2026-03-04T08:00:01Z',
    'Algebra,2026-03-05T08:00:00Z,2026-03-05T08:00:00Z',
    'Algebra,1999-12-31T08:00:00Z,1999-12-31T09:00:00Z',
    'Algebra,yesterday,2026-03-06T09:00:00Z',
    'X,2026-03-07T08:00:00Z,2026-03-07T09:00:00Z',
  ].join('\n');

  test('are reported, and reject the file without skip_invalid', async () => {
    const options = { create_projects: 'true' };
    const plan = await check(csv, options);
    expect(plan).toMatchObject({ valid: 1, invalid: 5, notices: [] });
    expect(plan.errors.map(({ row, field }: { row: number; field: string }) => `${row} ${field}`)).toEqual([
      ...['3 ended_at', '4 ended_at', '5 started_at', '6 started_at', '7 project'],
    ]);
    await send(csv, { ...options, dry_run: 'false' }).expect(400);
    expect(await records()).toEqual([]);
    const done = await save(csv, { ...options, skip_invalid: 'true' });
    expect(done).toMatchObject({ imported: 1, invalid: 5, errors: [] });
    expect(done.notices.map(({ row, action }: { row: number; action: string }) => [row, action])).toEqual(
      [3, 4, 5, 6, 7].map((row) => [row, 'left_out']),
    );
  });
});

describe('missing projects', () => {
  const rowsOn = (...names: string[]) =>
    [
      'project_name,started_at,ended_at',
      ...names.map((name, index) => `${name},2026-03-${10 + index}T08:00:00Z,2026-03-${10 + index}T09:00:00Z`),
    ].join('\n');
  const projects = async () => {
    const { data } = (await app.as(user).get('/api/projects?sort=id&order=asc').expect(200)).body;
    return data.projects.map(({ name, user_id }: { name: string; user_id: number }) => [name, user_id]);
  };

  test('are created once each, for the caller', async () => {
    const csv = rowsOn('Chemistry', 'Algebra', 'Chemistry', 'Botany');
    expect(await save(csv, { create_projects: 'true' })).toMatchObject({ imported: 4, created_projects: 2 });
    expect(new Set(await projects())).toEqual(
      new Set([
        ['Algebra', user.id],
        ['Chemistry', user.id],
        ['Botany', user.id],
      ]),
    );
  });

  test('are removed if the import fails', async () => {
    const csv = rowsOn('Chemistry', ...Array.from({ length: 11 }, () => 'Algebra'));
    await app.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
    await app.query(
      `CREATE TRIGGER fail BEFORE INSERT ON study_sessions FOR EACH ROW WHEN (NEW.user_id = ${user.id}) EXECUTE FUNCTION fail()`,
    );
    await send(csv, { create_projects: 'true', dry_run: 'false' }).expect(500);
    await app.query('DROP FUNCTION fail CASCADE');
    expect(await projects()).toEqual([['Algebra', user.id]]);
    const { imports } = (await app.as(user).get('/api/sessions/imports').expect(200)).body.data;
    expect(imports[0]).toMatchObject({ state: 'undone', imported: 0 });
  });

  test('are limited in number', async () => {
    const csv = [
      'project_name,started_at,ended_at',
      ...Array.from({ length: 201 }, (_, index) => {
        const start = Date.UTC(2026, 2, 1, index);
        return `New ${index},${new Date(start).toISOString()},${new Date(start + 60_000).toISOString()}`;
      }),
    ].join('\n');
    const { error } = (await send(csv, { create_projects: 'true' }).expect(400)).body;
    expect(error.details).toEqual([{ field: 'create_projects', message: 'would create more than 200 projects' }]);
  });
});
