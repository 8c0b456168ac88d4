import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf } from '../support/web/page-findings.ts';
import { clickLabel, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`access tokens ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const as = (token: string, where: string) =>
    fetch(new URL(where, app.origin), { headers: { Authorization: `Bearer ${token}` } });

  test('are created, copied, used and revoked', async () => {
    const { page, context, problems } = await app.openAs(await app.createAccount(), {}, '/me/data');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('You have no tokens yet.').waitFor();
    expect(await page.getByText('Everything administrators can do').count()).toBe(0);
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.locator('form').filter({ has: page.getByRole('heading', { name: 'New token' }) });
    await form.getByRole('textbox', { name: 'Name' }).fill('Backup');
    await clickLabel(form.getByLabel('Change projects'));
    await form.getByRole('button', { name: 'Create token' }).click();
    const shown = form.getByRole('textbox', { name: 'The new token' });
    const token = await shown.inputValue();
    await form.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);

    const entry = page.getByRole('list', { name: 'Your tokens' }).getByRole('listitem');
    await entry.filter({ hasText: 'Read, Change projects' }).filter({ hasText: 'not used yet' }).waitFor();
    expect((await as(token, '/api/projects')).status).toBe(200);
    await page.reload();
    await entry.filter({ hasText: 'last used' }).waitFor();
    expect(await shown.count()).toBe(0);

    await page.getByRole('button', { name: 'Revoke Backup' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke Backup?' });
    expect(await findingsOf(page, {})).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('You have no tokens yet.').waitFor();
    expect((await as(token, '/api/projects')).status).toBe(401);
    expect(problems).toEqual([]);
  });

  test('are accessible on a phone in Chinese for administrators', async () => {
    const look = { language: 'zh', width: 360 } as const;
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), look, '/me/data');
    await page.getByRole('button', { name: '新建令牌' }).click();
    const form = page.locator('form').filter({ has: page.getByRole('heading', { name: '新建令牌' }) });
    await clickLabel(form.getByLabel('管理员的全部操作'));
    await form.getByRole('textbox', { name: '名称' }).fill('123');
    await form.getByRole('button', { name: '创建令牌' }).click();
    await form.getByRole('textbox', { name: '新令牌' }).waitFor();
    expect(await findingsOf(page, look)).toEqual([]);
  });
});
