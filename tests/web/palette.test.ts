import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rank } from '../../web/src/features/palette/match.ts';
import { initialsOf } from '../../web/src/features/palette/pinyin.ts';
import { clickLabel, type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe('pinyin initials', () => {
  test.each([
    ['线性代数', 'xxds'],
    ['王伟', 'ww'],
    ['高等数学 II', 'gdsxi'],
    ['概率论与数理统计', 'gllysltj'],
    ['操作系统', 'czxt'],
    ['欧阳娜娜', 'oynn'],
    ['Linear algebra', 'la'],
    ['C语言程序设计', 'cyycxsj'],
  ])('%s is found by %s', (name, letters) => {
    expect(rank(letters, [name])).toBe(2);
    expect(initialsOf(name)).toHaveLength(letters.length);
  });

  test('each initial covers the range up to its last character', () => {
    const ends = '奥布错舵讹赋过祸骏扩洛末糯怄曝群弱所拓误迅韵座';
    expect([...ends].map((last) => initialsOf(last)[0]?.[0]).join('')).toBe('abcdefghjklmnopqrstwxyz');
  });

  test('characters with two readings match both; prefixes rank first', () => {
    expect([rank('yy', ['音乐']), rank('yl', ['音乐'])]).toEqual([2, 2]);
    expect(rank('kj', ['会计学'])).toBe(2);
    expect(rank("x'x'd", ['线性代数'])).toBe(2); // during IME composition
    expect(rank('sx', ['高等数学'])).toBe(4);
    const found = ['lin', 'near', 'alg', 'gebra'].map((typed) => rank(typed, ['Linear algebra']));
    expect(found).toEqual([0, 3, 1, 3]);
    expect(rank('xyz', ['线性代数'])).toBeUndefined();
  });
});

describe.skipIf(noBrowser)(`search and shortcuts ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openStudent(projects: readonly string[], look: Look = {}, where = '/') {
    const account = await app.createAccount();
    await app.query(
      `INSERT INTO projects (name, user_id, target_hours) SELECT name, $1, 40 FROM unnest($2::text[]) name`,
      [account.id, projects],
    );
    return { ...(await app.openAs(account, look, where)), account };
  }
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  const palette = (page: Page) => page.getByRole('dialog', { name: /Search|搜索/ });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const focused = (page: Page) => page.locator(':focus');

  test('a record in one line: shown as understood, added with Enter, undone', async () => {
    const { page, account, problems } = await openStudent(['Piano', 'Physics']);
    const yesterday = new Date(Date.now() - 86_400_000);
    const records = () =>
      app.query('SELECT started_at, ended_at, note FROM study_sessions WHERE user_id = $1', [account.id]);
    await heading(page, 'Today');
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').fill('piano scales 45m yesterday 18:00');
    const parts = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
    const shown = new Intl.DateTimeFormat('en-GB', parts).format(yesterday).replace(',', '');
    const name = `Piano: 45 min, ${shown}, 18:00–18:45, “scales”`;
    await palette(page).getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('45 min added to Piano').waitFor();
    const at = (time: string) => `${yesterday.toISOString().slice(0, 10)}T${time}:00.000Z`;
    const times = { started_at: at('18:00'), ended_at: at('18:45') };
    expect(JSON.parse(JSON.stringify(await records()))).toEqual([{ ...times, note: 'scales' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(records).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('finds projects by three letters, and pages, themes and languages by name in both languages', async () => {
    const { page, problems } = await openStudent(['Linear algebra', 'Guitar']);
    await heading(page, 'Today');
    await page.keyboard.press('/');
    await page.keyboard.type('lin');
    await palette(page).getByRole('option', { name: 'Linear algebra Project' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Linear algebra');
    await expect.poll(() => focused(page).textContent()).toBe('Linear algebra');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('dark');
    await palette(page)
      .getByRole('option', { name: /^Theme: dark/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('统计');
    await palette(page)
      .getByRole('option', { name: /^Statistics/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Statistics');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('chinese');
    await palette(page)
      .getByRole('option', { name: /Language: Chinese/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await heading(page, '统计');
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('finds Chinese names by initials; Enter that ends an IME composition selects nothing', async () => {
    const { page, context } = await openStudent(['线性代数', '钢琴'], { language: 'zh' });
    await heading(page, '今天');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xxds');
    await palette(page).getByRole('option', { name: '线性代数 项目' }).waitFor();
    await page.keyboard.press('Control+a');
    const input = await context.newCDPSession(page);
    await input.send('Input.imeSetComposition', { text: 'gq', selectionStart: 2, selectionEnd: 2 });
    await palette(page).getByRole('option', { name: /^钢琴/ }).waitFor();
    await page.keyboard.press('Enter');
    expect(pathOf(page)).toBe('/');
    expect(await palette(page).isVisible()).toBe(true);
    await input.send('Input.insertText', { text: '钢琴' });
    await palette(page).getByRole('option', { name: /^钢琴/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, '钢琴');
  });

  test('administrators find users, page commands, and projects beyond the first hundred', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { id } = await app.createAccount({ display_name: '王伟' });
    await app.query(
      `INSERT INTO projects (name, user_id, updated_at) SELECT 'Many ' || n, $1, now() - n * interval '1 hour'
       FROM generate_series(1, 130) n`,
      [admin.id],
    );
    await app.query(
      `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       VALUES ('Mei', 'mei@example.org', 'other', 'Hello', '192.0.2.1', 'test', now(), now())`,
    );
    const { page, problems } = await app.openAs(admin, {}, '/admin/inbox');
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 2, name: /Other/ }).waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('option', { name: 'Resolve and go on e' }).waitFor();
    await page.keyboard.type('Many 13');
    await palette(page).getByRole('option', { name: 'Many 130 Project' }).waitFor();
    expect(await palette(page).getByRole('option').count()).toBeLessThanOrEqual(24);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('ww');
    await palette(page).getByRole('option', { name: '王伟 Student' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, '王伟');
    await expect.poll(() => pathOf(page)).toBe(`/admin/students/${id}`);
    expect(problems).toEqual([]);
  });

  test('single-key shortcuts work outside of text fields and dialogs', async () => {
    const { page, problems } = await openStudent(['Guitar']);
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('status').getByText('Running: Guitar').waitFor();
    await page.keyboard.press('-');
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^0:1[5-9]:/);
    await timer.getByRole('textbox', { name: 'Note' }).focus();
    await page.keyboard.type('s-r/g');
    expect(await timer.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('s-r/g');
    await page.keyboard.press('Control+k'); // also from a text field
    await page.keyboard.type('?'); // typed into the dialog, not a shortcut
    await expect.poll(() => palette(page).getByRole('combobox').inputValue()).toBe('?');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('s');
    await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Note');
    await page.getByRole('heading', { level: 1 }).click();
    await Promise.all(['g', 'p'].map((key) => page.keyboard.press(key))); // concurrently: the sequence times out quickly
    await heading(page, 'Projects');
    await page.keyboard.press('?');
    await heading(page, 'Help');
    await page.getByText('Start the timer 15 minutes earlier').waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => focused(page).inputValue()).toBe('1 h');
    await expect.poll(() => new URL(page.url()).search).toBe('?add');
    expect(problems).toEqual([]);
  });

  test('disabled shortcuts stay disabled after a reload, except Ctrl K', async () => {
    const { page } = await openStudent(['Guitar'], {}, '/me');
    await clickLabel(page.getByRole('checkbox', { name: 'Single-key shortcuts' }));
    await page.reload();
    await heading(page, 'Settings');
    for (const key of ['s', '?', 'g', 'p', '/']) await page.keyboard.press(key);
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    expect(pathOf(page)).toBe('/me');
    await page.keyboard.type('shortcuts');
    await palette(page)
      .getByRole('option', { name: /^Keyboard shortcuts/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Single-key shortcuts are switched off. Ctrl K still works.').waitFor();
  });
});
