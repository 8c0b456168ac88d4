import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`rights that are taken away from a user at work ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  /** The paths of the interface that are asked for from now on. */
  function listen(context: BrowserContext): string[] {
    const asked: string[] = [];
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    return asked;
  }

  test('an account that is deactivated: the page says so, keeps what was typed, and stops asking', async () => {
    const account = await app.createAccount();
    const { page, context } = await app.openAs(account, { isLive: false }, '/projects/new');
    await page.clock.install();
    await page.getByRole('textbox', { name: 'Name' }).fill('Bass');
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).put(`/api/admin/users/${account.id}`, { status: 'inactive' }).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    const asked = listen(context);
    await page.clock.runFor(10 * 60_000);
    expect(asked).toEqual([]);
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await app.as(admin).put(`/api/admin/users/${account.id}`, { status: 'active' }).expect(200);
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bass' }).waitFor();
  });

  test('an administrator who lost the role gets a message, keeps what was typed, and then has the pages of a student', async () => {
    const account = await app.createAccount({ role: 'admin' });
    const { page, context } = await app.openAs(account, { isLive: false }, '/admin/users/new');
    await page.clock.install();
    const list = page.getByRole('textbox', { name: 'One user per line' });
    await list.fill('Pupil\tpupil@example.org');
    const other = await app.createUser({ role: 'admin' });
    await app.as(other).put(`/api/admin/users/${account.id}`, { role: 'user' }).expect(200);
    const asked = listen(context);
    await page.getByRole('button', { name: 'Create 1 account' }).click();
    await page.getByRole('alert').or(page.getByRole('dialog')).first().waitFor();
    await page.clock.runFor(10 * 60_000);
    expect(asked.length).toBeLessThan(5);
    expect(await list.inputValue()).toBe('Pupil\tpupil@example.org');
    await page.reload();
    await page.getByRole('link', { name: 'Statistics' }).waitFor();
  });
});
