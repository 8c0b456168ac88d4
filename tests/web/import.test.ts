import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Look, noBrowser, startWebApp, textOf, type WebApp } from '../support/web/web-app.ts';

const head = 'project_name,started_at,ended_at,note';
const fixture = (name: string) => new URL(`../fixtures/imports/${name}`, import.meta.url);

describe.skipIf(noBrowser)(`import and export of records ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openStudent(look: Look = {}) {
    const account = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id) VALUES ('Guitar', $1)`, [account.id]);
    return { ...(await app.openAs(account, look, '/records/import')), account };
  }

  const choose = (page: Page, text: string) =>
    page
      .getByLabel(/^(Select a|选择) CSV/)
      .setInputFiles({ name: 'records.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const chooseRows = (page: Page, ...lines: string[]) => choose(page, [head, ...lines].join('\n'));
  const count = (userId: number) =>
    app.query('SELECT note FROM study_sessions WHERE user_id = $1 ORDER BY note', [userId]);
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

  test('a report of a time tracker: names become projects, a preview in words, import, undo', async () => {
    const { page, account, problems } = await openStudent();
    await choose(page, await readFile(fixture('toggl-2019-entered-by-duration.csv'), 'utf8'));
    const projectFor = (name: string) => page.getByRole('combobox', { name: `Project for “${name}”` });
    await projectFor('Project 1').selectOption({ label: 'Guitar' });
    await projectFor('Project 2').selectOption({ label: 'Leave out' });
    await press(page, 'Continue');
    await page.getByText(/^\d+ records?, .*2019/).waitFor();
    await page.getByText(/overlapping rows? (is|are) left out/).waitFor();
    await page.getByRole('combobox', { name: 'Rows that overlap' }).selectOption('stack');
    await page.getByText(/rows? follows? th/).waitFor();
    expect(await count(account.id)).toEqual([]);
    const label = (await page.getByRole('button', { name: /^Import \d/ }).textContent()) ?? '';
    await press(page, label);
    await page.getByText(/records were imported\.$/).waitFor();
    expect(await count(account.id)).toHaveLength(Number(/\d+/.exec(label)?.[0]));
    const names = await app.query('SELECT name FROM projects WHERE user_id = $1 ORDER BY name', [account.id]);
    expect(names).toContainEqual({ name: 'Project 3' });
    expect(names).not.toContainEqual({ name: 'Project 1' });
    expect(names).not.toContainEqual({ name: 'Project 2' });
    await press(page, 'Undo import');
    await page.getByText(/records were deleted again\.$/).waitFor();
    expect(await count(account.id)).toEqual([]);
    expect(await app.query('SELECT name FROM projects WHERE user_id = $1', [account.id])).toEqual([{ name: 'Guitar' }]);
    expect(problems).toEqual([]);
  });

  test('a Chinese report creates its projects; an earlier import can be undone later', async () => {
    const { page, account, problems } = await openStudent({ language: 'zh' });
    await choose(page, await readFile(fixture('atimelogger-zh-2020.csv'), 'utf8'));
    await page.getByText('活动二/子类', { exact: true }).waitFor();
    await press(page, '继续');
    await page.getByText(/^新建 6 个项目：/).waitFor();
    await press(page, /^导入 \d+ 条记录$/);
    await page.getByText(/^已导入 \d+ 条记录。$/).waitFor();
    await page.reload();
    await press(page, '撤销导入');
    await page.getByText(/^已撤销 \d+ 条记录。$/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: '撤销导入' }).count()).toBe(0);
    expect(await count(account.id)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each([
    [
      'a table',
      'What;When;Begin;Finish;Kind\nGuitar;2026-11-01;08:00;09:30;scales\nGuitar;2026-11-02;08:00;09:00;scales\n',
    ],
    [
      'JSON',
      JSON.stringify([
        { What: 'Guitar', When: '2026-11-01', Begin: '08:00', Finish: '09:30', Kind: 'scales' },
        { What: 'Guitar', When: '2026-11-02', Begin: '08:00', Finish: '09:00', Kind: 'scales' },
      ]),
    ],
  ])('%s with other names of columns: its columns are assigned', async (_name, text) => {
    const { page, account } = await openStudent();
    await choose(page, text);
    for (const [field, column] of [
      ['Project', 'What'],
      ['Date', 'When'],
      ['Start', 'Begin'],
      ['End', 'Finish'],
      ['Tags', 'Kind'],
    ] as const)
      await page.getByRole('combobox', { name: field, exact: true }).selectOption(column);
    await page.getByText('08:00', { exact: true }).waitFor(); // the cell of the first row
    await press(page, 'Continue');
    await page.getByText('2 records', { exact: true }).waitFor();
    await press(page, 'Continue');
    await page.getByText('2 records, 2 h 30, 1–2 Nov 2026').waitFor();
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor();
    await page.getByRole('cell').filter({ hasText: 'scales' }).first().waitFor();
    await press(page, 'Import 2 records');
    await page.getByText('2 records were imported.').waitFor();
    expect(await count(account.id)).toHaveLength(2);
    const stored = await app.query('SELECT DISTINCT tags FROM study_sessions WHERE user_id = $1', [account.id]);
    expect(stored).toEqual([{ tags: ['scales'] }]);
  });

  test('rows that cannot be imported are listed with their reasons', async () => {
    const { page, account, problems } = await openStudent();
    await chooseRows(
      page,
      'Guitar,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z,Scales',
      'Guitar,2026-11-01T08:30:00Z,2026-11-01T09:30:00Z,Chords',
      'Guitar,2026-11-02T08:00:00Z,yesterday,Songs',
    );
    const table = page.getByRole('table', { name: 'Left out or changed' });
    await table.getByRole('row', { name: /^3 Start: overlaps row 2 left out$/ }).waitFor();
    await table.getByRole('row', { name: /^4 End: is “yesterday”, but must be a date/ }).waitFor();
    await press(page, 'Import 1 record');
    await page.getByText('1 record was imported.').waitFor();
    await table.getByRole('row', { name: /^4 End: / }).waitFor();
    await page.getByRole('link', { name: 'Show the records' }).click();
    await page.getByText('Scales').waitFor();
    expect(await count(account.id)).toEqual([{ note: 'Scales' }]);
    expect(problems).toEqual([]);
  });

  test('the preview says how columns are read, and asks for the unit and the order of dates', async () => {
    const { page, account, problems } = await openStudent();
    await choose(page, 'Project,Start,Duration,Mood\nGuitar,05/07/2026 9:00,30\nGuitar,05/08/2026 9:00,20');
    const unit = page.getByRole('combobox', { name: 'Durations without a unit' });
    await unit.selectOption('minutes');
    const readings = page.getByRole('table', { name: 'How the columns are read' });
    await readings.getByRole('row', { name: 'Duration 30 30 minutes' }).waitFor();
    await readings.getByRole('row', { name: 'Start 05/07/2026 9:00 7 May 2026 09:00, month first' }).waitFor();
    await page.getByText('Columns not read: Mood').waitFor();
    await page.getByRole('combobox', { name: 'Dates such as 03/04/2026' }).selectOption('day_first');
    await readings.getByRole('row', { name: 'Start 05/07/2026 9:00 5 July 2026 09:00, day first' }).waitFor();
    await unit.selectOption('seconds');
    await readings.getByRole('row', { name: 'Duration 30 30 seconds' }).waitFor();
    await press(page, 'Import 2 records');
    await page.getByText('2 records were imported.').waitFor();
    expect(
      await app.query(
        'SELECT extract(epoch FROM ended_at - started_at)::integer AS s FROM study_sessions WHERE user_id = $1 ORDER BY 1',
        [account.id],
      ),
    ).toEqual([{ s: 20 }, { s: 30 }]);
    expect(problems).toEqual([]);
  });

  test('the preview says how many durations differ from start and end', async () => {
    const { page } = await openStudent();
    const rows = ['9:00,2026-07-04 10:30,1:00', '13:00,2026-07-04 14:00,1:00'].map((row) => `Guitar,2026-07-04 ${row}`);
    await choose(page, ['Project,Start,End,Duration', ...rows].join('\n'));
    await page.getByText('The duration in 1 row differs from its start and end').waitFor();
    await page.getByText(/^2 records, 2 h 30/).waitFor();
  });

  test('a file that is no table is refused at once', async () => {
    const { page } = await openStudent();
    await choose(page, 'no table');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /^(Import|Continue)/ }).count()).toBe(0);
  });

  test('what is wrong with a file is said of the file', async () => {
    const { page } = await openStudent();
    await choose(page, '');
    await page.getByText('The file is empty.', { exact: true }).waitFor();
    await choose(page, head);
    await page.getByText('There is nothing to import in this file.').waitFor();
  });

  test('importing an export adds nothing', async () => {
    const { page, account } = await openStudent();
    await chooseRows(page, 'Guitar,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z,Scales');
    await press(page, 'Import 1 record');
    await page.getByText('1 record was imported.').waitFor();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await press(page, 'List');
    const saving = page.waitForEvent('download');
    await press(page, 'Export CSV');
    const file = await saving;
    expect(file.suggestedFilename()).toBe('studytrack-records.csv');
    const text = await textOf(file);
    expect(text).toMatch(/"Guitar".*"Scales"/);
    await page.goto('/records/import');
    await choose(page, text);
    await press(page, 'Continue');
    await page.getByText('There is nothing to import in this file.').waitFor();
    await page.getByText('1 row is already recorded').waitFor();
    expect(await count(account.id)).toHaveLength(1);
  });
});
