import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
});
afterAll(() => app.stop());

type Fields = Record<string, string>;
type Listed = { project_name: string; note: string; started_at: string; ended_at: string };
const all = { dry_run: 'false', create_projects: 'true', skip_invalid: 'true', time_zone: 'UTC' };

async function imported(file: string, fields: Fields = {}, displayName = 'Student') {
  const user = await app.createUser({ timezone: 'Asia/Shanghai' });
  await app.query('UPDATE users SET display_name = $2 WHERE id = $1', [user.id, displayName]);
  const request = app.as(user).post('/api/sessions/import');
  for (const [name, value] of Object.entries({ ...all, ...fields })) request.field(name, value);
  const content = await readFile(`tests/fixtures/imports/${file}`);
  const { body } = await request.attach('file', content, file).expect(200);
  const list = await app.as(user).get('/api/sessions?order=asc&limit=100').expect(200);
  const records = (list.body.data.sessions as Listed[]).map((one) =>
    `${one.project_name}: ${one.started_at.slice(5, 16)}–${one.ended_at.slice(11, 16)} ${one.note}`.trim(),
  );
  return { report: body.data, records };
}

describe('layouts of trackers', () => {
  test.each<[string, string[], object]>([
    [
      'toggl-without-client.csv',
      ['Algebra: 07-04T09:00–10:00 Unit 1', 'Other: 07-04T23:45–00:15 Reading'],
      { invalid: 0 },
    ],
    ['clockify-german-kiosk.csv', ['Algebra: 07-04T09:00–10:30 Übung 1'], { date_order_guessed: false }],
    [
      'clockify-spanish-excel.csv',
      ['Álgebra: 07-04T09:00–10:30 Lección 1', 'Álgebra: 07-14T09:00–10:00 Lección 2'],
      { date_order: 'day_first', date_order_guessed: false },
    ],
    ['clockify-portuguese.csv', ['Álgebra: 07-20T14:00–15:30 Lição 1'], { date_order: 'day_first' }],
    ['clockify-french.csv', ['Algèbre: 07-20T14:00–15:30 Leçon 1'], { date_order: 'day_first' }],
    [
      'kimai-import.csv',
      ['Algebra: 07-04T15:50–17:51 Unit 1', 'Algebra: 07-05T23:30–00:30 Unit 2'],
      { rows: 2, invalid: 0 },
    ],
    ['kimai-export.csv', ['Algebra: 07-04T09:00–10:30 Unit 1'], { rows: 1, hours: 1.5 }],
    ['solidtime-detailed.csv', ['Algebra: 07-04T09:00–10:30 Unit 1'], { rows: 2, invalid: 1 }],
    [
      'atimelogger-english.csv',
      ['Algebra: 07-04T09:00–10:30 Unit 1', 'Algebra: 07-05T23:45–00:15'],
      { rows: 5, left_out: 3, imported: 2 },
    ],
    ['numbers-german.csv', ['Algebra: 07-04T09:00–10:30 Übung 1', 'Algebra: 07-05T09:00–10:00'], { rows: 2 }],
    ['wps-gb18030.csv', ['代数: 07-04T09:00–10:30 第一章', '代数: 07-05T14:00–15:00 第二章'], { rows: 2 }],
    [
      'excel-without-formats.csv',
      ['Algebra: 07-04T09:00–10:30 Unit 1', 'Algebra: 07-05T23:45–00:15 Unit 2'],
      { rows: 2 },
    ],
    ['excel-german-1252.csv', ['Mathematik für Anfänger: 07-04T09:00–10:30 Übung'], { rows: 1 }],
  ])('%s', async (file, expected, report) => {
    const found = await imported(file, { default_project: 'Other' });
    expect(found.records).toEqual(expected);
    expect(found.report).toMatchObject({ ...report, imported: expected.length });
  });

  test('harvest-detailed.csv: hours of one person, named by two columns', async () => {
    const { records, report } = await imported('harvest-detailed.csv', {}, 'Ann Smith');
    expect(records).toEqual(['Algebra: 07-06T09:00–10:30 Unit 1', 'Algebra: 07-06T10:30–11:15 Unit 2']);
    expect(report).toMatchObject({ rows: 3, left_out: 1 });
    expect(report.notices).toMatchObject([{ row: 4, message: 'is another person: “ben miller”' }]);
    expect((await imported('harvest-detailed.csv', { people: 'all' })).report).toMatchObject({ imported: 3 });
  });
});
