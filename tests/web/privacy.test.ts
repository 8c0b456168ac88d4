import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsAtBothWidths } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const days = { ADDRESS_RETENTION_DAYS: '1', AUDIT_RETENTION_DAYS: '365', ACCOUNT_RETENTION_DAYS: '730' };

describe.skipIf(noBrowser)(`the page about what is kept ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ settings: { ...days, SMTP_URL: 'smtp://127.0.0.1:9' } });
  });
  afterAll(() => app?.stop());

  test('is linked from the settings and from help, and says the days that are set', async () => {
    const { page, problems } = await app.openAs(await app.createAccount(), {}, '/me/data');
    await page.getByRole('link', { name: 'What is kept, and for how long' }).click();
    await page.getByRole('heading', { level: 1, name: 'What is kept about you' }).waitFor();
    await page.getByText('address and program until 1 day after the last use').waitFor();
    await page.getByText('Kept for 365 days; your name').waitFor();
    await page.getByText('nobody has used for 730 days is deactivated').waitFor();
    const contact = page.getByText('Kept until an administrator deletes them.', { exact: false });
    expect(await contact.textContent()).toBe(
      'Kept until an administrator deletes them. Network address and program are removed after 1 day.',
    );
    await page.getByRole('link', { name: 'Open settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.goto('/help');
    await page.getByRole('link', { name: 'What is kept about you' }).click();
    await page.getByRole('heading', { level: 2, name: 'Your choices' }).waitFor();
    expect(problems).toEqual([]);
  });

  test.each([['en'], ['zh']] as const)('has no violation of WCAG 2.2 AA with days (%s)', async (language) => {
    const account = await app.createAccount({ role: 'admin' });
    const { page } = await app.openAs(account, { language }, '/privacy');
    await page.getByText(language === 'zh' ? '保留 365 天' : 'Kept for 365 days').waitFor();
    expect(await findingsAtBothWidths(page, language)).toEqual([]);
  });
});
