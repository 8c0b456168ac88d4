import type { Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { createRunningClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const minute = 60_000;

describe.skipIf(noBrowser)(`studying on a bad network ${noBrowser || ''}`, () => {
  const clock = createRunningClock();
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());
  beforeEach(clock.reset);

  async function openStudent() {
    const account = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id) VALUES ('Guitar', $1)`, [account.id]);
    const opened = await app.openAs(account);
    await timer(opened.page).getByRole('button', { name: 'Start', exact: true }).waitFor();
    return { ...opened, account };
  }
  const timer = (page: Page) => page.getByRole('region', { name: 'Timer' });
  const connection = (page: Page) => page.getByRole('region', { name: 'Connection' });
  /** Durations are rounded down to five minutes, to ignore how long the test takes. */
  const rows = (userId: number) =>
    app.query(
      `SELECT note, source, floor(extract(epoch FROM ended_at - started_at) / 300)::int * 5 AS minutes
       FROM study_sessions WHERE user_id = $1 ORDER BY started_at`,
      [userId],
    );

  test('on slow 3G with 30 % of responses lost, everything is saved exactly once', async () => {
    const { page, context, account } = await openStudent();
    const random = seededRandom(3);
    let lost = 0;
    const lose = async (route: Route) => {
      if (random() > 0.3) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort('connectionreset');
    };
    await context.route('**/api/**', (route) => lose(route).catch(() => undefined));
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    for (const day of ['18', '19', '20', '21']) {
      await page.getByRole('button', { name: 'Add record' }).click();
      const form = page.locator('form').filter({ has: page.getByLabel('Start') });
      await form.getByLabel('Date', { exact: true }).fill(`2026-11-${day}`);
      await form.getByLabel('Start').fill('08:00');
      await form.getByRole('textbox', { name: 'Duration' }).fill('1h');
      await form.getByRole('textbox', { name: 'Note' }).fill(`Day ${day}`);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
    }
    await timer(page).getByRole('button', { name: 'start now' }).click();
    await timer(page).getByRole('button', { name: '30 minutes ago' }).click();
    await timer(page).getByRole('textbox', { name: 'Note' }).fill('Scales');
    await timer(page).getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/3\d min saved to Guitar\./).waitFor();
    const days = ['18', '19', '20', '21'].map((day) => ({ note: `Day ${day}`, source: 'manual', minutes: 60 }));
    await expect
      .poll(() => rows(account.id), { timeout: 60_000 })
      .toEqual([...days, { note: 'Scales', source: 'timer', minutes: 30 }]);
    await connection(page).waitFor({ state: 'detached' });
    expect(lost).toBeGreaterThan(3);
  });

  test('a page that cannot be loaded leaves the timer and the other pages', async () => {
    const { page, context } = await openStudent();
    await context.route('**/assets/awards-page*', (route) => route.abort());
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'Awards' }).click();
    await page.getByRole('main').getByText('This page could not be shown.').waitFor();
    await timer(page).getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.getByRole('link', { name: 'Awards' }).click();
    await page.getByRole('main').getByText('This page could not be shown.').waitFor();
    await context.unroute('**/assets/awards-page*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Awards' }).waitFor();
  });

  test('a timer stopped offline keeps counting until then, and ends at that time', async () => {
    const { page, context, account } = await openStudent();
    await page.clock.install({ time: clock().getTime() });
    await page.reload();
    const reading = new Set<Request>();
    page.on('request', (request) => void (request.url().endsWith('/api/timer') && reading.add(request)));
    page.on('requestfinished', (request) => void reading.delete(request));
    page.on('requestfailed', (request) => void reading.delete(request));
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(() => rows(account.id)).toHaveLength(1);
    await context.setOffline(true);
    // A response from between the two clocks would have the 25 minutes that the page is to count.
    await expect.poll(() => reading.size).toBe(0);
    clock.advance(25 * minute);
    await page.clock.runFor(25 * minute);
    await expect.poll(() => page.getByRole('timer', { name: 'Guitar' }).textContent()).toMatch(/^0:2[5-9]:/);
    await timer(page).getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/2[5-9] min saved to Guitar\./).waitFor();
    clock.advance(40 * minute);
    await page.clock.runFor(40 * minute);
    await connection(page).getByText('You are offline. 1 entry is waiting to be sent.').waitFor();
    expect(await rows(account.id)).toMatchObject([{ minutes: null }]);
    await context.setOffline(false);
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toEqual([{ note: '', source: 'timer', minutes: 25 }]);
  });
});
