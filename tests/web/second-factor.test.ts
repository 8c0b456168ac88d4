import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createAccount } from '../support/accounts.ts';
import { codeAt } from '../support/second-factor.ts';
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const hour = 3_600_000;

describe.skipIf(noBrowser)(`a second factor ${noBrowser || ''}`, () => {
  const clock = createTestClock();
  let app: WebApp;
  /** Without REQUIRE_OTP, to create accounts. */
  let withoutRequirement: TestApp;
  beforeAll(async () => {
    app = await startWebApp({ clock, settings: { REQUIRE_OTP: 'admin' } });
    withoutRequirement = await startTestApp({ clock, databaseUrl: app.databaseUrl });
  });
  afterAll(async () => {
    await withoutRequirement?.stop();
    await app?.stop();
  });

  const card = (page: Page) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Two-step verification' }) });
  const code = (page: Page) => page.getByRole('textbox', { name: 'Code from your app' });

  /** Each code is accepted once. */
  function nextCode(secret: string): string {
    clock.advance(60_000);
    return codeAt(secret, clock());
  }

  async function setUp(page: Page, account: Account) {
    await card(page).getByLabel('Current password, to confirm').fill(account.password);
    await card(page).getByRole('button', { name: 'Set up' }).click();
    await card(page).getByRole('img', { name: 'QR code of the key' }).waitFor();
    const secret = (await card(page).locator('code').textContent()) ?? '';
    await code(page).fill('000000');
    await card(page).getByRole('button', { name: 'Switch on' }).click();
    await card(page).locator('[aria-invalid]').waitFor();
    await code(page).fill(nextCode(secret));
    await card(page).getByRole('button', { name: 'Switch on' }).click();
    await card(page).getByText('Keep these recovery codes in a safe place.').waitFor();
    return { secret, recoveryCodes: await card(page).locator('code').allTextContents() };
  }

  async function signInWith(page: Page, account: Account, otp: string) {
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await code(page).fill(otp);
    await code(page).press('Enter');
  }
  async function signOut(page: Page) {
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  const today = (page: Page) => page.getByRole('heading', { level: 1, name: 'Today' });

  test('is enabled, requested, replaced by a recovery code, and disabled', async () => {
    const account = await createAccount(withoutRequirement);
    const { page, problems } = await app.openAs(account, {}, '/me/sign-in');
    const { secret, recoveryCodes } = await setUp(page, account);
    expect(recoveryCodes.length).toBeGreaterThan(5);

    await signOut(page);
    await signInWith(page, account, '000000');
    await page.getByRole('alert').waitFor();
    await code(page).fill(nextCode(secret));
    await code(page).press('Enter');
    await today(page).waitFor();

    await signOut(page);
    const [first = ''] = recoveryCodes;
    await signInWith(page, account, first);
    await today(page).waitFor();
    await signOut(page);
    await signInWith(page, account, first); // used up
    await page.getByRole('alert').waitFor();
    await code(page).fill(nextCode(secret));
    await code(page).press('Enter');
    await today(page).waitFor();

    await page.goto('/me/sign-in');
    await card(page).getByLabel('Current password, to confirm').fill(account.password);
    await code(page).fill(nextCode(secret));
    await card(page).getByRole('button', { name: 'Switch off' }).click();
    await card(page).getByRole('button', { name: 'Set up' }).waitFor();
    await signOut(page);
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await today(page).waitFor();
    expect(problems).toEqual([]);
  });

  test('signing in again after expiry also requires a code, and the page is unchanged', async () => {
    const account = await createAccount(withoutRequirement);
    const { page } = await app.openAs(account, {}, '/me/sign-in');
    const { secret } = await setUp(page, account);
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mechanics');
    await app.query('DELETE FROM sign_ins WHERE user_id = $1', [account.id]);
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click'); // the dialog may already cover it
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Code from your app' }).fill(nextCode(secret));
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
  });

  test('if required, it must be set up first, and the recovery codes are shown before continuing', async () => {
    const account = await createAccount(withoutRequirement, { role: 'admin' });
    const { page, problems } = await app.openPage(await app.openContext(), '/admin/users');
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Set up two-step verification' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Set up two-step verification' }).waitFor();
    const { secret } = await setUp(page, account);
    expect(await card(page).getByRole('button', { name: 'Switch off' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.getByRole('table', { name: 'Accounts' }).waitFor();
    await signOut(page);
    clock.advance(hour);
    await signInWith(page, account, nextCode(secret));
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(problems).toEqual([]);
  });
});
