import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the keyboard in menus, dialogs, messages and lists ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const focused = (page: Page) => page.locator(':focus');
  const textOf = (page: Page) => expect.poll(() => focused(page).textContent());

  test('arrows, Home, End and letters move in a menu, Escape and Tab leave it, and the focus returns', async () => {
    const { page, problems } = await app.openAs(await app.createAccount({ role: 'admin' }));
    const button = page.getByRole('button', { name: /^Account/ });
    const menu = page.getByRole('menu', { name: 'Account' });
    await button.press('Enter');
    await menu.waitFor();
    await textOf(page).toBe('Projects');
    await page.keyboard.press('ArrowUp');
    await textOf(page).toBe('Sign out');
    await page.keyboard.press('ArrowDown');
    await textOf(page).toBe('Projects');
    await page.keyboard.type('da');
    await textOf(page).toBe('Dark');
    await page.keyboard.press('End');
    await textOf(page).toBe('Sign out');
    await page.keyboard.press('Home');
    await textOf(page).toBe('Projects');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await button.and(focused(page)).count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await textOf(page).toBe('Sign out');
    await page.keyboard.press('Tab');
    await menu.waitFor({ state: 'detached' });
    await button.click();
    await menu.waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await menu.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('nothing of the page moves when a dialog opens', async () => {
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, '/admin/groups');
    const edge = () => page.evaluate(`document.querySelector('main').getBoundingClientRect().right`);
    await page.getByRole('heading', { name: 'Classes', level: 1 }).waitFor();
    const before = await edge();
    await page.getByRole('button', { name: 'New class' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await edge()).toBe(before);
  });

  test('a dialog closes with Escape or a press beside it, F6 reaches messages, and a range gets shorter', async () => {
    const { page, problems } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, '/admin/groups');
    for (const display_name of ['Ann', 'Ben', 'Cem']) await app.createAccount({ display_name });
    await page.getByRole('button', { name: 'New class' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Class 1');
    await page.keyboard.press('Enter');
    const add = page.getByRole('button', { name: 'Add members' });
    const dialog = page.getByRole('dialog');
    await add.click();
    await dialog.getByRole('searchbox').fill('a');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await add.and(focused(page)).count()).toBe(1);
    await add.press('Enter');
    await dialog.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
    await add.press('Enter');
    await dialog.getByRole('row', { name: 'Ann' }).focus();
    await page.keyboard.press('Space');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(`Shift+${key}`);
    await dialog.getByText('2 selected').waitFor();
    await page.keyboard.press('c');
    expect(await dialog.getByRole('row', { name: 'Cem' }).and(focused(page)).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Add 2 students' }).press('Enter');
    await page.getByText('2 members were added.').waitFor();
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Messages');
    await page.keyboard.press('Tab');
    await textOf(page).toBe('Undo');
    expect(problems).toEqual([]);
  });
});
