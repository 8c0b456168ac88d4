import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator manages accounts ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const openUsers = async (where = '/admin/users', look: Look = {}) =>
    app.openAs(await app.createAccount({ role: 'admin' }), look, where);
  const signIn = (username: string, password: string | null) =>
    app.anonymous.post('/api/auth/login', { username, password });
  const statusOf = async (id: number) =>
    (await app.query<{ status: string }>('SELECT status FROM users WHERE id = $1', [id]))[0]?.status;

  test('creates one, with errors at their fields, and shows the password once', async () => {
    const { page, problems } = await openUsers();
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create account' });
    await dialog.getByRole('textbox', { name: 'Username' }).fill('x');
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('xiao@example.org');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.locator('[aria-invalid]').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Username' }).fill('xiao');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText('One-time password', { exact: true }).waitFor();
    const password = await dialog.getByRole('definition').nth(1).textContent();
    await signIn('xiao', password).expect(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Accounts' }).getByText('xiao@example.org').waitFor();
    expect(problems).toEqual([]);
  });

  test('creates thirty from pasted text, reports taken names, and prints slips in both languages', async () => {
    const former = await app.createAccount({ username: 'pupil7', email: 'taken@example.org' });
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [former.id]); // only the service knows it
    await app.createAccount({ username: 'pupil8', email: 'other@example.org' });
    const { page } = await openUsers('/admin/users/new');
    const rows = Array.from({ length: 30 }, (_, n) => `Pupil ${n}\tpupil${n}@example.org`);
    const list = page.getByRole('textbox', { name: 'One user per line' });
    await list.fill(`${rows.join('\n')}\nno address`);
    await page.getByText('has no e-mail').waitFor();
    await page.getByText('is an account already').waitFor();
    await page.getByRole('combobox', { name: 'Class' }).selectOption('New class…');
    await page.getByRole('textbox', { name: 'Name of the new class' }).fill('Year 12');
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Create 29 accounts, skip 2' }).click();
    await page.getByText('1 account was not created.').waitFor();
    // The passwords are shown only once, so the result is read from its beginning.
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await expect.poll(() => page.locator('h1:focus').count()).toBe(1);
    expect(await page.getByText('一次性密码').count()).toBe(28);
    const members = await app.query(
      `SELECT count(*)::int AS count FROM group_members m JOIN groups g ON g.id = m.group_id WHERE g.name = 'Year 12'`,
    );
    expect(members).toEqual([{ count: 28 }]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('一次性密码').first().isVisible()).toBe(true);
    expect(await page.getByText('1 account was not created.').isVisible()).toBe(false);
    expect(await page.getByRole('img', { name: /^QR code of the sign-in page for Pupil/ }).count()).toBe(28);
    const password = await page.getByRole('definition').nth(1).textContent();
    await signIn('pupil0', password).expect(200);
    const { page: phone } = await app.openPage(await app.openContext(), '/sign-in?username=pupil0');
    const name = phone.getByRole('textbox', { name: 'Username or e-mail' });
    await expect.poll(() => name.inputValue()).toBe('pupil0');
    await expect.poll(() => phone.getByLabel('Password', { exact: true }).and(phone.locator(':focus')).count()).toBe(1);
  });

  test('resets, deactivates, activates and deletes after showing the consequences', async () => {
    const student = await app.createAccount({ username: 'zhao', display_name: 'Zhao Min' });
    const { page } = await openUsers('/admin/users?search=zhao');
    const choose = async (what: string) => {
      await page.getByRole('button', { name: 'Actions for Zhao Min' }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    const dialog = page.getByRole('dialog');
    await choose('Reset password');
    await dialog.getByText('All sign-ins of this account end at once.').waitFor();
    await dialog.getByRole('button', { name: 'Reset password' }).click();
    await dialog.getByText('One-time password', { exact: true }).waitFor();
    await signIn('zhao', await dialog.getByRole('definition').nth(1).textContent()).expect(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await choose('Deactivate');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await statusOf(student.id)).toBe('active');
    await choose('Deactivate');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Zhao Min is deactivated.').waitFor();
    expect(await statusOf(student.id)).toBe('inactive');
    await choose('Activate');
    await page.getByText('Zhao Min can sign in again.').waitFor();
    await choose('Delete');
    await dialog.getByText('Study records are kept without a name').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No user matches.').waitFor();
  });

  test('does not overwrite a change made meanwhile by somebody else', async () => {
    const student = await app.createAccount({ username: 'qian', display_name: 'Qian' });
    const { page } = await openUsers('/admin/users?search=qian');
    await page.getByRole('button', { name: 'Actions for Qian' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    const admin = await app.createUser({ role: 'admin' });
    await app.as(admin).put(`/api/admin/users/${student.id}`, { display_name: 'Qian Li' }).expect(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await statusOf(student.id)).toBe('active');
  });
});
