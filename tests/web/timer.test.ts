import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRunningClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const hour = 3_600_000;

describe.skipIf(noBrowser)(`the timer ${noBrowser || ''}`, () => {
  const clock = createRunningClock();
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());
  // Browsers know the time of the service by the header Date, which no test moves.
  beforeEach(clock.reset);

  /** A student whose timer has run for ten minutes, and another tab of theirs. */
  async function openRunning() {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    await app.query(
      `INSERT INTO study_sessions (user_id, project_id, started_at, note, source, time_zone)
       VALUES ($1, $2, $3, '', 'timer', 'UTC')`,
      [account.id, id, new Date(clock().getTime() - hour / 6).toISOString()],
    );
    return { ...(await app.openAs(account)), account, id };
  }

  const shown = (page: Page) => page.getByRole('timer').textContent();
  const seconds = async (page: Page) =>
    ((await shown(page)) ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

  test.each([-2, 0, 2])('with a clock that is %d h wrong, and after eight hours of sleep', async (wrong) => {
    const { page } = await openRunning();
    await page.clock.install({ time: clock().getTime() + wrong * hour });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    expect(await seconds(page)).toBeLessThan(900);
    const before = clock().getTime();
    clock.advance(8 * hour);
    await page.clock.fastForward(8 * hour); // timers fire once at most, as when the lid was closed
    // In the end: what the page reads between the two, when the service is 8 h ahead of it, is read again after the jump.
    const isExact = (shown: number) =>
      shown >= 600 + 8 * 3600 && shown < 600 + (clock().getTime() - before) / 1000 + 300;
    await expect.poll(() => seconds(page)).toSatisfy(isExact);
  });

  test('eight hours of sleep without a network: how far the clock has moved counts, not how often it ticked', async () => {
    const { page, context } = await openRunning();
    await page.clock.install({ time: clock().getTime() });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    await context.route('**/api/timer', (route) => route.abort());
    await page.clock.fastForward(8 * hour);
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600 + 8 * 3600);
    expect(await seconds(page)).toBeLessThan(900 + 8 * 3600);
  });

  test('a device that sleeps while its clocks stand still reads the time when it is looked at again', async () => {
    const { page } = await openRunning();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    clock.advance(hour);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600 + 3600);
  });

  test('a clock that is set while the timer runs changes nothing', async () => {
    const { page } = await openRunning();
    await page.clock.install({ time: clock().getTime() });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    await page.clock.setSystemTime(clock().getTime() + 2 * hour);
    await page.clock.runFor(2000);
    await expect.poll(() => seconds(page)).toBeLessThan(900);
    expect(await seconds(page)).toBeGreaterThanOrEqual(600);
  });

  test('two tabs show the same; started and stopped in both at once there is one timer, and one record', async () => {
    const { page, context, account } = await openRunning();
    const opening = Date.now();
    const { page: other } = await app.openPage(context);
    await other.getByRole('timer').waitFor();
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`); // both have read the time just now
    const slack = 1 + (Date.now() - opening) / 1000; // so long a response may have been under way
    const [before, between, after] = [await seconds(page), await seconds(other), await seconds(page)];
    expect(between).toBeGreaterThanOrEqual(before - slack);
    expect(between).toBeLessThanOrEqual(after + slack);
    /** Both are found before the first is pressed. */
    async function press(name: string): Promise<void> {
      const buttons = [page, other].map((tab) => tab.getByRole('button', { name, exact: true }).elementHandle());
      await Promise.all((await Promise.all(buttons)).map((button) => button?.dispatchEvent('click')));
    }
    await press('Stop');
    await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Start', exact: true }).waitFor()));
    const records = () =>
      app.query<{ running: boolean }>('SELECT ended_at IS NULL AS running FROM study_sessions WHERE user_id = $1', [
        account.id,
      ]);
    await expect.poll(records).toEqual([{ running: false }]);
    await press('Start');
    await Promise.all([page, other].map((tab) => tab.getByRole('timer').waitFor()));
    await expect.poll(async () => (await records()).filter(({ running }) => running)).toHaveLength(1);
  });

  test('begins minutes ago, before the start and after it', async () => {
    const { page, account } = await openRunning();
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: '15 minutes ago' }).click();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(25 * 60);
    await timer.getByRole('button', { name: '5 minutes ago', exact: true }).click();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(30 * 60);
    await timer.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/Recorded: 3\d min of Guitar\./).waitFor();
    await timer.getByRole('button', { name: '5 minutes ago', exact: true }).click();
    await timer.getByText(/overlap/).waitFor(); // the record just made is in the way
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(
      await app.query('SELECT duration_seconds / 300 * 5 AS minutes FROM study_sessions WHERE user_id = $1', [
        account.id,
      ]),
    ).toEqual([{ minutes: 30 }]);
  });

  test('one that was left running is cut to what was studied, or kept', async () => {
    const { page, account, id } = await openRunning();
    await app.query('DELETE FROM study_sessions WHERE user_id = $1', [account.id]);
    await app.query(
      `INSERT INTO study_sessions (user_id, project_id, started_at, ended_at, note, source, time_zone, auto_stopped)
       SELECT $1, $2, day, day + interval '12 hours', '', 'timer', 'UTC', true
       FROM unnest('{2026-11-18T08:00Z,2026-11-19T08:00Z}'::timestamptz[]) day`,
      [account.id, id],
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Was Guitar left running?' }).first().waitFor();
    const question = (day: string) => page.locator('form').filter({ hasText: day });
    await question('19 Nov').getByRole('textbox').fill('13h');
    await page.getByText('A shorter time').waitFor();
    await question('19 Nov').getByRole('textbox').fill('1h30');
    await question('19 Nov').getByRole('button', { name: 'Shorten' }).click();
    await question('19 Nov').waitFor({ state: 'detached' });
    await question('18 Nov').getByRole('button', { name: 'Keep' }).click();
    await question('18 Nov').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Was Guitar left running?' }).count()).toBe(0);
    expect(
      await app.query(
        'SELECT duration_seconds / 60 AS minutes FROM study_sessions WHERE user_id = $1 ORDER BY started_at',
        [account.id],
      ),
    ).toEqual([{ minutes: 720 }, { minutes: 90 }]);
  });
});
