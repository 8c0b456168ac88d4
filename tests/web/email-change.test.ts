import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob } from '../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import { findingsAtBothWidths, type Language } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`a new e-mail address ${noBrowser || ''}`, () => {
  let smtp: TestSmtpServer;
  let app: WebApp;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    app = await startWebApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
  });
  afterAll(async () => {
    await app?.stop();
    await smtp?.stop();
  });

  test('requires the password, and is confirmed once by the mailed link', async () => {
    const account = await app.createAccount();
    const { page, context, problems } = await app.openAs(account, {}, '/me');
    const email = page.getByRole('textbox', { name: 'E-mail' });
    const form = page.locator('form').filter({ has: email });
    const password = form.getByLabel('Current password, for the new address');
    await email.waitFor();
    expect(await password.count()).toBe(0);
    await email.fill('new.address@example.org');
    await password.fill('something else');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid]').waitFor();
    await password.fill(account.password);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A link was mailed to new.address@example.org;').waitFor();
    expect(await email.inputValue()).toBe(account.email);

    await runJob(app, 'send mails to account holders');
    const mail = smtp.mails.find(({ recipients }) => recipients.includes('new.address@example.org'));
    const link = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://no.link');
    const { page: opened } = await app.openPage(context, link.pathname + link.search);
    const heading = (name: string) => opened.getByRole('heading', { level: 1, name }).waitFor();
    await heading('Confirm your e-mail address');
    expect(opened.url()).not.toContain('token');
    await opened.getByRole('button', { name: 'Confirm address' }).click();
    await heading('Your e-mail address was changed');
    await opened.goto(link.pathname + link.search);
    await opened.getByRole('button', { name: 'Confirm address' }).click();
    await heading('This link is no longer valid');
    await opened.reload();
    await heading('This link is incomplete');
    await page.reload();
    await expect.poll(() => email.inputValue()).toBe('new.address@example.org');
    expect(problems).toEqual([]);
  });

  test('without a mail server only administrators can change it', async () => {
    const withoutMail = await startWebApp({ databaseUrl: app.databaseUrl });
    const { page } = await withoutMail.openAs(await withoutMail.createAccount(), {}, '/me');
    const email = page.getByRole('textbox', { name: 'E-mail' });
    await email.fill('other.address@example.org');
    await page.locator('form').filter({ has: email }).getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/administrator/)
      .waitFor();
    await withoutMail.stop();
  });

  test.each(['en', 'zh'] as const)(
    '%s: no violation of WCAG 2.2 AA on the confirmation page',
    async (language: Language) => {
      const found: string[] = [];
      const { page, problems } = await app.openPage(await app.openContext({ language }), '/confirm-email?token=0');
      const inspect = async () => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        found.push(...(await findingsAtBothWidths(page, language)));
      };
      await inspect();
      await page.getByRole('main').getByRole('button').click();
      await page.getByRole('alert').waitFor();
      await inspect();
      expect([...found, ...problems]).toEqual([]);
    },
  );
});
