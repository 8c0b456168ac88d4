import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`revoked permissions ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  /** Collects the API paths requested from now on. */
  function collectApiRequests(context: BrowserContext): string[] {
    const requests: string[] = [];
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) requests.push(pathname);
    });
    return requests;
  }

  test('a deactivated user sees a message, keeps their input, and the page stops sending requests', async () => {
    const account = await app.createAccount();
    const { page, context } = await app.openAs(account, { isLive: false }, '/projects/new');
    // The last request of the page by itself: after it, only the save finds out.
    const readAwards = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/achievements'))`;
    await expect.poll(() => page.evaluate(readAwards)).toBe(true);
    await page.clock.install();
    await page.getByRole('textbox', { name: 'Name' }).fill('Bass');
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).put(`/api/admin/users/${account.id}`, { status: 'inactive' }).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    const requests = collectApiRequests(context);
    await page.clock.runFor(10 * 60_000);
    expect(requests).toEqual([]);
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

  test('a demoted administrator sees a message, keeps their input, and has the pages of a student after a reload', async () => {
    const account = await app.createAccount({ role: 'admin' });
    const { page, context } = await app.openAs(account, { isLive: false }, '/admin/users/new');
    await page.clock.install();
    const list = page.getByRole('textbox', { name: 'One user per line' });
    await list.fill('Pupil\tpupil@example.org');
    const other = await app.createUser({ role: 'admin' });
    await app.as(other).put(`/api/admin/users/${account.id}`, { role: 'user' }).expect(200);
    const requests = collectApiRequests(context);
    await page.getByRole('button', { name: 'Create 1 account' }).click();
    await page.getByRole('alert').or(page.getByRole('dialog')).first().waitFor();
    await page.clock.runFor(10 * 60_000);
    expect(requests.length).toBeLessThan(5);
    expect(await list.inputValue()).toBe('Pupil\tpupil@example.org');
    await page.reload();
    await page.getByRole('link', { name: 'Statistics' }).waitFor();
  });
});
