import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the page offline ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const stored = `caches.open('studytrack.files').then((cache) => cache.keys()).then((keys) => keys.map((key) => new URL(key.url).pathname))`;
  const isControlled = 'navigator.serviceWorker.controller !== null';
  const today = (page: Page) => page.getByRole('heading', { level: 1, name: 'Today' });
  const connection = (page: Page) => page.getByRole('region', { name: 'Connection' });

  async function openStudent({ keepSignedIn = true } = {}) {
    const account = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id) VALUES ('Guitar', $1)`, [account.id]);
    const context = await app.openContext({ hasWorker: true });
    await context.clock.install();
    const opened = await app.openPage(context);
    await signIn(opened.page, account, keepSignedIn);
    await opened.page.clock.runFor(6000); // the worker is installed after the first content
    await expect.poll(() => opened.page.evaluate(isControlled)).toBe(true);
    return { ...opened, context, account };
  }
  async function signIn(page: Page, account: Account, keepSignedIn: boolean) {
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    if (keepSignedIn) await page.getByText('Keep me signed in').click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await today(page).waitFor();
  }
  async function recordOffline(page: Page, context: BrowserContext) {
    await context.setOffline(true);
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'start now' }).click();
    await timer.getByRole('button', { name: '30 minutes ago' }).click();
    await timer.getByRole('textbox', { name: 'Note' }).fill('Scales');
    await timer.getByRole('button', { name: 'Stop' }).click();
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
  }

  test('opens with unsent entries, and sends them and loads the data when online', async () => {
    const { page, context, account, problems } = await openStudent();
    await recordOffline(page, context);
    await page.close();
    const { page: next } = await app.openPage(context);
    await today(next).waitFor();
    await connection(next).getByText('You are offline. 1 entry is waiting to be sent.').waitFor();
    await next.getByRole('list', { name: 'Not sent yet' }).getByText('Scales').waitFor();
    await next.getByRole('link', { name: 'Statistics' }).click();
    await next.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await next.getByRole('link', { name: 'Today' }).click();
    await context.setOffline(false);
    await connection(next).waitFor({ state: 'detached' });
    await next.getByRole('heading', { level: 2, name: 'This week' }).waitFor();
    expect(await app.query('SELECT note FROM study_sessions WHERE user_id = $1', [account.id])).toEqual([
      { note: 'Scales' },
    ]);
    expect(problems).toEqual([]);
  });

  test('caches the page and its files, but no API responses', async () => {
    const { page } = await openStudent();
    for (const name of ['Projects', 'Calendar', 'Statistics', 'Awards']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    const paths = (await page.evaluate(stored)) as string[];
    expect(paths.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
    expect(paths).toContain('/');
    expect(paths.length).toBeGreaterThan(10);
  });

  test('caches the texts in traditional Chinese when they are chosen', async () => {
    const { page, context } = await openStudent();
    const texts = async () =>
      ((await page.evaluate(stored)) as string[]).filter((path) => path.endsWith('.json')).toSorted();
    expect(await texts()).toEqual([expect.stringContaining('/zh-')]);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: '繁體中文' }).click();
    await expect.poll(texts).toEqual(
      app
        .assets('.json')
        .filter((path) => path.startsWith('/assets/'))
        .toSorted(),
    );
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: /^帳號/ }).waitFor();
  });

  test('does not open offline without "Keep me signed in", nor after signing out', async () => {
    const { page, context } = await openStudent({ keepSignedIn: false });
    await context.setOffline(true);
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await today(page).count()).toBe(0);
    await context.setOffline(false);
    await today(page).waitFor(); // automatically
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const storage = 'JSON.stringify({ ...localStorage, ...sessionStorage })';
    expect(await page.evaluate(storage)).not.toMatch(/Guitar|@example|account\d/);
  });

  test('a tab that was open during an upgrade offers the new version', async () => {
    const { page, context, problems } = await openStudent();
    const worker = '/sw.js';
    const file = app.site.get(worker);
    if (file === undefined) throw new Error('there is no service worker');
    const identity = Buffer.concat([file.encodings.identity, Buffer.from('\n// the next version')]);
    app.site.set(worker, { ...file, encodings: { identity }, etag: '"next"' });
    await page.evaluate(`navigator.serviceWorker.getRegistration().then((found) => found.update())`);
    await page.getByText('A new version is available.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await today(page).waitFor();
    expect(await page.getByText('A new version is available').count()).toBe(0);
    app.site.set(worker, file);
    expect(context.pages()).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
