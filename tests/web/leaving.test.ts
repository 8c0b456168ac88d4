import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`deleting one’s own account ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('requires the password, and leads to the sign-in page', async () => {
    const account = await app.createAccount();
    const { page, problems } = await app.openAs(account, {}, '/me/data');
    await page.getByRole('button', { name: 'Delete my account …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    await dialog.getByLabel('Current password', { exact: true }).fill('a wrong one');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await dialog.locator('[aria-invalid]').waitFor();
    await dialog.getByLabel('Current password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await app.query('SELECT FROM users WHERE id = $1 AND deleted_at IS NULL', [account.id])).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  test.each(looksOfFeature)('is accessible: $language, $width px', async (look) => {
    const { page } = await app.openAs(await app.createAccount(), look, '/me/data');
    await page.getByRole('button', { name: look.language === 'zh' ? '删除我的账号…' : 'Delete my account …' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findingsOf(page, look)).toEqual([]);
  });
});
