import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`concurrent changes in two tabs ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  /** Opens the same page of a user's project in two tabs. */
  async function openTwo(where: (id: number) => string, ready: (page: Page) => Promise<unknown>) {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, '2026-11-20T18:00Z', '2026-11-20T19:00Z', 'Scales', 'manual', 'UTC')`,
      [account.id, id],
    );
    const { page, context } = await app.openAs(account, { isLive: false }, where(id));
    const { page: other } = await app.openPage(context, where(id));
    await ready(page);
    await ready(other);
    return { page, other, account, id, context };
  }

  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const save = (page: Page) => page.getByRole('button', { name: 'Save' }).first().click();
  const project = (id: number) => app.query('SELECT name, description FROM projects WHERE id = $1', [id]);

  async function openProjects() {
    const opened = await openTwo(
      (id) => `/projects/${id}/edit`,
      (page) => field(page, 'Name').waitFor(),
    );
    await field(opened.page, 'Description').fill('Six strings');
    await field(opened.other, 'Name').fill('Bass');
    await save(opened.other);
    await opened.other.getByRole('heading', { level: 1, name: 'Bass', exact: true }).waitFor();
    return opened;
  }

  test('different fields of a project are merged, with a notice', async () => {
    const { page, id } = await openProjects();
    await save(page);
    await page.getByText('Changes made elsewhere were kept: Name.').waitFor();
    expect(await project(id)).toEqual([{ name: 'Bass', description: 'Six strings' }]);
  });

  test.each([
    ['Yours', 'Banjo'],
    ['The other', 'Bass'],
  ])('the same field of a project is shown with both values: %s', async (choice, name) => {
    const { page, id } = await openProjects();
    await field(page, 'Name').fill('Banjo');
    await save(page);
    const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' });
    await dialog.getByRole('radio', { name: 'Yours Banjo' }).waitFor();
    expect(await project(id)).toEqual([{ name: 'Bass', description: '' }]);
    await dialog.getByRole('radio', { name: choice }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(await project(id)).toEqual([{ name, description: 'Six strings' }]);
  });

  test('a change whose response was lost is not reported as a conflict', async () => {
    const { page, context, id } = await openTwo(
      (of) => `/projects/${of}/edit`,
      (tab) => field(tab, 'Name').waitFor(),
    );
    await context.route(
      /\/api\/projects\/\d+$/,
      async (route) => {
        if (route.request().method() === 'PUT') await route.fetch();
        await (route.request().method() === 'PUT' ? route.abort() : route.fallback());
      },
      { times: 1 },
    );
    await field(page, 'Name').fill('Bass');
    await save(page);
    await page.getByRole('alert').waitFor();
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Bass', exact: true }).waitFor();
    expect(await project(id)).toEqual([{ name: 'Bass', description: '' }]);
  });

  test('a record: different fields are merged, the same one is shown with both values', async () => {
    const { page, other, account } = await openTwo(
      () => '/records?view=list',
      (tab) => tab.getByText('Scales').waitFor(),
    );
    const edit = (tab: Page) => tab.getByRole('button', { name: /^Edit record/ }).click();
    const form = (tab: Page) => tab.locator('form').filter({ has: tab.getByLabel('Start') });
    const change = async (tab: Page, label: string, value: string) => {
      await form(tab).getByLabel(label).fill(value);
      await form(tab).getByRole('button', { name: 'Save' }).click();
    };
    const record = () => app.query('SELECT note, ended_at FROM study_sessions WHERE user_id = $1', [account.id]);
    await edit(page);
    await edit(other);
    await change(other, 'End', '19:30');
    await form(other).waitFor({ state: 'detached' });
    await change(page, 'Note', 'Chords');
    await page.getByText('Changes made elsewhere were kept: End.').waitFor();
    expect(await record()).toEqual([{ note: 'Chords', ended_at: '2026-11-20T19:30:00.000Z' }]);

    await other.getByText('Chords').waitFor();
    await edit(page);
    await edit(other);
    await change(other, 'Note', 'Songs');
    await form(other).waitFor({ state: 'detached' });
    await change(page, 'Note', 'Riffs');
    const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' });
    await dialog.getByRole('radio', { name: 'Yours Riffs' }).waitFor();
    await dialog.getByRole('radio', { name: 'The other Songs' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await form(page).waitFor({ state: 'detached' });
    expect(await record()).toMatchObject([{ note: 'Songs' }]);
  });

  test('a profile: different fields are merged, the same one is shown with both values', async () => {
    const ownName = (tab: Page) => field(tab, 'Name').first(); // tokens also have names
    const { page, other, account } = await openTwo(
      () => '/me',
      (tab) => ownName(tab).waitFor(),
    );
    const profile = () => app.query('SELECT display_name, daily_goal_minutes FROM users WHERE id = $1', [account.id]);
    await other.goto('/me/study');
    await field(other, 'Daily goal, minutes').fill('30');
    await save(other);
    await other.getByText('Saved.').waitFor();
    await other.goto('/me');
    await ownName(other).waitFor();
    await ownName(page).fill('Lin');
    await save(page);
    await page.getByText('Changes made elsewhere were kept: Daily goal.').waitFor();
    expect(await profile()).toEqual([{ display_name: 'Lin', daily_goal_minutes: 30 }]);
    await ownName(other).fill('Wei');
    await save(other);
    await other.getByRole('dialog').getByRole('radio', { name: 'The other Lin' }).check();
    await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await profile()).toEqual([{ display_name: 'Lin', daily_goal_minutes: 30 }]);
  });

  test('a record changed elsewhere is not deleted; one already deleted is no error', async () => {
    const { page, account } = await openTwo(
      () => '/records?view=list',
      (tab) => tab.getByText('Scales').waitFor(),
    );
    const records = () => app.query('SELECT note FROM study_sessions WHERE user_id = $1', [account.id]);
    await page.clock.install();
    const remove = async () => {
      await page.getByRole('button', { name: /^Delete record/ }).click();
      await page.getByText('The record was deleted.').waitFor();
      await page.clock.runFor(10_000); // too late for Undo
    };
    await app.query(`UPDATE study_sessions SET note = 'Chords' WHERE user_id = $1`, [account.id]);
    await remove();
    await page.getByText('It was changed elsewhere and has not been deleted.').waitFor();
    await page.getByText('Chords').waitFor();
    expect(await records()).toEqual([{ note: 'Chords' }]);
    await app.query('DELETE FROM study_sessions WHERE user_id = $1', [account.id]);
    await remove();
    await page.getByText('Nothing recorded').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a project changed elsewhere is not deleted, unless only hours were added', async () => {
    const { page, id, account } = await openTwo(
      (of) => `/projects/${of}`,
      (tab) => tab.getByRole('button', { name: 'More', exact: true }).waitFor(),
    );
    const remove = async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    };
    const deleted = () => app.query('SELECT deleted_at IS NOT NULL AS deleted FROM projects WHERE id = $1', [id]);
    await app.query(`UPDATE projects SET description = 'Six strings' WHERE id = $1`, [id]);
    await remove();
    await page.getByText('It was changed elsewhere and has not been deleted.').waitFor();
    await page.getByText('Six strings').waitFor();
    expect(await deleted()).toEqual([{ deleted: false }]);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, '2026-11-19T18:00Z', '2026-11-19T19:00Z', '', 'manual', 'UTC')`,
      [account.id, id],
    );
    await remove();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expect(await deleted()).toEqual([{ deleted: true }]);
  });
});
