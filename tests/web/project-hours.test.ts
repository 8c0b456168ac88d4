import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { assign, createProject } from '../support/records.ts';
import type { TestUser } from '../support/test-app.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { type Look, noBrowser, startWebApp, textOf, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the hours of students by project ${noBrowser || ''}`, () => {
  let app: WebApp;
  let admin: Account;
  let owner: TestUser;
  let group: number;
  let algebra: number;

  /** Lin has both projects, Wang the first one; both are in a group, Zhao has nothing. Names are numbers, without language. */
  beforeAll(async () => {
    app = await startWebApp();
    owner = await app.createUser({ role: 'admin' });
    admin = await app.createAccount({ role: 'admin' });
    const lin = await app.createUser({ username: 'user901', display_name: '111' });
    const wang = await app.createUser({ username: 'user902', display_name: '222' });
    await app.createUser({ username: 'user903', display_name: '333' });
    algebra = await createProject(app, owner, '100', 'active', { target_hours: 40, due_date: '2020-01-31' });
    const piano = await createProject(app, owner, '200', 'paused');
    await assign(app, algebra, lin, wang);
    await assign(app, piano, lin);
    const body = { name: '3', user_ids: [lin.id, wang.id] };
    group = (await app.as(owner).post('/api/admin/groups', body).expect(201)).body.data.id;
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT u, (SELECT user_id FROM projects WHERE id = p), p, now() - at, now() - at + interval '90 minutes', '', 'manual', 'UTC'
       FROM unnest($1::bigint[], $2::bigint[], '{1 day,2 days,3 days,4 days}'::interval[]) AS r (u, p, at)`,
      [
        [lin.id, wang.id, wang.id, lin.id],
        [algebra, algebra, algebra, piano],
      ],
    );
  });
  afterAll(() => app?.stop());

  const open = (where = '/admin/students?view=projects', look: Look = {}) => app.openAs(admin, look, where);
  const table = (page: Page) => page.getByRole('table', { name: 'Hours of each student on each project' });
  const rows = async (page: Page) => {
    const texts = await table(page).locator('tbody tr').allTextContents();
    return texts.map((text) => text.slice(1)); // without the initial before the name
  };
  const search = (page: Page) => new URL(page.url()).search;

  test('keeps the filter of the list, and sorts by any project of a group', async () => {
    const { page, problems } = await open(`/admin/students?group_id=${group}`);
    await page.getByRole('button', { name: 'By project' }).click();
    await expect.poll(() => rows(page)).toEqual(['1113.01.51.5', '2223.03.0–not assigned']);
    const head = (name: RegExp) => table(page).getByRole('columnheader', { name });
    expect(await head(/^100/).textContent()).toBe('100target 40 hOverdue');
    expect(await head(/^200/).textContent()).toBe('200Paused');
    await head(/^100/).getByRole('button').click();
    await expect.poll(async () => (await rows(page)).map((text) => text.slice(0, 3))).toEqual(['222', '111']);
    expect(await head(/^100/).getAttribute('aria-sort')).toBe('descending');
    await head(/^100/).getByRole('button').press('Enter');
    await expect.poll(async () => (await rows(page)).map((text) => text.slice(0, 3))).toEqual(['111', '222']);
    expect(search(page)).toBe(`?view=projects&group_id=${group}&sort=project_hours&sort_project_id=${algebra}`);
    await page.reload();
    await head(/^100/).waitFor();
    expect(await head(/^100/).getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('combobox', { name: 'Class' }).selectOption('All classes');
    await expect.poll(() => rows(page)).toHaveLength(3);
    expect(await head(/^100/).getByRole('button').count()).toBe(0); // too slow for all students
    expect(await head(/^Name/).getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('searchbox', { name: 'Search students' }).fill('nobody');
    await page.getByText('No student matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows(page)).toHaveLength(3);
    expect(search(page)).toBe('?view=projects');
    await page.getByRole('link', { name: '111' }).click();
    await page.getByRole('heading', { level: 1, name: '111' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the column of names is sticky while scrolling', async () => {
    const { page } = await open();
    await table(page).waitFor();
    await page.setViewportSize({ width: 800, height: 800 });
    const link = page.getByRole('link', { name: '111' });
    const left = async () => (await link.boundingBox())?.x;
    const before = await left();
    const moved = await table(page).evaluate((element) => {
      const wide = element as unknown as { style: { width: string }; parentElement: { scrollLeft: number } };
      wide.style.width = '3000px';
      wide.parentElement.scrollLeft = 900;
      return wide.parentElement.scrollLeft;
    });
    expect(moved).toBe(900);
    expect(await left()).toBe(before);
  });

  test('is exported as CSV, and printed without navigation', async () => {
    const { page } = await open(`/admin/students?view=projects&group_id=${group}`);
    await table(page).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('studytrack-project-hours.csv');
    const lines = (await textOf(download)).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 8).join(' '))).toEqual([
      `"user901" "111" ${algebra} "100" "active" 40 1.5`,
      expect.stringMatching(/^"user901" "111" \d+ "200" "paused" 0 1.5$/),
      `"user902" "222" ${algebra} "100" "active" 40 3`,
    ]);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['navigation', 'combobox', 'searchbox'] as const)
      expect(await page.getByRole(hidden).count()).toBe(0);
    await page.getByText(/^3 · As of/).waitFor();
  });

  test.each(looksOfFeature)('$language, $width px, both themes: accessible', async (look) => {
    const { page, problems } = await open(`/admin/students?view=projects&group_id=${group}`, look);
    await page.getByRole('link', { name: '222' }).waitFor();
    if (look.width === 360) {
      // A card per student, without unassigned projects.
      const card = page.getByRole('row').filter({ has: page.getByRole('link', { name: '222' }) });
      expect(await card.getByRole('cell').filter({ visible: true }).allTextContents()).toEqual(['3.0', '3.0']);
    }
    expect([...(await findingsOf(page, look)), ...problems]).toEqual([]);
  });
});
