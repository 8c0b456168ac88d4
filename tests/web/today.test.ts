import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`today ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('the week counts each of its records, and nothing is said of the day before they are there', async () => {
    const account = await app.createAccount();
    // The week began four days ago.
    await app.query(
      `UPDATE users SET week_start = extract(dow FROM now() AT TIME ZONE 'UTC' - interval '4 days') WHERE id = $1`,
      [account.id],
    );
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id) VALUES ('Algebra', $1) RETURNING id)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, project.id, t, t + interval '10 minutes', '', 'manual', 'UTC'
       FROM project, generate_series(now() - interval '3010 minutes', now() - interval '30 minutes', '20 minutes') t`,
      [account.id],
    );
    const context = await app.openContext();
    await context.addInitScript(`new MutationObserver(() => {
      window.saidNothing ||= document.body?.innerText.includes('Nothing recorded yet today');
    }).observe(document, { childList: true, subtree: true })`);
    const others = new Set(['/api/dashboard', '/api/stats', '/api/projects']);
    context.on('response', (response) => others.delete(new URL(response.url()).pathname));
    await context.route('**/api/sessions?*from=*', async (route) => {
      await expect.poll(() => others.size).toBe(0);
      await route.continue();
    });
    const { page, problems } = await app.openPage(context);
    await signInOn(page, account);
    const week = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'This week' }) });
    await week.getByText('25 h').waitFor(); // 150 records
    expect([await page.evaluate('window.saidNothing'), problems]).toEqual([false, []]);
  });

  test('the weekly goal is the reader’s own, without those of all users of a project together', async () => {
    const [account, teacher] = [await app.createAccount(), await app.createAccount({ role: 'admin' })];
    await app.query(
      `WITH project AS (
         INSERT INTO projects (name, user_id, target_scope, weekly_goal_hours)
         VALUES ('Own', $1, 'shared', 2), ('Class', $2, 'shared', 30), ('Of each', $2, 'each', 3)
         RETURNING id, user_id, created_at),
       assigned AS (
         INSERT INTO project_assignments (project_id, user_id, owner_id, project_created_at, position)
         SELECT id, $1, user_id, created_at, 1 FROM project WHERE user_id = $2)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, now() - interval '3 hours', now() - interval '2 hours', '', 'manual', 'UTC'
       FROM project WHERE user_id = $1`,
      [account.id, teacher.id],
    );
    const { page } = await app.openAs(account);
    const week = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'This week' }) });
    await week.getByText('goal 5 h', { exact: true }).waitFor();
  });

  test('the plan begins with the project that asks most of today, and a goal without a target claims nothing', async () => {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (
         INSERT INTO projects (name, user_id, target_hours, due_date)
         VALUES ('Reached', $1, 1, current_date + 3), ('Later', $1, 90, current_date + 30),
           ('Soon', $1, 9, current_date + 9), ('Piano', $1, 0, NULL)
         RETURNING id, name)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, now() - interval '50 hours', now() - interval '48 hours', '', 'manual', 'UTC'
       FROM project WHERE name = 'Reached'`,
      [account.id],
    );
    const { page } = await app.openAs(account);
    const plan = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { level: 2, name: /then you are done$/ }) });
    const rows = plan.getByRole('listitem');
    // Rows whose forecasts take longer than a second and a half are in the order of due dates: on a busy machine another try is needed.
    const readAgain = async () => {
      await page.reload();
      await rows.first().waitFor();
      return rows.getByRole('link').allTextContents();
    };
    await expect.poll(readAgain).toEqual(['Later', 'Soon', 'Reached', 'Piano']);
    await plan.getByRole('button', { name: 'Start Later', exact: true }).waitFor();
    expect(await rows.filter({ hasText: 'Later' }).textContent()).toMatch(/Due .*to go/s);
    expect(await rows.filter({ hasText: 'Piano' }).textContent()).not.toMatch(/done|target|track/i);
    // Nor does the page of a goal without a due date, of which nothing was studied today.
    await page.goto(`${app.origin}/projects`);
    await page.getByRole('link', { name: 'Piano' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Piano' }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/done for today|reached|100\s?%/i);
  });

  test('what is studied today leaves the plan; when nothing is left the day is done', async () => {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (
         INSERT INTO projects (name, user_id, target_hours, due_date) VALUES ('Algebra', $1, 10, current_date + 1)
         RETURNING id)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, now() - interval '20 minutes', now() - interval '10 minutes', '', 'manual', 'UTC' FROM project`,
      [account.id],
    );
    const { page } = await app.openAs(account);
    const day = page.getByRole('progressbar', { name: 'Share of the plan for today' });
    await expect.poll(() => day.getAttribute('aria-valuenow')).toBe('3'); // 10 of 300 minutes
    await page.getByRole('heading', { level: 2, name: '4 h 50 to go, then you are done' }).waitFor();
    const week = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'This week' }) });
    await week.getByRole('link', { name: /10 min$/ }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('day');
  });
});
