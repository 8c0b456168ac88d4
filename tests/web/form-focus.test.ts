import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the focus of forms within a page ${noBrowser || ''}`, () => {
  let app: WebApp;
  let page: Page;
  beforeAll(async () => {
    app = await startWebApp();
    const account = await app.createAccount();
    const student = await signIn(app, account);
    const project = await createProject(app, student, 'Guitar');
    const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 3600, tags: ['scales'] };
    await app.as(student).post(`/api/projects/${project}/sessions`, record).expect(201);
    for (const day of ['2026-02-03', '2026-02-05'])
      await app.query(
        `INSERT INTO days_off (user_id, set_by, first_day, last_day, reason) VALUES ($1, $1, $2, $2, 'Illness')`,
        [account.id, day],
      );
    page = (await app.openAs(account)).page;
  });
  afterAll(() => app?.stop());

  const press = async (name: string | RegExp) => {
    await page.locator('main').getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
  };
  /** The accessible name of the element with the focus. */
  const focused = () =>
    page.evaluate(
      `(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement)`,
    );

  test.each([
    ['/records', 'Add record', 'Cancel'],
    ['/me/study', 'Add days off', 'Cancel'],
  ])('%s: %s has it again after %s', async (where, opener, closer) => {
    await page.goto(where);
    await press(opener);
    await press(closer);
    await expect.poll(focused).toBe(opener);
  });

  test('a form in the place of its row takes it, and the row has it again', async () => {
    await page.goto('/me/study');
    await press(/^Edit .*5 Feb/);
    await expect.poll(focused).toBe('From – to');
    await press('Cancel');
    await expect.poll(focused).toMatch(/^Edit .*5 Feb/);
    await page.goto('/me/data');
    await press('Rename scales');
    await expect.poll(focused).toBe('Name');
    await press('Cancel');
    await expect.poll(focused).toBe('Rename scales');
  });

  test('after the deletion of its row the next one has it', async () => {
    await page.goto('/me/study');
    await press(/^Edit .*3 Feb/);
    await press('Delete');
    await expect.poll(focused).toMatch(/^Edit .*5 Feb/);
  });

  test('the button of a project in the list keeps it, and stops the timer that it has started', async () => {
    await page.goto('/projects');
    await press('Start Guitar');
    await expect.poll(focused).toBe('Stop Guitar');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Start Guitar');
  });
});
