import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`drafts of forms ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openWithProject(where = '/') {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    return { ...(await app.openAs(account, {}, where)), account, id };
  }

  test('survive a reload in each form, until submitted or discarded', async () => {
    const { page, id } = await openWithProject('/records?view=list');
    const ownName = page.getByRole('textbox', { name: 'Name', exact: true }).first(); // tokens also have names
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByRole('textbox', { name: 'Note' }).last().fill('Scales');
    await page.goto(`/projects/${id}/edit`);
    await page.getByRole('textbox', { name: 'Description' }).fill('Six strings');
    await page.goto('/me');
    await ownName.fill('Lin');

    await page.reload();
    await page.getByText('Your unsent input was restored.').waitFor();
    expect(await ownName.inputValue()).toBe('Lin');
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await ownName.inputValue()).not.toBe('Lin');

    await page.goto(`/projects/${id}/edit`);
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Six strings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Six strings').waitFor();

    await page.goto('/records?view=list');
    expect(await page.getByRole('textbox', { name: 'Note' }).last().inputValue()).toBe('Scales');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Add record' }).waitFor();
  });

  test('do not silently overwrite a change made after the form was opened', async () => {
    const { page, id } = await openWithProject();
    await page.goto(`/projects/${id}/edit`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await app.query(`UPDATE projects SET name = 'Theirs', updated_at = now() + interval '1 second' WHERE id = $1`, [
      id,
    ]);
    await page.reload();
    await page.getByText('Your unsent input was restored.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').or(page.getByRole('dialog')).first().waitFor();
    expect(await app.query('SELECT name FROM projects WHERE id = $1', [id])).toEqual([{ name: 'Theirs' }]);
  });

  test('survive an expired sign-in of the same user, and are deleted by signing out', async () => {
    const { page, context, account, id } = await openWithProject();
    await page.goto(`/projects/${id}/edit`);
    await page.getByRole('textbox', { name: 'Description' }).fill('Six strings');
    await context.clearCookies();
    await page.reload();
    await signInOn(page, account);
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Six strings');
    const drafts = () => page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes("draft"))');
    expect(await drafts()).toHaveLength(1);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await drafts()).toEqual([]);
  });
});
