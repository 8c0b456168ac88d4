import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../src/lib/jobs.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const header = 'username,email,display_name,external_id,group';

describe.skipIf(noBrowser)(`rosters ${noBrowser || ''}`, () => {
  let app: WebApp;
  let stopJobs: () => Promise<void>;
  beforeAll(async () => {
    app = await startWebApp();
    const { jobs, logger, metrics } = app.container;
    stopJobs = startJobs(
      jobs.filter(({ name }) => name === 'apply rosters'),
      logger,
      metrics,
    );
  });
  afterAll(async () => {
    await stopJobs?.();
    await app?.stop();
  });

  const fileOf = (...lines: string[]) => ({
    ...{ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...lines].join('\n')) },
  });

  test('the difference first, then the result; next term, missing accounts are deactivated', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page, problems } = await app.openAs(admin, {}, '/admin/users');
    await page.getByRole('link', { name: 'Sync a student list' }).click();
    const choose = page.getByLabel('Select a student list');
    await choose.setInputFiles(
      fileOf('web.anna,anna@web.test,Anna Berg,W1,Class 3b', 'web.mei,mei@web.test,Mei Chen,W2,Class 3b'),
    );
    await page.getByRole('heading', { name: 'Difference' }).waitFor();
    await page.getByText('1 new class: Class 3b').waitFor();
    await page
      .getByRole('row', { name: /Anna Berg/ })
      .getByText('New account')
      .waitFor();
    expect(await app.query("SELECT FROM users WHERE username LIKE 'web.%'")).toEqual([]);
    await page.getByRole('button', { name: 'Apply the student list' }).click();
    await page.getByText('The student list was applied.').waitFor();
    expect(await app.query("SELECT FROM users WHERE username LIKE 'web.%'")).toHaveLength(2);

    await page.getByRole('button', { name: 'Another file' }).click();
    await choose.setInputFiles(fileOf('web.anna,anna@web.test,Anna Bergmann,W1,Class 4b'));
    const anna = page.getByRole('row', { name: /web\.anna/ });
    await anna.getByText('Name: Anna Berg → Anna Bergmann').waitFor();
    await anna.getByText('Leaves Class 3b').waitFor();
    await page
      .getByRole('row', { name: /Mei Chen/ })
      .getByText('Not in the file')
      .waitFor();
    await page.getByRole('combobox', { name: 'Missing accounts' }).selectOption('deactivate');
    await page.getByRole('button', { name: 'Apply the student list' }).click();
    await page.getByText('The student list was applied.').waitFor();
    const states = await app.query("SELECT username, status FROM users WHERE username LIKE 'web.%' ORDER BY 1");
    expect(states).toMatchObject([{ status: 'active' }, { status: 'inactive' }]);
    await page.reload();
    await page
      .getByRole('button', { name: /^Show the student list of/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('columns that are not read are listed', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page, problems } = await app.openAs(admin, {}, '/admin/users/roster');
    const buffer = Buffer.from('username,firstname,lastname,email,city\nmdl.x,Bob,Chen,mdl.x@web.test,Rome');
    await page.getByLabel('Select a student list').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Columns not read: city').waitFor();
    await page.getByRole('row', { name: /Bob Chen/ }).waitFor();
    expect(problems).toEqual([]);
  });

  test('in Chinese, what is wrong with a file is listed, and it cannot be applied', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page } = await app.openAs(admin, { language: 'zh' }, '/admin/users/roster');
    await page.getByLabel('选择名册文件').setInputFiles(fileOf('a b,nowhere,,W9,'));
    await page.getByText('2 处错误，修正之前不会更改任何内容。').waitFor();
    await page.getByRole('row', { name: /nowhere/ }).waitFor();
    expect(await page.getByRole('button', { name: '应用名册' }).count()).toBe(0);
    await page.getByRole('button', { name: '其他文件' }).click();
    await page
      .getByLabel('选择名册文件')
      .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') });
    await page
      .getByRole('alert')
      .getByText(/的列为“a, b”/)
      .waitFor();
  });
});
