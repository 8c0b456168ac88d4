import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`traditional Chinese ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('is chosen before the sign-in, kept on this device and with the account, and has its own formats', async () => {
    const account = await app.createAccount();
    const { page, problems } = await app.openPage(await app.openContext());
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByRole('button', { name: '繁體中文' }).click();
    await page.getByRole('textbox', { name: '使用者名稱或電子郵件' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('zh-Hant');
    await page.reload();
    await page.getByRole('textbox', { name: '使用者名稱或電子郵件' }).fill(account.username);
    await page.getByRole('textbox', { name: '密碼' }).fill(account.password);
    await page.getByRole('button', { name: '登入', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '今天' }).waitFor();
    // Of the device until the account has its own.
    await page.getByRole('button', { name: /帳號/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByRole('button', { name: /Account/ }).click();
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok()),
      page.getByRole('menuitemradio', { name: '繁體中文' }).click(),
    ]);
    await page.getByRole('heading', { level: 1, name: '今天' }).waitFor();
    expect(problems).toEqual([]);

    const other = await app.openAs(account, {}, '/help');
    await other.page
      .getByRole('heading', { level: 1, name: '說明' })
      .or(other.page.getByText('快速鍵').first())
      .waitFor();
    expect(await other.page.getAttribute('html', 'lang')).toBe('zh-Hant');
  });

  test('is not shown if another language was chosen while it was loading', async () => {
    const { page } = await app.openPage(await app.openContext());
    const held: Route[] = [];
    await page.route('**/zh-Hant-*.json', (route) => {
      held.push(route);
    });
    const [request] = await Promise.all([
      page.waitForRequest('**/zh-Hant-*.json'),
      page.getByRole('button', { name: '繁體中文' }).click(),
    ]);
    await page.getByRole('button', { name: '中文', exact: true }).click();
    await page.getByRole('textbox', { name: '用户名或邮箱' }).waitFor();
    await held[0]?.continue();
    await page.unroute('**/zh-Hant-*.json');
    await (await request.response())?.finished();
    const again = `fetch('${request.url()}').then((response) => response.json())`; // ends after the page's own
    expect(await page.evaluate(`${again}.then(() => document.documentElement.lang)`)).toBe('zh-CN');
  });

  test('has no page with a simplified text', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page } = await app.openAs(admin, {}, '/');
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitemradio', { name: '繁體中文' }).click();
    await page.getByRole('menuitemradio', { name: '繁體中文' }).waitFor({ state: 'detached' });
    for (const where of [
      '/',
      '/projects',
      '/records',
      '/statistics',
      '/me',
      '/admin/users',
      '/admin/roster',
      '/help',
    ]) {
      await page.goto(where);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const text = ((await page.locator('body').textContent()) ?? '').replaceAll('简体中文', '');
      expect(text, where).not.toMatch(/[账录设为这开时间请输学习项计]/u);
    }
  });
});
