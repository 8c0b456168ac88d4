import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRunningClock } from '../support/test-app.ts';
import { coveredOf } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const hour = 3_600_000;

describe.skipIf(noBrowser)(`the timer ${noBrowser || ''}`, () => {
  const clock = createRunningClock();
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());
  // Browsers know the time of the service from the Date header, which tests cannot change.
  beforeEach(clock.reset);

  /** Opens the page of a student whose timer has been running for ten minutes. */
  async function openRunning(look = {}) {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, $3, '', 'timer', 'UTC')`,
      [account.id, id, new Date(clock().getTime() - hour / 6).toISOString()],
    );
    return { ...(await app.openAs(account, look)), account, id };
  }

  const recordsOf = ({ id }: { id: number }) => app.query('SELECT id FROM study_sessions WHERE user_id = $1', [id]);
  /** Lets the running timer have begun so many seconds ago. */
  const begin = ({ id }: { id: number }, seconds: number) =>
    app.query('UPDATE study_sessions SET started_at = $2 WHERE user_id = $1 AND ended_at IS NULL', [
      id,
      new Date(clock().getTime() - seconds * 1000).toISOString(),
    ]);
  const shown = (page: Page) => page.getByRole('timer').textContent();
  const seconds = async (page: Page) =>
    ((await shown(page)) ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

  test.each([-2, 0, 2])('is correct with a clock that is %d h wrong, and after eight hours of sleep', async (wrong) => {
    const { page } = await openRunning();
    await page.clock.install({ time: clock().getTime() + wrong * hour });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    expect(await seconds(page)).toBeLessThan(900);
    const before = clock().getTime();
    clock.advance(8 * hour);
    await page.clock.fastForward(8 * hour); // timers fire at most once, as after sleep
    // Eventually: a response read between the two jumps is replaced after the second one.
    const isExact = (shown: number) =>
      shown >= 600 + 8 * 3600 && shown < 600 + (clock().getTime() - before) / 1000 + 300;
    await expect.poll(() => seconds(page)).toSatisfy(isExact);
  });

  test('after eight hours of sleep offline uses the elapsed clock time, not the number of ticks', async () => {
    // Without events: a second read that is answered while the clock jumps would look as if read after the sleep.
    const { page, context } = await openRunning({ isLive: false });
    await page.clock.install({ time: clock().getTime() });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    await context.route('**/api/timer', (route) => route.abort());
    await page.clock.fastForward(8 * hour);
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600 + 8 * 3600);
    expect(await seconds(page)).toBeLessThan(900 + 8 * 3600);
  });

  test('is corrected when the page becomes visible after the device clock has stopped', async () => {
    const { page } = await openRunning();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    clock.advance(hour);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600 + 3600);
  });

  test('is not affected by changing the clock', async () => {
    const { page } = await openRunning();
    await page.clock.install({ time: clock().getTime() });
    await page.reload();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(600);
    await page.clock.setSystemTime(clock().getTime() + 2 * hour);
    await page.clock.runFor(2000);
    await expect.poll(() => seconds(page)).toBeLessThan(900);
    expect(await seconds(page)).toBeGreaterThanOrEqual(600);
  });

  test('is the same in two tabs; concurrent starts and stops result in one timer and one record', async () => {
    const { page, context, account } = await openRunning();
    const openedAt = Date.now();
    const { page: other } = await app.openPage(context);
    await other.getByRole('timer').waitFor();
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`); // both have just read the time
    const slack = 1 + (Date.now() - openedAt) / 1000; // allows for the latency of the responses
    const [before, between, after] = [await seconds(page), await seconds(other), await seconds(page)];
    expect(between).toBeGreaterThanOrEqual(before - slack);
    expect(between).toBeLessThanOrEqual(after + slack);
    /** Finds both buttons before clicking, so that the clicks are concurrent. */
    async function press(name: string): Promise<void> {
      const buttons = [page, other].map((tab) => tab.getByRole('button', { name, exact: true }).elementHandle());
      await Promise.all((await Promise.all(buttons)).map((button) => button?.dispatchEvent('click')));
    }
    await press('Stop');
    // A tab that saw the other one's stop first shows no record.
    for (const tab of [page, other]) {
      const next = tab.getByRole('button', { name: 'Start next' });
      await tab.getByRole('button', { name: 'Start', exact: true }).or(next).waitFor();
      if ((await next.count()) > 0) await next.click();
    }
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

  test('can start in the past, before and after starting it', async () => {
    const { page, account } = await openRunning();
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'since' }).click();
    await timer.getByRole('button', { name: '15 min earlier' }).click();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(25 * 60);
    await timer.getByRole('button', { name: '5 min earlier', exact: true }).click();
    await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(30 * 60);
    await timer.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/3\d min saved to Guitar\./).waitFor();
    await timer.getByRole('button', { name: 'Start next' }).click();
    await timer.getByRole('button', { name: 'start now' }).click();
    await timer.getByRole('button', { name: '5 minutes ago', exact: true }).click();
    await timer.getByText(/overlap/).waitFor(); // with the record just created
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(
      await app.query('SELECT duration_seconds / 300 * 5 AS minutes FROM study_sessions WHERE user_id = $1', [
        account.id,
      ]),
    ).toEqual([{ minutes: 30 }]);
  });

  test('a start within another record is refused at its field, which names the project and the times', async () => {
    const { page, account } = await openRunning({ width: 1440 });
    const timer = page.getByRole('region', { name: 'Timer' });
    const at = (minutes: number) => new Date(clock().getTime() - minutes * 60_000).toISOString();
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT user_id, owner_id, project_id, $2, $3, '', 'manual', 'UTC' FROM study_sessions WHERE user_id = $1`,
      [account.id, at(40), at(20)],
    );
    await timer.getByRole('button', { name: 'since' }).click();
    const field = timer.getByRole('textbox', { name: 'Started at' });
    await field.fill(at(30).slice(11, 16));
    await field.press('Enter');
    const error = timer.getByText(`It overlaps Guitar`);
    await error.waitFor();
    const text = (await error.textContent()) ?? '';
    expect(text).toContain(`${at(40).slice(11, 16)}–${at(20).slice(11, 16)}.`);
    expect(text).not.toMatch(/record|T\d\d:|Z/);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await coveredOf(error)).toEqual([]);
    const { height = 0 } = (await error.boundingBox()) ?? {};
    expect(height, 'one or two lines').toBeLessThan(45);
  });

  test('the panel of the start stays in a low window when an error makes it higher', async () => {
    const { page } = await openRunning({ width: 1440 });
    const timer = page.getByRole('region', { name: 'Timer' });
    const panel = timer.getByRole('group', { name: 'Started at' });
    const bottom = () => panel.evaluate((element) => element.getBoundingClientRect().bottom);
    await timer.getByRole('button', { name: 'since' }).click();
    const height = Math.ceil(await bottom()) + 10; // there is no place for one more line
    await page.setViewportSize({ width: 1440, height });
    await timer.getByRole('textbox', { name: 'Started at' }).fill('99:99');
    await timer.getByText('A time such as 16:05.').waitFor();
    await expect.poll(bottom).toBeLessThanOrEqual(height);
    await page.setViewportSize({ width: 1440, height: 120 });
    await expect.poll(bottom).toBeLessThanOrEqual(120);
  });

  test('does not move the page when it is known', async () => {
    const { page, context } = await openRunning();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await context.route('**/api/timer', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    const heading = page.getByRole('heading', { level: 1 });
    const top = async () => (await heading.boundingBox())?.y;
    await heading.waitFor();
    const before = await top();
    expect(await page.getByRole('timer').count()).toBe(0);
    answer();
    await page.getByRole('timer').waitFor();
    expect(await top()).toBe(before);
  });

  test('starts with a note, changes its project, and saves the note of the stopped record apart from the next timer', async () => {
    const { page, account } = await openRunning();
    await app.query(`INSERT INTO projects (name, user_id) VALUES ('Organ', $1)`, [account.id]);
    await page.reload();
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'Project: Guitar' }).click();
    await page.getByRole('menuitemradio', { name: 'Organ' }).click();
    await timer.getByRole('button', { name: 'Project: Organ' }).waitFor();
    await timer.getByRole('button', { name: 'Stop' }).click();
    await timer.getByRole('textbox', { name: 'Note' }).fill('Fugue');
    await timer.getByRole('button', { name: 'Start next' }).click();
    await timer.getByRole('combobox').fill('gui');
    await timer.getByRole('option', { name: /^Guitar/ }).waitFor();
    await timer.getByRole('combobox').press('Enter');
    await page.getByRole('timer', { name: 'Guitar' }).waitFor();
    await timer.getByRole('button', { name: 'Stop' }).click();
    await timer.getByText(/^Only \d+ s of Guitar\. Keep it\?$/).waitFor();
    await timer.getByRole('button', { name: 'Discard' }).click();
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
    const records = () =>
      app.query(
        `SELECT p.name, s.note FROM study_sessions s JOIN projects p ON p.id = s.project_id WHERE s.user_id = $1`,
        [account.id],
      );
    await expect.poll(records).toEqual([{ name: 'Organ', note: 'Fugue' }]);
  });

  test('stopped within a minute is discarded after ten seconds without an answer', async () => {
    const { page, account } = await openRunning();
    const timer = page.getByRole('region', { name: 'Timer' });
    await begin(account, 20);
    await page.reload();
    await timer.getByRole('button', { name: 'Stop' }).click();
    await timer.getByText(/^Only 2\d s of Guitar\. Keep it\?$/).waitFor();
    expect(await recordsOf(account)).toHaveLength(1);
    await expect.poll(() => recordsOf(account), { timeout: 15_000 }).toEqual([]);
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });

  test.each([
    ['is discarded by the next page', '', 0],
    [
      'stays if it is longer by then',
      `UPDATE study_sessions SET ended_at = ended_at + interval '1 hour' WHERE user_id = $1`,
      1,
    ],
  ])('stopped within a minute, its page closed before the answer: the record %s', async (_name, change, kept) => {
    const { page, context, account } = await openRunning();
    await begin(account, 20);
    await page.reload();
    await page.getByRole('region', { name: 'Timer' }).getByRole('button', { name: 'Stop' }).click();
    const finished = 'SELECT id FROM study_sessions WHERE user_id = $1 AND ended_at IS NOT NULL';
    await expect.poll(() => app.query(finished, [account.id])).toHaveLength(1);
    const stored = `studytrack.asked.${account.id}`;
    await expect.poll(() => page.evaluate(`localStorage.getItem('${stored}')`)).not.toBeNull();
    await page.close();
    if (change !== '') await app.query(change, [account.id]);
    const next = await context.newPage();
    await next.addInitScript(`{
      const asked = JSON.parse(localStorage.getItem('${stored}'));
      if (asked !== null) localStorage.setItem('${stored}', JSON.stringify({ ...asked, at: 0 }));
    }`);
    await next.goto(app.origin);
    await expect.poll(() => next.evaluate(`localStorage.getItem('${stored}')`)).toBeNull();
    expect(await recordsOf(account)).toHaveLength(kept);
  });

  test('left running can be shortened or kept', async () => {
    const { page, account, id } = await openRunning();
    await app.query('DELETE FROM study_sessions WHERE user_id = $1', [account.id]);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone, auto_stopped)
       SELECT $1, (SELECT user_id FROM projects WHERE id = $2), $2, day, day + interval '12 hours', '', 'timer', 'UTC', true
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
