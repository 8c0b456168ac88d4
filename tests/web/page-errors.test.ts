import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesOf } from '../support/web/all-pages.ts';
import { type FullApp, startFullApp } from '../support/web/every-page.ts';
import { noBrowser } from '../support/web/web-app.ts';

/** Pages that show texts only, or a form that needs nothing from the service. */
const shared = ['/records/import', '/help', '/me'];
const withoutData = {
  user: ['/projects/new', ...shared],
  admin: ['/admin/users/new', '/admin/users/roster', ...shared],
};
const failure = {
  status: 500,
  json: { success: false, message: '123', error: { code: 'INTERNAL_ERROR', details: [] } },
};
/** What the frame needs, and what never ends. */
const ofFrame = /\/api\/(auth\/(browser|me)|events)/;

describe.skipIf(noBrowser)(`pages whose data cannot be loaded ${noBrowser || ''}`, () => {
  let app: FullApp;
  beforeAll(async () => {
    app = await startFullApp();
  });
  afterAll(() => app?.stop());

  test.each([
    ['user', 'zh'],
    ['admin', 'en'],
  ] as const)(
    'role %s, %s: a heading, why, and a button that loads them again',
    async (role, language) => {
      const account = role === 'user' ? app.student : await app.createAccount({ role });
      for (const where of pagesOf(app, role)) {
        const { page, context, problems } = await app.openAs(account, { language }, '/help');
        await page.clock.install();
        await context.route('**/api/**', (route) =>
          ofFrame.test(route.request().url()) ? route.fallback() : route.fulfill(failure),
        );
        await page.goto(where);
        const main = page.getByRole('main');
        const heading = main.getByRole('heading', { level: 1 });
        const again = main.getByRole('button', { name: /^(Try again|重试)$/ });
        const said = main.getByRole('alert').getByText('123');
        const isDue = !withoutData[role].includes(where);
        /** A failed request is repeated twice, after one and two seconds of the page's time. */
        const state = async () => {
          await page.clock.runFor(1000);
          return {
            where,
            headings: await heading.count(),
            isLoading: (await main.locator('[role=status][aria-label]').count()) > 0,
            saysWhy: (await said.count()) > 0 && (await again.count()) > 0,
          };
        };
        const shown = { where, headings: 1, isLoading: false, saysWhy: isDue };
        await expect.poll(state, { timeout: 20_000 }).toEqual(shown);
        await context.unroute('**/api/**');
        // At once, because two of them may read the same.
        await page.evaluate(
          `for (const button of document.querySelectorAll('main [role=alert] + button')) button.click()`,
        );
        await expect.poll(state, { timeout: 20_000 }).toEqual({ ...shown, saysWhy: false });
        expect(problems).toEqual([]);
        await context.close();
      }
    },
    600_000,
  );
});
