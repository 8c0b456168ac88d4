import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, textOf, type WebApp } from '../support/web/web-app.ts';

const head = 'project_name,started_at,ended_at,note';

describe.skipIf(noBrowser)(`import and export of records ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openStudent(where: string) {
    const account = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id) VALUES ('Guitar', $1)`, [account.id]);
    return { ...(await app.openAs(account, {}, where)), account };
  }

  const choose = (page: Page, ...lines: string[]) =>
    page
      .getByLabel('File')
      .setInputFiles({ name: 'records.csv', mimeType: 'text/csv', buffer: Buffer.from([head, ...lines].join('\n')) });
  const count = (userId: number) =>
    app.query('SELECT note FROM study_sessions WHERE user_id = $1 ORDER BY note', [userId]);

  test('a file is checked first with errors by row, and saved only after confirmation', async () => {
    const { page, account, problems } = await openStudent('/records/import');
    await choose(
      page,
      'Guitar,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z,Scales',
      'Guitar,2026-11-01T08:30:00Z,2026-11-01T09:30:00Z,Chords',
      'Bass,2026-11-02T08:00:00Z,2026-11-02T09:00:00Z,Songs',
    );
    const table = page.getByRole('table', { name: 'Rows that need attention' });
    await table.getByRole('row', { name: /^3 .*overlaps row 2.* rejects the file$/ }).waitFor();
    await table.getByRole('row', { name: /^4 / }).waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Rows that overlap' }).selectOption('skip');
    await page.getByText('Create projects').click();
    await page.getByRole('button', { name: 'Import 2 records' }).waitFor();
    expect(await count(account.id)).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 records' }).click();
    await page.getByText('2 records were imported.').waitFor();
    expect(await count(account.id)).toEqual([{ note: 'Scales' }, { note: 'Songs' }]);
    await page.getByRole('link', { name: 'Go to records' }).click();
    await page.getByText('Songs').waitFor();
    expect(problems).toEqual([]);
  });

  test('an invalid file is rejected immediately', async () => {
    const { page } = await openStudent('/records/import');
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  });

  test('importing an export adds nothing', async () => {
    const { page, account } = await openStudent('/records/import');
    await choose(page, 'Guitar,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z,Scales');
    await page.getByRole('button', { name: 'Import 1 record' }).click();
    await page.getByText('1 record was imported.').waitFor();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('studytrack-records.csv');
    const text = await textOf(file);
    expect(text).toMatch(/"Guitar".*"Scales"/);
    await page.goto('/records/import');
    await page.getByLabel('File').setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('There is nothing to import in this file.').waitFor();
    expect(await count(account.id)).toHaveLength(1);
  });
});
