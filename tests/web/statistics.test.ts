import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock } from '../support/test-app.ts';
import { createStudent, friday } from '../support/web/student-of-week.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`statistics ${noBrowser || ''}`, () => {
  const clock = createTestClock(friday);
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());

  const figure = (page: Page, name: string) =>
    page.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: name }) });
  const card = (page: Page, name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) });

  test('shows the figures of a period compared with the one before; each chart has a table, and the period is in the URL', async () => {
    const { page, problems } = await app.openAs(await createStudent(app));
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await expect.poll(() => figure(page, 'Total').textContent()).toBe('Total time 7 h▲more: 7 h vs previous');
    expect(await figure(page, 'Study days').textContent()).toBe('Study days 4 of 89▲more: 4 days vs previous');
    expect(await figure(page, 'Longest streak ever').textContent()).toBe('Longest streak ever 3 daysstill going');
    expect(await figure(page, 'Average record').textContent()).toBe('Average record 1 h 454 records');
    const weeks = card(page, 'Hours per week');
    await weeks.getByRole('img', { name: 'Hours per week, 13 weeks; most in one week: 6 h' }).waitFor();
    expect(await weeks.getByRole('status').textContent()).toBe('Whole period7 hLinear algebra 6 hGuitar 1 h');
    await weeks.getByRole('button', { name: '16–20 Nov: 6 h, Linear algebra 6 h' }).focus();
    await expect.poll(() => weeks.getByRole('status').textContent()).toContain('16–20 Nov6 h');
    await weeks.getByRole('button', { name: 'By category' }).click();
    expect(await weeks.getByRole('status').textContent()).toBe('Whole period7 hAcademic 6 hHobby 1 h');
    await weeks.getByRole('button', { name: 'Table' }).click();
    await weeks.getByRole('row', { name: '16–20 Nov 6 h 6 h –' }).waitFor();
    const shares = card(page, 'By project').getByRole('listitem');
    expect(await shares.allTextContents()).toEqual(['Linear algebra6 h+6 h', 'Guitar1 h+1 h']);
    await card(page, 'By project').getByRole('button', { name: 'Table' }).click();
    await page.getByRole('row', { name: 'Linear algebra 6 h +6 h' }).waitFor();
    await card(page, 'What stands out').getByText('Linear algebra grew most').waitFor();
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await expect.poll(() => figure(page, 'Total').textContent()).toBe('Total time 6 h▲more: 5 h vs previous');
    await page.getByText('The period before counts up to this time').waitFor();
    await page.getByText('15 school days in this period, 14 in the one before.').waitFor();
    await page.getByRole('button', { name: 'Period before' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?period=month&on=2026-10-01');
    await expect.poll(() => figure(page, 'Total').textContent()).toBe('Total time 1 h▲more: 1 h vs previous');
    await page.getByText('1–31 Oct 2026', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the calendar is accessible by keyboard', async () => {
    const { page } = await app.openAs(await createStudent(app), {}, '/statistics');
    const calendar = page.getByRole('application', { name: /^Hours of each day/ });
    await page.getByText(/^Best day · \d+ \w{3} 2026: 2 h$/).waitFor();
    await calendar.press('ArrowLeft'); // starts at the last day
    await page.getByText('20 Nov 2026: 2 h').waitFor();
    await calendar.press('ArrowUp');
    await page.getByText('19 Nov 2026: 2 h').waitFor();
    await calendar.press('ArrowLeft');
    await page.getByText('12 Nov 2026: nothing').waitFor();
  });

  test('a day, or a range selected with Shift, links to its records', async () => {
    const { page, problems } = await app.openAs(await createStudent(app), {}, '/statistics');
    const calendar = page.getByRole('application', { name: /^Hours of each day/ });
    for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowUp']) await calendar.press(key);
    await page.getByText('18 Nov 2026 to 19 Nov 2026: 4 h').waitFor();
    await calendar.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?view=list&from=2026-11-18&to=2026-11-19');
    const days = page.getByRole('region').filter({ has: page.getByRole('heading', { level: 3 }) });
    await expect.poll(() => days.count()).toBe(2);
    await page.getByLabel('To', { exact: true }).fill('2026-11-18');
    await expect.poll(() => days.count()).toBe(1);
    await page.getByLabel('From', { exact: true }).fill('2026-11-17');
    await page.getByLabel('To', { exact: true }).fill('2026-11-17');
    await page.getByText('Nothing recorded on these days.').waitFor();
    await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('All days');
    await expect.poll(() => days.count()).toBe(4);
    expect(new URL(page.url()).search).toBe('?view=list');
    expect(problems).toEqual([]);
  });

  test('the records of a day use the reader’s start of the day, and include those that started the day before', async () => {
    const account = await createStudent(app, { timezone: 'Asia/Shanghai' });
    await app.query('UPDATE users SET day_start_hour = 4 WHERE id = $1', [account.id]);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, min(user_id), min(id), started_at::timestamptz, ended_at::timestamptz, note, 'manual', 'Asia/Shanghai'
       FROM projects, (VALUES ('2026-11-10 03:30+08', '2026-11-10 04:30+08', 'runs past four'),
         ('2026-11-10 01:00+08', '2026-11-10 02:00+08', 'still the ninth'),
         ('2026-11-11 03:00+08', '2026-11-11 03:20+08', 'still the tenth')) r (started_at, ended_at, note)
       WHERE user_id = $1 GROUP BY started_at, ended_at, note`,
      [account.id],
    );
    const { page } = await app.openAs(account, {}, '/records?from=2026-11-10&to=2026-11-10');
    await page.getByText('still the tenth').waitFor();
    expect(await page.getByText('runs past four').count()).toBe(1);
    expect(await page.getByText('still the ninth').count()).toBe(0);
  });

  test('each figure explains how it is computed, according to the reader’s preferences', async () => {
    const account = await createStudent(app, { timezone: 'Asia/Shanghai' });
    await app.query('UPDATE users SET day_start_hour = 4, rest_weekdays = $2 WHERE id = $1', [account.id, [7]]);
    const { page, problems } = await app.openAs(account, {}, '/statistics');
    await page.getByRole('heading', { level: 2, name: 'Hours per week' }).waitFor();
    const questions = page.getByRole('button', { name: /^How is this counted/ });
    expect(await questions.count()).toBe(9);
    const question = page.getByRole('button', { name: 'How is this counted: Longest streak ever' });
    await question.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Longest streak ever' });
    await dialog.getByText('A day begins at 4:00, in the time zone Asia/Shanghai.').waitFor();
    await dialog.getByText('A record that runs past 4:00 is split between both days').waitFor();
    await dialog.getByText('Your rest days (Sunday)').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe('How is this counted: Longest streak ever');
    await page.goto('/');
    await page.getByRole('button', { name: 'How is this counted: This week' }).click();
    await page.getByText('since Monday, the first day of your week').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Linear algebra' }).first().click();
    await page.getByRole('button', { name: 'How is this counted: Streak' }).click();
    await page.getByText('Days on which the project is paused or completed').waitFor();
    expect(problems).toEqual([]);
  });

  test('are printed with name and dates, without navigation', async () => {
    const { page } = await app.openAs(await createStudent(app), {}, '/statistics');
    await page.getByRole('heading', { level: 2, name: 'Hours per week' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByText('24 Aug – 20 Nov 2026').last().waitFor();
    for (const hidden of ['navigation', 'button', 'combobox'] as const)
      expect(await page.getByRole(hidden).count()).toBe(0);
    await page.getByRole('application').waitFor();
  });

  test('without records link to the records page', async () => {
    const { page } = await app.openAs(await app.createAccount(), {}, '/statistics');
    await page.getByRole('link', { name: 'Go to the calendar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  });

  test('administrators see a student’s figures, students only their own', async () => {
    const student = await createStudent(app, { display_name: 'Lin Wei' });
    const admin = await app.createAccount({ role: 'admin' });
    const { page } = await app.openAs(admin, {}, `/statistics?user=${student.id}`);
    await page.getByRole('heading', { level: 1, name: 'Statistics of Lin Wei' }).waitFor();
    await expect.poll(() => figure(page, 'Total').textContent()).toContain('7 h');
    const { page: other } = await app.openAs(await app.createAccount(), {}, `/statistics?user=${student.id}`);
    await other.getByText('Statistics appear with your first record').waitFor();
  });
});
