import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

type Row = { note: string; minutes: number; source: string };

describe.skipIf(noBrowser)(`recording without a connection ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openStudent(where = '/') {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    const opened = await app.openAs(account, {}, where);
    await opened.page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    return { ...opened, account, projectId: id };
  }

  /** Durations are rounded down to five minutes, to ignore how long the test takes. */
  const rows = (userId: number) =>
    app.query<Row>(
      `SELECT note, source, floor(extract(epoch FROM ended_at - started_at) / 300)::int * 5 AS minutes
       FROM study_sessions WHERE user_id = $1 ORDER BY started_at`,
      [userId],
    );

  const timer = (page: Page) => page.getByRole('region', { name: 'Timer' });
  const connection = (page: Page) => page.getByRole('region', { name: 'Connection' });

  async function addRecord(page: Page, start: string, duration: string, note: string) {
    await page.getByRole('button', { name: 'Add record' }).click();
    const form = page.locator('form').filter({ has: page.getByLabel('Start') });
    const [day = '', clock = ''] = start.split('T');
    await form.getByLabel('Date', { exact: true }).fill(day);
    await form.getByLabel('Start').fill(clock);
    await form.getByRole('textbox', { name: 'Duration' }).fill(duration);
    await form.getByRole('textbox', { name: 'Note' }).fill(note);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
  }

  /** Lets write requests to a path reach the service, but drops their responses. */
  async function loseResponses(context: BrowserContext, path: RegExp, times = Number.POSITIVE_INFINITY) {
    let lost = 0;
    await context.route(path, async (route) => {
      if (route.request().method() === 'GET' || lost >= times) return route.fallback();
      lost += 1;
      await route.fetch().catch(() => undefined);
      return route.abort().catch(() => undefined); // the page may have aborted the request
    });
    return { count: () => lost, stop: () => context.unroute(path) };
  }

  test('a timer started and stopped offline becomes one record with correct times when online', async () => {
    const { page, context, account } = await openStudent();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await timer(page).getByRole('button', { name: 'start now' }).click();
    await timer(page).getByRole('button', { name: '30 minutes ago' }).click();
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^0:3\d:\d\d$/);
    await timer(page).getByRole('textbox', { name: 'Note' }).fill('Scales');
    await timer(page).getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/3\d min saved to Guitar\./).waitFor();
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    expect(await rows(account.id)).toEqual([]);
    await context.setOffline(false);
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toEqual([{ note: 'Scales', minutes: 30, source: 'timer' }]);
  });

  test('a lost response does not duplicate a write: the retry uses the same idempotency key', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    const records = await loseResponses(context, /\/api\/projects\/\d+\/sessions$/);
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    expect(records.count()).toBeGreaterThan(0);
    await records.stop();
    const start = await loseResponses(context, /\/api\/timer\/start$/);
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await timer(page).getByRole('button', { name: 'Stop' }).click();
    await expect.poll(start.count).toBeGreaterThan(0);
    const stop = await loseResponses(context, /\/api\/timer\/stop$/, 1);
    await start.stop();
    await expect.poll(stop.count).toBe(1);
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toMatchObject([{ note: 'Scales', minutes: 90 }, { source: 'timer' }]);
  });

  test('a stop is not lost if another tab has just sent the start', async () => {
    const { page, context, account, projectId } = await openStudent();
    const start = await loseResponses(context, /\/api\/timer\/start$/);
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(start.count).toBeGreaterThan(0); // the client will retry it soon
    // Simulates another tab that holds the lock, has sent the start, and removes the entry without having seen the stop.
    const other = await context.newPage();
    await other.goto('/.well-known/security.txt'); // same origin without the application
    await other.evaluate(
      `new Promise((held) => {
        void navigator.locks.request('studytrack.outbox', () => new Promise((end) => { window.end = end; held(); }));
      })`,
    );
    await timer(page).getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => other.evaluate('JSON.stringify(localStorage)')).toContain('ended_at');
    await other.evaluate(
      `Object.keys(localStorage).filter((key) => key.includes('outbox')).forEach((key) => localStorage.removeItem(key))`,
    );
    await start.stop();
    // The client looks the start up to find the timer to stop, and the network fails at that moment.
    let lookUps = 0;
    await context.route(/\/api\/sessions\?/, (route) => {
      lookUps += 1;
      return lookUps <= 2 ? route.abort('connectionreset') : route.fallback();
    });
    await other.evaluate('end()');
    const ended = () =>
      app.query('SELECT FROM study_sessions WHERE user_id = $1 AND project_id = $2 AND ended_at IS NOT NULL', [
        account.id,
        projectId,
      ]);
    await expect.poll(ended).toHaveLength(1);
    expect(lookUps).toBeGreaterThan(2);
    await connection(page).waitFor({ state: 'detached' });
  });

  test('a record with an expired idempotency key is not duplicated', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    const lost = await loseResponses(context, /\/api\/projects\/\d+\/sessions$/);
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    await app.query('DELETE FROM idempotency_keys');
    await lost.stop();
    await connection(page).waitFor({ state: 'detached' }); // retried automatically
    expect(await rows(account.id)).toHaveLength(1);
  });

  test('"Send now" sends waiting entries immediately', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    const path = /\/api\/projects\/\d+\/sessions$/;
    const limited = { status: 429, headers: { 'Retry-After': '600' }, json: { error: { code: 'RATE_LIMITED' } } };
    await context.route(path, (route) =>
      route.request().method() === 'POST' ? route.fulfill(limited) : route.fallback(),
    );
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    await context.unroute(path);
    await connection(page).getByRole('button', { name: 'Send now' }).click();
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toMatchObject([{ note: 'Scales' }]);
  });

  test('an entry rejected later is shown with the reason, until it is discarded', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await context.setOffline(true);
    await addRecord(page, '2026-11-20T19:00', '1h30', 'Chords');
    await addRecord(page, '2026-11-21T19:00', '1h', 'Songs');
    await connection(page).getByText('2 entries are waiting to be sent.').waitFor();
    await context.setOffline(false);
    await connection(page).getByText('1 entry was not accepted.').waitFor();
    await connection(page).getByRole('button', { name: 'Show' }).click();
    const entry = connection(page).getByRole('listitem').filter({ hasText: 'Chords' });
    await entry.getByText(/overlap/).waitFor();
    await entry.getByRole('button', { name: /^Discard/ }).click();
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toMatchObject([{ note: 'Scales' }, { note: 'Songs' }]);
  });

  test.each([
    ['was already running', true],
    ['was started offline', false],
  ])('a rejected change of a timer that %s is sent again when corrected', async (_, isRunning) => {
    const { page, context, account, projectId } = await openStudent();
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, now() - interval '60 min', now() - interval '20 min', '', 'manual', 'UTC')`,
      [account.id, projectId],
    );
    if (!isRunning) await context.route('**/api/timer/start', (route) => route.abort());
    const isStart = (request: Request) => request.url().endsWith('/api/timer/start');
    const start = isRunning
      ? page.waitForEvent('requestfinished', isStart)
      : page.waitForEvent('requestfailed', isStart);
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await start;
    await context.setOffline(true);
    await timer(page)
      .getByRole('button', { name: /^since/ })
      .click();
    await timer(page).getByRole('button', { name: '30 min earlier' }).click();
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    // The page reads the timer when the network is back. That response, from before the start, arrives after it.
    const refused = page.waitForResponse((response) => response.status() === 409);
    let read = () => {};
    const wasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await context.route('**/api/timer/start', (route) => wasRead.then(() => route.continue()));
    await context.route(
      '**/api/timer',
      async (route) => {
        const response = await route.fetch();
        read();
        await refused;
        await route.fulfill({ response }).catch(() => undefined); // the page may have cancelled the request
      },
      { times: 1 },
    );
    await context.setOffline(false);
    await connection(page).getByText('1 entry was not accepted.').waitFor();
    await timer(page).getByRole('button', { name: '5 min earlier', exact: true }).click();
    await connection(page).waitFor({ state: 'detached' });
    const [, running] = await app.query<{ minutes: number }>(
      `SELECT floor(extract(epoch FROM now() - started_at) / 60)::int AS minutes
       FROM study_sessions WHERE user_id = $1 ORDER BY started_at`,
      [account.id],
    );
    expect(running?.minutes).toBeGreaterThanOrEqual(5);
    expect(running?.minutes).toBeLessThan(20);
  });

  test('data of the page that arrive late do not take the focus from the timer', async () => {
    const { page, context, account } = await openStudent('/projects');
    const held: Route[] = []; // failing earlier, the request could be repeated until the page reports an error
    await context.route('**/api/stats?*', (route) => void held.push(route));
    await timer(page).getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(() => rows(account.id)).toHaveLength(1);
    const requested = page.waitForRequest('**/api/stats?*'); // by the page's code, which cannot be loaded offline
    await page.getByRole('link', { name: 'Today' }).click();
    await requested;
    await context.setOffline(true);
    await Promise.all(held.map((route) => route.abort()));
    await page.getByRole('heading', { level: 2, name: 'Recorded on this device' }).waitFor();
    await timer(page)
      .getByRole('button', { name: /^since/ })
      .click();
    await context.unrouteAll();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 2, name: 'Recorded on this device' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await timer(page).getByRole('button', { name: '5 min earlier', exact: true }).click();
    const early = () =>
      app.query(`SELECT FROM study_sessions WHERE user_id = $1 AND started_at < now() - interval '5 min'`, [
        account.id,
      ]);
    await expect.poll(early).toHaveLength(1);
  });

  test('entries of a closed tab are sent on the next visit of the same user only', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    const other = await app.createAccount();
    await context.route(/\/api\/projects\/\d+\/sessions$/, (route) => route.abort());
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await connection(page).getByText('1 entry is waiting to be sent.').waitFor();
    await page.close();
    await context.unrouteAll();
    await context.clearCookies();
    const { page: next } = await app.openPage(context);
    await signInOn(next, other);
    await next.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await next.reload();
    await next.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await connection(next).count()).toBe(0);
    expect(await rows(account.id)).toEqual([]);
    await next.getByRole('button', { name: /^Account/ }).click();
    await next.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInOn(next, account);
    await expect.poll(() => rows(account.id)).toHaveLength(1);
    expect(await rows(other.id)).toEqual([]);
  });

  test('signing out lists entries that would be lost', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    await context.route(/\/api\/projects\/\d+\/sessions$/, (route) => route.abort());
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out and lose this?' });
    await dialog.getByText('Scales').waitFor();
    await dialog.getByRole('button', { name: 'Discard and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("outbox"))')).toEqual([]);
    expect(await rows(account.id)).toEqual([]);
  });

  test('a temporarily unavailable service is retried automatically', async () => {
    const { page, context, account } = await openStudent('/records?view=list');
    const body = JSON.stringify({ success: false, message: 'Resting.', code: 'SERVICE_UNAVAILABLE' });
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '1' };
    await context.route(/\/sessions$/, (route) => route.fulfill({ status: 503, headers, body }), { times: 2 });
    await addRecord(page, '2026-11-20T18:00', '1h30', 'Scales');
    await connection(page).waitFor();
    await connection(page).waitFor({ state: 'detached' });
    expect(await rows(account.id)).toHaveLength(1);
  });
});
