import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FullApp, findingsOfPages, type States, startFullApp } from '../support/web/every-page.ts';
import { clickLabel, noBrowser } from '../support/web/web-app.ts';

/** Pages for administrators only, or with different content for them. */
const adminPages = [
  'assign',
  'assign?view=grid',
  'inbox',
  'inbox/1',
  'users',
  'users/new',
  'users/roster',
  'students',
  'groups',
  'school-year',
  'audit',
  'background-work',
  'webhooks',
  'webhooks',
];
const pages = ['/', '/help', '/privacy', '/projects/new', ...adminPages.map((path) => `/admin/${path}`)];

const states: States = {
  'the search dialog': async (page) => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('e');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
  },
  'selected requests': async (page) => {
    await page.goto('/admin/inbox');
    await clickLabel(page.getByRole('checkbox').first());
  },
};

describe.skipIf(noBrowser)(`every page of administrators ${noBrowser || ''}`, () => {
  let app: FullApp;
  beforeAll(async () => {
    app = await startFullApp();
  });
  afterAll(() => app?.stop());

  test.each([['en'], ['zh']] as const)(
    '%s, both widths, both themes: no violation of WCAG 2.2 AA, no horizontal scrolling, one language',
    async (language) => {
      const opened = await app.openAs(await app.createAccount({ role: 'admin' }), { language });
      expect(await findingsOfPages(opened, pages, states, language)).toEqual({});
    },
    600_000,
  );
});
