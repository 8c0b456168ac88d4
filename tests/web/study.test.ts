import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../support/records.ts';
import { createRunningClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`a student ${noBrowser || ''}`, () => {
  const clock = createRunningClock();
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());

  async function openStudent(project = 'Linear algebra', where = '/') {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id, target_hours) VALUES ($1, $2, 40) RETURNING id`,
      [project, account.id],
    );
    return { ...(await app.openAs(account, {}, where)), account, projectId: id };
  }

  test('creates a first project', async () => {
    const { page } = await app.openAs(await app.createAccount());
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('M');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must have at least 2 characters/i).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mechanics');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
  });

  test('continues with one click, and stops the timer in another tab', async () => {
    const { page, context, account } = await openStudent();
    await page.getByRole('button', { name: 'Start Linear algebra' }).click();
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'Stop' }).waitFor();
    const { page: other } = await app.openPage(context);
    await other.getByRole('region', { name: 'Timer' }).getByRole('textbox', { name: 'Note' }).fill('Chapter 3');
    await app.query(`UPDATE study_sessions SET started_at = started_at - interval '25 min' WHERE user_id = $1`, [
      account.id,
    ]);
    await other.getByRole('button', { name: 'Stop Linear algebra' }).first().click();
    await other.getByText('25 min saved to Linear algebra.').waitFor();
    await timer.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByText('Chapter 3').waitFor();
  });

  test('sees on the first page whether their own goals are on track, and no state of a shared target', async () => {
    const account = await app.createAccount();
    const owner = await app.createUser({ role: 'admin' });
    const due_date = new Date(clock().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const choir = await createProject(app, owner, 'Choir', 'active', { target_hours: 100, due_date });
    await app
      .as(owner)
      .post('/api/projects/batch-assign', { project_ids: [choir], user_ids: [account.id], assign_type: 'add' })
      .expect(200);
    const [{ id: projectId = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id, target_hours, due_date, plan_started_at)
       VALUES ('Linear algebra', $1, 40, $2, $3::timestamptz - interval '20 days') RETURNING id`,
      [account.id, due_date, clock()],
    );
    for (const [project, user, hours] of [
      [projectId, account.id, 2],
      [choir, account.id, 4],
      [choir, owner.id, 6],
    ] as const)
      await app.query(
        `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
         SELECT $1, (SELECT user_id FROM projects WHERE id = $2), $2, start, start + interval '1 hour', '', 'manual', 'UTC'
         FROM (SELECT $3::timestamptz - $4 * interval '1 hour' AS start) s`,
        [user, project, clock(), hours],
      );
    const { page } = await app.openAs(account);
    const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
    await row('Linear algebra')
      .getByText(/^Behind/)
      .waitFor();
    await row('Choir').getByText('Shared target').waitFor();
  });

  test('sees the correct time with a wrong device clock, and after sleep', async () => {
    const { page, account, projectId } = await openStudent();
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, $3, '', 'timer', 'UTC')`,
      [account.id, projectId, new Date(clock().getTime() - 600_000).toISOString()],
    );
    await page.clock.install({ time: clock().getTime() + 7_200_000 });
    await page.reload();
    const shown = page.getByRole('timer');
    await expect.poll(() => shown.textContent()).toMatch(/^0:1\d:\d\d$/);
    clock.advance(3_600_000);
    await page.clock.fastForward(3_600_000); // simulates sleep
    await expect.poll(() => shown.textContent()).toMatch(/^1:1\d:\d\d$/);
  });

  test('is sent to a new project first if a record is added without any', async () => {
    const { page } = await app.openAs(await app.createAccount(), {}, '/records?add');
    await page.getByText('Every record belongs to a project.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
  });

  test('saves no record while its duration cannot be read', async () => {
    const { page } = await openStudent('Guitar', '/records?view=list');
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByLabel('Date', { exact: true }).fill('20 Nov 2026');
    await page.getByLabel('Start').fill('18:00');
    const duration = page.getByRole('textbox', { name: 'Duration' });
    for (const text of ['abc', '1:75', '2 hourz']) {
      await duration.fill(text);
      await page.getByLabel('Note').press('Enter');
      await duration.and(page.locator(':focus')).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await duration.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await app.query('SELECT FROM study_sessions WHERE started_at < $1', ['2026-11-21Z'])).toEqual([]);
    await duration.fill('1：30');
    await duration.press('Enter');
    await page.getByText('18:00–19:30').waitFor();
  });

  test('saves no project while its target or due date cannot be read', async () => {
    const { page } = await openStudent('Guitar', '/projects/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Violin');
    const [target, due] = [page.getByLabel('Target hours'), page.getByLabel('Due')];
    await target.fill('0x10');
    await page.getByRole('button', { name: 'Save' }).click();
    await target.fill('1,000');
    await due.pressSequentially('12');
    await due.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await due.and(page.locator(':focus')).waitFor();
    expect(await app.query("SELECT FROM projects WHERE name = 'Violin'")).toEqual([]);
    await due.fill('2027-01-01');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Violin' }).waitFor();
    expect(await app.query("SELECT target_hours::text FROM projects WHERE name = 'Violin'")).toEqual([
      { target_hours: expect.stringMatching(/^1000(\.00)?$/) },
    ]);
  });

  test('the due date is chosen in a month by pointer or keys, and cleared', async () => {
    const { page, problems } = await openStudent('Guitar', '/projects/new');
    const due = page.getByLabel('Due');
    await due.fill('20/11/2026');
    await due.press('Tab');
    expect(await due.inputValue()).toBe('Fri 20 Nov 2026');
    await page.getByRole('button', { name: 'Select a date' }).click();
    await page.getByRole('button', { name: 'Friday, 20 November' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Enter');
    expect(await due.inputValue()).toBe('Sun 27 Dec 2026');
    await page.getByRole('button', { name: 'Select a date' }).and(page.locator(':focus')).click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('button', { name: 'Saturday, 9 January' }).click();
    expect(await due.inputValue()).toBe('Sat 9 Jan 2027');
    await page.getByRole('button', { name: 'Select a date' }).click();
    await page.getByRole('button', { name: 'No date' }).click();
    expect(await due.inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('adds a record by duration, corrects it inline, deletes it and undoes that', async () => {
    const { page } = await openStudent('Guitar', '/records?view=list');
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByLabel('Date', { exact: true }).fill('20 Nov 2026');
    await page.getByLabel('Start').fill('18:00');
    await page.getByRole('textbox', { name: 'Duration' }).fill('1h30');
    expect(await page.getByLabel('End').inputValue()).toBe('19:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('18:00–19:30').waitFor();
    await page.getByRole('button', { name: /^Edit record/ }).click();
    await page.getByLabel('End').fill('19:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('18:00–19:00').waitFor();
    await page.getByRole('button', { name: /^Delete record/ }).click();
    await page.getByText('18:00–19:00').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('18:00–19:00').waitFor();
  });

  test('deletes a project and undoes that', async () => {
    const { page, projectId } = await openStudent('Chess');
    await page.goto(`/projects/${projectId}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Chess was deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('article').getByRole('link', { name: 'Chess' }).waitFor();
  });
});
