import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { createAccountWithTotp } from '../support/second-factor.ts';
import type { TestUser } from '../support/test-app.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator manages one account ${noBrowser || ''}`, () => {
  let app: WebApp;
  let other: TestUser;
  beforeAll(async () => {
    app = await startWebApp();
    other = await app.createUser({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  const open = async (where: string, look: Look = {}) =>
    app.openAs(await app.createAccount({ role: 'admin' }), look, where);
  const openUser = async ({ id }: Account) => (await open(`/admin/users/${id}`)).page;
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const row = async (id: number) =>
    (await app.query('SELECT username, email, display_name, role, status FROM users WHERE id = $1', [id]))[0];
  const signIn = (username: string, password: string | null) =>
    app.anonymous.post('/api/auth/login', { username, password });

  test('shows details and groups, and changes name, address and role', async () => {
    const student = await app.createAccount({ username: 'lin', display_name: 'Lin Wei' });
    const group = await app
      .as(other)
      .post('/api/admin/groups', { name: 'Class 3b', user_ids: [student.id] })
      .expect(201);
    const { page, problems } = await open('/admin/users?search=lin');
    await page.getByRole('link', { name: 'Lin Wei' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lin Wei' }).waitFor();
    await page.getByText('never', { exact: true }).waitFor();
    const link = page.getByRole('link', { name: 'Class 3b' });
    expect(await link.getAttribute('href')).toBe(`/admin/groups/${group.body.data.id}`);
    expect(await page.getByRole('link', { name: 'Progress' }).getAttribute('href')).toBe(
      `/admin/students/${student.id}`,
    );
    await field(page, 'Username').fill('x');
    await field(page, 'E-mail').fill('lin.wei@example.org');
    await button(page, 'Save').click();
    await page.locator('[aria-invalid]').waitFor();
    await field(page, 'Username').fill('linwei');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Administrator');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const changed = { username: 'linwei', email: 'lin.wei@example.org', role: 'admin' };
    expect(await row(student.id)).toMatchObject(changed);
    expect(problems).toEqual([]);
  });

  test('different fields changed by two administrators are merged, the same one is shown with both values', async () => {
    const student = await app.createAccount({ display_name: 'Wang' });
    const page = await openUser(student);
    const change = (fields: object) => app.as(other).put(`/api/admin/users/${student.id}`, fields).expect(200);
    await field(page, 'Name').fill('Wang Fang');
    await change({ email: 'wang@example.org' });
    await button(page, 'Save').click();
    await page.getByText('Changes made elsewhere were kept: E-mail.').waitFor();
    expect(await row(student.id)).toMatchObject({ display_name: 'Wang Fang', email: 'wang@example.org' });
    await change({ display_name: 'Fang Wang' });
    await field(page, 'Name').fill('Wang F.');
    await button(page, 'Save').click();
    const conflict = page.getByRole('dialog', { name: 'Changed elsewhere' });
    await conflict.getByRole('radio', { name: 'Yours Wang F.' }).waitFor();
    expect(await row(student.id)).toMatchObject({ display_name: 'Fang Wang' });
    await conflict.getByRole('radio', { name: 'The other Fang Wang' }).check();
    await conflict.getByRole('button', { name: 'Save' }).click();
    await conflict.waitFor({ state: 'detached' });
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Fang Wang');
    expect(await row(student.id)).toMatchObject({ display_name: 'Fang Wang', email: 'wang@example.org' });
  });

  test('shows a new password once, and disables the second factor', async () => {
    const student = await createAccountWithTotp(app, new Date(), { display_name: 'Zhao Min' });
    const page = await openUser(student);
    await button(page, 'Reset password').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reset password' }).click();
    await dialog.getByText('一次性密码').waitFor();
    const password = await dialog.getByRole('definition').nth(1).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('A one-time password that has not been changed yet.').waitFor();
    await signIn(student.username, password).expect(401);
    await button(page, 'Switch off').click();
    await dialog.getByText('make sure that the request is really theirs').waitFor();
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Two-step verification of Zhao Min is off.').waitFor();
    await page.getByText('Not set up.').waitFor();
    await signIn(student.username, password).expect(200);
  });

  test('deactivates and activates it, and shows the consequences of deleting it with numbers', async () => {
    const student = await app.createAccount({ display_name: 'Qian' });
    const own = await app.createUser();
    await createProject(app, { ...own, id: student.id }, 'Guitar');
    const assigned = await createProject(app, other, 'Algebra');
    await app
      .as(other)
      .post('/api/projects/batch-assign', { project_ids: [assigned], user_ids: [student.id], assign_type: 'add' })
      .expect(200);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, source, time_zone)
       SELECT $1, (SELECT user_id FROM projects WHERE id = $2), $2, day, day + interval '1 hour', 'manual', 'UTC'
       FROM generate_series('2026-11-01T08:00Z'::timestamptz, '2026-11-03T08:00Z', '1 day') day`,
      [student.id, assigned],
    );
    const page = await openUser(student);
    const dialog = page.getByRole('dialog');
    await button(page, 'Deactivate').click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Cannot sign in. Projects and records are kept.').waitFor();
    expect(await row(student.id)).toMatchObject({ status: 'inactive' });
    await button(page, 'Activate').click();
    await page.getByText('Can sign in.').waitFor();
    await button(page, 'Delete').click();
    await dialog.getByText('Study records3').waitFor();
    expect(await dialog.getByRole('definition').allTextContents()).toEqual(['3', '1', '1']);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.goto(`/admin/users/${student.id}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const records = await app.query('SELECT id FROM study_sessions WHERE project_id = $1', [assigned]);
    expect(records).toHaveLength(3);
  });

  test('administrators cannot lock themselves out, nor remove the last administrator', async () => {
    const admin = await app.createAccount({ role: 'admin', display_name: 'Head' });
    const { page } = await app.openAs(admin, {}, `/admin/users/${admin.id}`);
    await page.getByText('This is your own account.').waitFor();
    for (const name of ['Reset password', 'Deactivate', 'Delete']) {
      expect(await button(page, name).isDisabled()).toBe(true);
      expect(await button(page, name).getAttribute('aria-describedby')).toBe('own-account');
    }
    expect(await page.getByRole('combobox', { name: 'Role' }).isDisabled()).toBe(true);
    await field(page, 'Name').fill('Head teacher');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Account: Head teacher' }).waitFor();
    // The API also rejects removing the last administrator.
    await app.query(`UPDATE users SET status = 'inactive' WHERE role = 'admin' AND id <> $1`, [admin.id]);
    const { token } = (await signIn(admin.username, admin.password).expect(200)).body.data;
    const rejected = await app
      .as({ ...other, id: admin.id, token })
      .put(`/api/admin/users/${admin.id}`, { role: 'user' });
    await app.query(`UPDATE users SET status = 'active' WHERE role = 'admin'`);
    expect([rejected.status, rejected.body.error.code]).toEqual([409, 'LAST_ADMIN']);
  });

  test.each(looksOfFeature)('$language, $width px, both themes: accessible', async (look) => {
    const admin = await app.createAccount({ role: 'admin' });
    const student = await app.createAccount({ role: 'user' });
    await app
      .as(other)
      .post('/api/admin/groups', { name: `${look.width}`, user_ids: [student.id] })
      .expect(201);
    const { page, problems } = await app.openAs(admin, look, `/admin/users/${student.id}`);
    const found: Record<string, string[]> = {};
    const lookAt = async (name: string) => {
      await page.getByRole('definition').last().waitFor();
      found[name] = await findingsOf(page, look);
    };
    await page.locator('main dd a').waitFor();
    await lookAt('account');
    await page.locator('main button').last().click();
    await page.getByRole('dialog').getByRole('definition').last().waitFor();
    await lookAt('delete');
    await page.goto(`/admin/users/${admin.id}`);
    await page.locator('#own-account').waitFor();
    await lookAt('own');
    expect({ ...found, problems }).toEqual({ account: [], delete: [], own: [], problems: [] });
  });
});
