import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { clickLabel, type Look, noBrowser, startWebApp, textOf, type WebApp } from '../support/web/web-app.ts';

type Finding = { id: string; nodes: { html: string }[] };
declare const axe: { run: (options: object) => Promise<{ violations: Finding[] }> };

const desktop: Look = { language: 'en', theme: 'light', width: 1280 };
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe.skipIf(noBrowser)(`the progress of students ${noBrowser || ''}`, () => {
  let app: WebApp;
  let admin: Account;
  let axeSource: string;
  let group: number;
  let [lin, wang, zhao]: Account[] = [];
  let algebra: number;

  /** Lin studied one hour on each of the last 30 days before today, Wang two hours twelve days ago, Zhao never. */
  beforeAll(async () => {
    axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    app = await startWebApp();
    admin = await app.createAccount({ role: 'admin' });
    lin = await app.createAccount({ username: 'lin', display_name: 'Lin Wei', timezone: 'Asia/Shanghai' });
    wang = await app.createAccount({ username: 'wang', display_name: 'Wang Fang' });
    zhao = await app.createAccount({ username: 'zhao', display_name: 'Zhao Lei' });
    const head = app.as(await app.createUser({ role: 'admin' }));
    const body = { name: 'Class 3b', user_ids: [lin.id, wang.id] };
    group = (await head.post('/api/admin/groups', body).expect(201)).body.data.id;
    const fields = {
      category: 'academic',
      target_hours: 60,
      target_scope: 'each',
      assigned_user_ids: [lin.id, wang.id],
    };
    const create = async (name: string, more: object) =>
      (await head.post('/api/projects', { name, ...fields, ...more }).expect(201)).body.data.id;
    algebra = await create('Linear algebra', { due_date: '2020-01-31' });
    const piano = await create('Piano', { assigned_user_ids: [lin.id], due_date: null });
    await app.query(
      `WITH owner AS (SELECT user_id AS owner FROM projects WHERE id = $3)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1::bigint, owner, $3::bigint, at, at + interval '1 hour', 'Chapter 3', 'manual', 'Asia/Shanghai'
       FROM generate_series(now() - interval '30 days', now() - interval '1 day', '1 day') at, owner
       UNION ALL
       SELECT $1, owner, $4, at + interval '2 hours', at + interval '2 hours 30 minutes', '', 'manual', 'Asia/Shanghai'
       FROM generate_series(now() - interval '4 days', now() - interval '3 days', '1 day') at, owner
       UNION ALL
       SELECT $2, owner, $3, now() - interval '12 days', now() - interval '12 days' + interval '2 hours', '', 'manual', 'UTC' FROM owner`,
      [lin.id, wang.id, algebra, piano],
    );
  });
  afterAll(() => app?.stop());

  const open = (where: string, look: Look = desktop) => app.openAs(admin, look, where);
  const rows = (page: Page) => page.getByRole('table', { name: 'Students' }).locator('tbody tr');
  const names = (page: Page) => rows(page).getByRole('link').allTextContents();
  const search = (page: Page) => new URL(page.url()).search;

  test('the home page shows who needs attention and why, figures, and classes', async () => {
    const { page, problems } = await open('/');
    const attention = page.getByRole('table', { name: 'Needs attention' }).locator('tbody tr');
    await expect
      .poll(() => attention.allTextContents())
      .toEqual([
        expect.stringMatching(/Wang FangClass 3bSilent 1[12] days0 hWrite$/),
        expect.stringMatching(/Lin WeiClass 3bOverdue\d+(\.\d)? hWrite$/),
      ]);
    await page
      .getByRole('list', { name: 'Waiting for the first sign-in' })
      .getByRole('link', { name: 'Zhao Lei' })
      .waitFor();
    expect(await page.getByRole('link', { name: 'Write to Wang Fang' }).getAttribute('href')).toMatch(/^mailto:.+@/);
    const figures = page.locator('dl').first();
    await expect.poll(() => figures.textContent()).toMatch(/Studied today\d of 3/);
    await expect.poll(() => figures.textContent()).toContain('On track0 of 31 behind, 1 silent');
    const classes = page.getByRole('table', { name: 'Classes' }).locator('tbody tr');
    await expect.poll(() => classes.allTextContents()).toEqual([expect.stringMatching(/^Class 3b2/)]);
    await page.goto(`/?class=${group}`);
    await expect.poll(() => attention.count()).toBe(2);
    await attention.first().getByRole('cell').first().click();
    await page.getByRole('heading', { level: 1, name: 'Wang Fang' }).waitFor();
    await page.getByRole('link', { name: 'Students', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Students' }).waitFor();
    await app.query(`UPDATE users SET created_at = now() - interval '10 weeks'`);
    await page.goto('/');
    await expect.poll(() => figures.textContent()).toContain('On track0 of 3same as a week ago');
    await page.getByRole('img', { name: 'On track in the last weeks: 0, 0, 0, 0, 0, 0, 0, 0', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the hours of a class and their change are in the same units', async () => {
    const [record] = await app.query<{ id: number }>(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, user_id, id, now() - interval '7 days 40 minutes', now() - interval '7 days 20 minutes', '', 'manual', 'UTC'
       FROM projects WHERE id = $2 RETURNING id`,
      [wang?.id, algebra],
    );
    const { page } = await open('/admin/groups');
    const change = page.getByRole('row', { name: /Class 3b/ }).getByText(/^(less|more):/);
    await expect.poll(() => change.locator('..').textContent()).toMatch(/: ?(\d+ h( \d\d)?|\d+ min)$/);
    await app.query('DELETE FROM study_sessions WHERE id = $1', [record?.id]);
  });

  test('a card of the home page whose data cannot be read shows the error', async () => {
    const { page } = await app.openAs(admin);
    await page.route('**/api/admin/groups?*', (route) => route.abort());
    await page.reload();
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Classes', exact: true }) });
    await card.getByRole('alert').waitFor();
  });

  test('filters and sort order are in the URL, and survive a reload', async () => {
    const { page } = await open('/admin/students');
    const head = (name: string) => page.getByRole('columnheader', { name });
    const chip = (name: RegExp) => page.getByRole('button', { name });
    await expect.poll(() => names(page)).toEqual(['Lin Wei', 'Wang Fang', 'Zhao Lei']);
    expect(await head('Student').getAttribute('aria-sort')).toBe('ascending');
    for (const name of [/^Silent 7 days ?1$/, /^Overdue ?1$/, /^Without goals ?1$/, /^Studying now ?0$/])
      await chip(name).waitFor();
    await head('This week').getByRole('button').click();
    await expect.poll(() => names(page)).toEqual(['Lin Wei', 'Wang Fang', 'Zhao Lei']);
    await head('Last study').getByRole('button').click();
    await expect.poll(() => names(page)).toEqual(['Zhao Lei', 'Wang Fang', 'Lin Wei']);
    await page.getByRole('combobox', { name: 'Class' }).selectOption('Class 3b');
    await head('4 weeks').getByRole('button').click();
    await expect.poll(() => names(page)).toEqual(['Lin Wei', 'Wang Fang']);
    await head('4 weeks').getByRole('button').press('Enter');
    await expect.poll(() => names(page)).toEqual(['Wang Fang', 'Lin Wei']);
    await expect.poll(() => search(page)).toBe(`?group_id=${group}&sort=hours_28d`);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Wang Fang', 'Lin Wei']);
    expect(await head('4 weeks').getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('searchbox', { name: 'Search students' }).fill('lin');
    await expect.poll(() => names(page)).toEqual(['Lin Wei']);
    expect(await rows(page).textContent()).toMatch(/28 h\d+ daysOverdue 1(yesterday|today)$/);
    await page.getByRole('searchbox', { name: 'Search students' }).fill('nobody');
    await page.getByText('No student matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => names(page)).toHaveLength(3);
    await chip(/^Silent/).click();
    await expect.poll(() => names(page)).toEqual(['Wang Fang']);
    await expect.poll(() => search(page)).toContain('state=silent');
  });

  test('several students are selected with Shift, written to, assigned and added to a class', async () => {
    const { page } = await open('/admin/students');
    await expect.poll(() => names(page)).toHaveLength(3);
    await page.getByRole('checkbox', { name: 'Select Lin Wei' }).click();
    await page.getByRole('checkbox', { name: 'Select Zhao Lei' }).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected students' });
    await bar.getByText('3 selected').waitFor();
    const addresses = [lin, wang, zhao].map((student) => encodeURIComponent(student?.email ?? ''));
    await expect
      .poll(() => bar.getByRole('link', { name: 'Write to 3' }).getAttribute('href'))
      .toBe(`mailto:?bcc=${addresses.join(',')}`);
    await bar.getByRole('button', { name: 'Add to class' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to class' });
    await dialog.getByRole('button', { name: 'Add 3 students' }).click();
    await page.getByText('Added to Class 3b.').waitFor();
    await app.query('DELETE FROM group_members WHERE user_id = $1', [zhao?.id]);
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('checkbox', { name: 'Select Wang Fang' }).click();
    await bar.getByRole('link', { name: 'Assign projects' }).click();
    await page.getByText(/^2 of \d+ shown/).waitFor();
  });

  test('columns are in the address; a view is saved under a name, opened and deleted', async () => {
    const { page } = await open('/admin/students');
    await page.getByRole('button', { name: 'Columns' }).click();
    const panel = page.getByRole('group', { name: 'Columns' });
    await clickLabel(panel.getByRole('checkbox', { name: 'Streak' }));
    await clickLabel(panel.getByRole('checkbox', { name: 'Hours, total' }));
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('columnheader', { name: 'Streak' }).count()).toBe(0);
    await page.getByRole('columnheader', { name: 'Hours, total' }).getByRole('button').click();
    const address =
      '?columns=weeks%2Cthis_week%2Chours_28d%2Ctotal_hours%2Cgoals%2Clast_session&sort=total_hours&order=desc';
    await expect.poll(() => search(page)).toBe(address);
    await page.getByRole('button', { name: 'Save view' }).click();
    const views = page.getByRole('group', { name: 'Saved views' });
    await views.getByRole('textbox', { name: 'Name of the view' }).fill('Hours');
    await page.keyboard.press('Enter');
    await views.getByRole('link', { name: 'Hours' }).waitFor();
    await page.goto('/admin/students');
    await page.getByRole('columnheader', { name: 'Streak' }).waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    await views.getByRole('link', { name: 'Hours' }).click();
    await expect.poll(() => search(page)).toBe(address);
    await views.getByRole('button', { name: 'Delete the view Hours' }).click();
    await views.getByText('A view keeps filters').waitFor();
  });

  test('a press on a row opens the student', async () => {
    const { page } = await open('/admin/students');
    await rows(page).filter({ hasText: 'Wang Fang' }).getByRole('cell').last().click();
    await page.getByRole('heading', { level: 1, name: 'Wang Fang' }).waitFor();
  });

  test('the list is exported as CSV with its filters, and printed without navigation', async () => {
    const { page } = await open(`/admin/students?group_id=${group}`);
    await expect.poll(() => names(page)).toHaveLength(2);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('studytrack-students.csv');
    const lines = (await textOf(download)).trim().split('\r\n');
    expect(lines[0]).toContain('"user_id","username","display_name"');
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 5))).toEqual([
      ['"lin"', '"Lin Wei"', '"active"', '"Class 3b"'],
      ['"wang"', '"Wang Fang"', '"active"', '"Class 3b"'],
    ]);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['navigation', 'combobox', 'searchbox'] as const)
      expect(await page.getByRole(hidden).count()).toBe(0);
  });

  test('the export has the students of the list in its order', async () => {
    const { page } = await open('/admin/students?sort=total_hours');
    await expect.poll(() => names(page)).toEqual(['Zhao Lei', 'Wang Fang', 'Lin Wei']);
    const exported = async () => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const lines = (await textOf(await downloading)).trim().split('\r\n').slice(1);
      return lines.map((line) => line.split(',')[1]);
    };
    expect(await exported()).toEqual(['"zhao"', '"wang"', '"lin"']);
    await page.getByRole('button', { name: /^Silent/ }).click();
    await expect.poll(() => names(page)).toEqual(['Wang Fang']);
    expect(await exported()).toEqual(['"wang"']);
  });

  test('the page of a student shows figures in their time zone, goals beside the class, and paginated records', async () => {
    const { page, problems } = await open('/admin/students');
    await page.getByRole('link', { name: 'Lin Wei' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lin Wei' }).waitFor();
    await page.getByText(/1 of 3 in Students/).waitFor();
    await page.getByRole('heading', { level: 2, name: /^Studied on 2[78] of the last 28 days$/ }).waitFor();
    await expect
      .poll(() => page.locator('dl').textContent())
      .toMatch(/4 weeks2\d h.*Class median, 4 weeks1\d h.*Last sign-innever/);
    const goals = page.getByRole('list', { name: 'Goals' }).getByRole('listitem');
    await expect
      .poll(() => goals.allTextContents())
      .toEqual([
        expect.stringMatching(
          /^Linear algebraOverdueThe due date passed \d+ days ago\.30 h of 60 h30 h to go · 31 Jan$/,
        ),
        expect.stringMatching(/^Piano.*1 h of 60 h59 h to go · no due date$/),
      ]);
    const letter = await page.getByRole('link', { name: 'Write to Lin Wei' }).getAttribute('href');
    expect(decodeURIComponent(letter ?? '')).toMatch(
      /subject=About Linear algebra&body=Hello Lin Wei,.*Linear algebra: 30 h of 60 h/s,
    );
    await page.getByRole('button', { name: 'Next student' }).click();
    await page.getByRole('heading', { level: 1, name: 'Wang Fang' }).waitFor();
    await page.getByRole('button', { name: 'Previous student' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lin Wei' }).waitFor();
    await page.getByRole('link', { name: 'Records 32', exact: true }).click();
    const records = page.getByRole('list', { name: 'Records' });
    await expect.poll(() => records.getByRole('listitem').count()).toBe(20);
    expect(await records.getByRole('button').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Pages of Records' }).getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => records.getByRole('listitem').count()).toBe(12);
    await page.reload();
    await expect.poll(() => records.getByRole('listitem').count()).toBe(12);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['navigation', 'button', 'combobox'] as const)
      expect(await page.getByRole(hidden).count()).toBe(0);
    await page.emulateMedia({ media: null });
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/users/${lin?.id}`);
    expect(problems).toEqual([]);
  });

  test('a student without records, and an unknown one', async () => {
    const { page } = await open(`/admin/students/${zhao?.id}`);
    await page.getByRole('heading', { level: 2, name: 'Has never signed in' }).waitFor();
    await page.getByText('No projects are assigned yet.').waitFor();
    await page.goto('/admin/students/999999');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  });

  test('the last study is shown in the days of the student, wherever the reader is', async () => {
    const reader = await app.createAccount({ role: 'admin', timezone: 'Pacific/Pago_Pago' });
    const { page } = await app.openAs(reader, desktop, '/');
    const teuea = await app.createAccount({ username: 'teuea', display_name: 'Teuea', timezone: 'Pacific/Kiritimati' });
    // Ended half a minute into the student's day, which is 25 hours ahead of the reader's.
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, user_id, id, today.start - interval '1 hour', today.start + interval '30 seconds', '', 'manual', 'UTC'
       FROM projects, (SELECT date_trunc('day', now(), 'Pacific/Kiritimati') AS start) AS today WHERE id = $2`,
      [teuea.id, algebra],
    );
    await page.goto('/admin/students?search=teuea');
    await expect.poll(() => rows(page).textContent()).toMatch(/No goalstoday$/);
    await page.goto(`/admin/students/${teuea.id}`);
    await page.getByText('last study today').waitFor();
  });

  async function check(page: Page): Promise<{ violations: Finding[] }> {
    await page.evaluate(axeSource);
    return page.evaluate((values) => axe.run({ runOnly: { type: 'tag', values } }), tags);
  }

  test.each<Look>([
    desktop,
    { language: 'zh', theme: 'dark', width: 360 },
    { language: 'en', theme: 'light', width: 320 },
  ])('$language, $theme, $width px: no violation of WCAG 2.2 AA, no horizontal scrolling', async (look) => {
    const { page, problems } = await open('/admin/students', look);
    const found: string[] = [];
    for (const where of [
      '/admin/students',
      `/admin/students?group_id=${group}&sort=this_week`,
      `/admin/students/${lin?.id}`,
    ]) {
      await page.goto(where);
      await page.locator('main :is(table, svg[role=img])').first().waitFor();
      await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' }); // loading indicators
      const { violations } = look.width === 320 ? { violations: [] } : await check(page);
      const sideways = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      found.push(
        ...violations.map(({ id, nodes }) => `${where} ${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`),
      );
      if (sideways > 0) found.push(`${where} scrolls sideways by ${sideways} px`);
    }
    expect([...found, ...problems]).toEqual([]);
  });
});
