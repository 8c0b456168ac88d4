import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an unavailable service ${noBrowser || ''}`, () => {
  const clock = createTestClock();
  let database: TestDatabase;
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let app: WebApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    app = await startWebApp({ databaseUrl: proxy.url, clock });
  });
  afterAll(async () => {
    await app?.stop();
    await proxy?.stop();
    await database?.drop();
  });

  async function openStudent(where = '/') {
    const account = await app.createAccount();
    await database.sql.query(`INSERT INTO projects (name, user_id) VALUES ('Guitar', $1)`, [account.id]);
    return { ...(await app.openAs(account, {}, where)), account };
  }
  const connection = (page: Page) => page.getByRole('region', { name: 'Connection' });
  const timer = (page: Page) => page.getByRole('region', { name: 'Timer' });
  const restartProxy = async () => {
    proxy = await startTcpProxy(database.url, proxy.port);
  };

  test('while the database is down the page remains and writes are queued; afterwards all are saved', async () => {
    const { page, account, problems } = await openStudent();
    await page.clock.install();
    await page.reload();
    await timer(page).getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.getByRole('heading', { level: 2, name: /^Welcome/ }).waitFor();
    await proxy.stop();
    await timer(page).getByRole('button', { name: 'start now' }).click();
    await timer(page).getByRole('button', { name: '30 minutes ago' }).click();
    await connection(page)
      .getByText(/^The service is unavailable; next attempt in \d s\. 1 entry is waiting to be sent\.$/)
      .waitFor();
    await page.clock.runFor(61_000); // all queries of the page have been retried
    await connection(page)
      .getByText(/^The service is unavailable;/)
      .waitFor();
    const wait = connection(page).getByRole('timer');
    const seconds = async () => Number(/\d+/.exec((await wait.textContent()) ?? '')?.[0]);
    await expect.poll(seconds).toBeGreaterThan(3);
    const before = await seconds();
    await page.clock.runFor(2000);
    await expect.poll(seconds).toBeLessThan(before);
    await page.getByRole('heading', { level: 2, name: /^Welcome/ }).waitFor();
    await page.getByRole('link', { name: 'Guitar' }).first().waitFor();
    expect(await page.getByRole('timer', { name: 'Guitar' }).textContent()).toMatch(/^0:3\d:/);

    await restartProxy();
    await page.clock.runFor(60_000);
    await connection(page).waitFor({ state: 'detached' });
    const rows = () => database.sql.query('SELECT ended_at FROM study_sessions WHERE user_id = $1', [account.id]);
    expect(await rows()).toEqual([{ ended_at: null }]);
    expect(problems).toEqual([]);
  });

  test('a page opened meanwhile reports it, and continues automatically', async () => {
    const { page } = await openStudent();
    await page.clock.install();
    await proxy.stop();
    await page.reload();
    await page.getByText(/^The service is unavailable; next attempt in \d s\.$/).waitFor();
    await restartProxy();
    await page.clock.runFor(10_000);
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  test('an internal error shows the request id', async () => {
    const { page } = await openStudent();
    await page.clock.install();
    await database.sql.query('ALTER TABLE user_achievements RENAME TO elsewhere');
    await page.getByRole('link', { name: 'Awards' }).click();
    const alert = page.getByRole('alert');
    for (let tries = 0; tries < 5; tries += 1) await page.clock.runFor(2000);
    await alert.getByText(/^An internal error occurred\. Report it with the request id [\w-]{8,}\.$/).waitFor();
    await database.sql.query('ALTER TABLE elsewhere RENAME TO user_achievements');
  });

  test('too many wrong passwords show a countdown', async () => {
    const account = await app.createAccount();
    const { page } = await app.openAs(account);
    for (let tries = 0; tries < 10; tries += 1)
      await app.anonymous.post('/api/auth/login', { username: account.username, password: 'wrong' });
    await page.clock.install();
    await database.sql.query('DELETE FROM sign_ins WHERE user_id = $1', [account.id]);
    await page.getByRole('link', { name: 'Projects' }).dispatchEvent('click'); // the dialog may already cover it
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill('something else');
    const press = dialog.getByRole('button', { name: 'Sign in', exact: true });
    const wait = dialog.getByRole('timer').getByText(/^You can try again in 0:1\d:\d\d\.$/);
    // A known address of the account: ten more attempts.
    for (let tries = 0; tries < 11 && !(await wait.isVisible()); tries += 1) {
      const answered = page.waitForResponse(/browser\/sign-in$/);
      await press.click();
      await answered;
      const isPending = async () => (await press.getAttribute('aria-disabled')) === 'true';
      await expect.poll(async () => (await wait.isVisible()) || !(await isPending())).toBe(true);
    }
    await wait.waitFor();
    const seconds = async () => {
      const [, minutes, rest] = /0:(\d\d):(\d\d)/.exec((await wait.textContent()) ?? '') ?? [];
      return 60 * Number(minutes) + Number(rest);
    };
    const before = await seconds();
    await page.clock.runFor(100_000);
    await expect.poll(seconds).toBeLessThanOrEqual(before - 100);
    expect(await press.getAttribute('aria-disabled')).toBe('true');
    clock.advance(15 * 60_000);
    await page.clock.runFor(15 * 60_000);
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await press.click();
    await dialog.waitFor({ state: 'detached' });
  });
});
