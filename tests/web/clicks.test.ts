import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const most = 3;

/** Counts clicks; typing a value is one more. */
function createClicks(page: Page) {
  let count = 0;
  const act = async (done: Promise<void>) => {
    await done;
    count += 1;
    expect(count).toBeLessThanOrEqual(most);
  };
  return {
    click: (what: Locator) => act(what.click()),
    fill: (label: string, text: string) => act(page.getByRole('textbox', { name: label }).fill(text)),
  };
}

describe.skipIf(noBrowser)(`at most ${most} clicks from the first page ${noBrowser || ''}`, () => {
  let app: WebApp;
  let teacher: Account;
  let student: Account;
  beforeAll(async () => {
    app = await startWebApp();
    teacher = await app.createAccount({ role: 'admin' });
    student = await app.createAccount({ display_name: 'Ann' });
    const owner = app.as(await app.createUser({ role: 'admin' }));
    await owner.post('/api/admin/groups', { name: 'Class 3b', user_ids: [student.id] }).expect(201);
    const due_date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const goal = { target_hours: 100, target_scope: 'each', due_date } as const;
    const id = await createProject(app, await app.createUser({ role: 'admin' }), 'Algebra', 'active', goal);
    await owner.put(`/api/projects/${id}`, { assigned_user_ids: [student.id] }).expect(200);
    const tenDaysAgo = `now() - interval '10 days'`;
    await app.query(`UPDATE project_assignments SET assigned_at = ${tenDaysAgo} WHERE project_id = $1`, [id]);
    await app.query(`UPDATE projects SET plan_started_at = ${tenDaysAgo} WHERE id = $1`, [id]);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, user_id, id, now() - interval '10 days', now() - interval '239 hours', '', 'manual', 'UTC' FROM projects WHERE id = $2`,
      [student.id, id],
    );
  });
  afterAll(() => app?.stop());

  async function open(account: Account) {
    const { page } = await app.openAs(account);
    return { page, ...createClicks(page) };
  }
  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).first();

  test('two weeks of a class are compared', async () => {
    const { page, click } = await open(teacher);
    await click(link(page, 'Class 3b'));
    await click(link(page, 'Compare'));
    await page.getByRole('heading', { name: 'Each student, both periods' }).waitFor();
  });

  test('a student is late, and why is on the page', async () => {
    const { page, click } = await open(teacher);
    await click(page.getByRole('table').getByRole('link', { name: 'Ann', exact: true }).first());
    await page
      .getByText(/\d days late/)
      .first()
      .waitFor();
    // The sentence and the row of the only goal name the same figures.
    const textOf = async (text: RegExp) =>
      /needs (.+) a day\D+gets (.+)\./i.exec((await page.getByText(text).textContent()) ?? '');
    const [, ...ofRow] = (await textOf(/Needs .* a day, gets/)) ?? [];
    const [, ...ofSentence] = (await textOf(/it needs .* a day and gets/)) ?? [];
    expect(ofRow).toHaveLength(2);
    expect(ofSentence).toEqual(ofRow);
  });

  test('the reports of a class are printed', async () => {
    const { page, click } = await open(teacher);
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await click(link(page, 'Class 3b'));
    await click(page.getByRole('link', { name: 'Print reports' }));
    await page.getByRole('article', { name: /Ann$/ }).getByText('Algebra').waitFor();
    await click(page.getByRole('button', { name: 'Print', exact: true }));
    expect(await page.title()).toBe('printed');
  });

  test('a late student is written to', async () => {
    const { page } = await open(teacher);
    const mail = page.getByRole('row', { name: /Ann/ }).getByRole('link', { name: /Write/ });
    await expect.poll(() => mail.getAttribute('href')).toContain(student.email);
  });

  test('a request for a password is answered', async () => {
    await app.query(
      `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       VALUES ('Ann', $1, 'password_reset', 'I cannot sign in.', '192.0.2.1', 'test', now(), now())`,
      [student.email],
    );
    const { page, click } = await open(teacher);
    await click(page.getByRole('main').getByRole('link', { name: /^Reset/ }));
    await click(page.getByRole('button', { name: 'Create reset link' }));
    await page.getByRole('dialog', { name: 'Create reset link' }).getByRole('textbox').waitFor();
  });

  test('from the page of a class, a project is assigned to it', async () => {
    await createProject(app, { ...teacher, role: 'admin' }, 'Poetry');
    const { page, click } = await open(teacher);
    await page.goto('/admin/groups');
    await link(page, 'Class 3b').click();
    await click(page.getByRole('link', { name: 'Assign projects' }));
    await click(page.getByRole('row', { name: /Poetry/ }));
    await page.getByText(/^Staged: 1 added/).waitFor();
    await click(page.getByRole('button', { name: 'Apply' }));
    await page.getByText('Done: 1 added').waitFor();
  });

  test('from the accounts, a class is given to a teacher', async () => {
    const other = await app.createAccount({ role: 'admin', display_name: 'Li Na' });
    await app.query(`UPDATE users SET admin_scope = 'groups' WHERE id = $1`, [other.id]);
    const { page, click } = await open(teacher);
    await page.goto('/admin/users');
    await click(page.getByRole('row', { name: /Li Na/ }).getByRole('link', { name: '0 classes' }));
    await click(page.getByRole('button', { name: 'Class 3b' }));
    await click(page.getByRole('button', { name: 'Save access' }));
    await expect
      .poll(() => app.query('SELECT count(*)::int FROM admin_groups WHERE user_id = $1', [other.id]))
      .toEqual([{ count: 1 }]);
  });

  test('a weekly goal in all is set, and Today shows it', async () => {
    const { page, click, fill } = await open(student);
    await click(link(page, 'Set a goal'));
    await fill('Weekly goal, hours', '7.5');
    const save = page.getByRole('button', { name: 'Save' }).first();
    await click(save);
    await page.getByText('Saved.').waitFor();
    const tops = await Promise.all(
      [save, page.getByText('Saved.')].map(async (shown) => (await shown.boundingBox())?.y ?? 0),
    );
    expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 999)), 'beside the button').toBeLessThan(20);
    const saved = await app.query('SELECT weekly_goal_minutes FROM users WHERE id = $1', [student.id]);
    expect(saved).toEqual([{ weekly_goal_minutes: 450 }]);
    await page.goto('/');
    await link(page, 'goal 7 h 30').waitFor();
  });

  test('other devices are signed out', async () => {
    const { page: other } = await app.openAs(student);
    const { page, click } = await open(student);
    await click(page.getByRole('button', { name: /^Account/ }));
    await click(page.getByRole('menuitem', { name: 'Password and sign-ins' }));
    await click(page.getByRole('button', { name: 'Sign out everywhere else' }));
    await page.getByText('Signed out everywhere else.').waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});
