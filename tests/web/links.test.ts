import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import { findingsAtBothWidths, type Language } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const password = 'my very own sentence';

describe.skipIf(noBrowser)(`setting a password with a link ${noBrowser || ''}`, () => {
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
  beforeEach(() => {
    smtp.mails.length = 0;
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  /** Path and fragment of the link in the latest mail to an address. */
  async function mailedLink(email: string): Promise<string> {
    await runJob(app, 'mail links to reset passwords');
    await runJob(app, 'send mails to account holders');
    const mail = smtp.mails.filter(({ recipients }) => recipients.includes(email)).at(-1);
    const link = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://no.link');
    return link.pathname + link.hash;
  }

  async function choose(page: Page, chosen = password): Promise<void> {
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await button(page, 'Set password').click();
  }

  async function signInAfterwards(page: Page): Promise<void> {
    await heading(page, 'Your password is set');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button(page, 'Sign in').click();
    await heading(page, 'Today');
  }

  test('an invited user receives a link, sets a password and signs in', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page: office } = await app.openAs(admin, {}, '/admin/users');
    await button(office, 'Create account').click();
    await office.getByRole('textbox', { name: 'Username' }).fill('mei');
    await office.getByRole('textbox', { name: 'E-mail' }).fill('mei@example.org');
    await office.getByText('Invite with a link instead of a one-time password').click();
    await office.getByRole('dialog').getByRole('button', { name: 'Create account' }).click();
    await office.getByText('The link was mailed to the user.').waitFor();
    await button(office, 'Done').click();
    await office.getByRole('link', { name: 'mei' }).click();
    await office.getByText('Not chosen yet: the user was invited.').waitFor();

    const addresses: string[] = [];
    const context = await app.openContext();
    context.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
    const link = await mailedLink('mei@example.org');
    const { page, problems } = await app.openPage(context, link);
    await heading(page, 'Welcome to Studytrack');
    await choose(page, 'password123');
    await page.locator('[aria-invalid]').waitFor();
    await choose(page);
    await signInAfterwards(page);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(problems).toEqual([]);
    const token = /#token=([^&]+)/.exec(link)?.[1] ?? '-';
    expect(addresses.filter((address) => address.includes(token) && !address.includes('#'))).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(token);

    await office.reload();
    await office.getByText('Chosen by the user.').waitFor();
    await button(office, 'Send reset link').waitFor();
  });

  test('a forgotten password can be reset once with a link requested on the sign-in page', async () => {
    const account = await app.createAccount();
    const { page } = await app.openPage(await app.openContext());
    await page.getByRole('link', { name: 'a new password' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody');
    await button(page, 'Send link').click();
    await page.locator('[aria-invalid]').waitFor();
    await page.getByRole('textbox', { name: 'E-mail' }).fill(account.email);
    await button(page, 'Send link').click();
    await page.getByText(/a mail with a link is on its way/).waitFor();

    const link = await mailedLink(account.email);
    await page.goto(link);
    await heading(page, 'Choose a new password');
    expect(page.url()).not.toContain('token');
    await choose(page);
    await signInAfterwards(page);

    await page.goto('/accept');
    await heading(page, 'This link is incomplete');
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(link, app.origin).hash)}`); // in the same tab
    await heading(page, 'Choose a new password');
    await choose(page);
    await heading(page, 'This link is no longer valid');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?');
  });

  test('another user signed in in this browser stays signed in; former sign-ins of the account end', async () => {
    const [account, other] = [await app.createAccount(), await app.createAccount()];
    await app.anonymous.post('/api/auth/forgot-password', { email: account.email }).expect(200);
    const { page, context } = await app.openAs(other);
    await page.goto(await mailedLink(account.email));
    await choose(page);
    await page.getByText(`${other.username} is signed in in this browser.`).waitFor();
    await page.goto('/');
    await page.getByRole('button', { name: `Account: ${other.username}` }).waitFor();
    await context.close();

    await app.anonymous.post('/api/auth/forgot-password', { email: other.email }).expect(200);
    const own = await app.openAs(other);
    await own.page.goto(await mailedLink(other.email));
    await choose(own.page);
    await signInAfterwards(own.page);
  });

  test('without a mail server the administrator copies the link', async () => {
    const withoutMail = await startWebApp({ databaseUrl: app.databaseUrl });
    const student = await withoutMail.createAccount({ display_name: 'Lin Wei' });
    const { page } = await withoutMail.openAs(
      await withoutMail.createAccount({ role: 'admin' }),
      {},
      `/admin/users/${student.id}`,
    );
    await button(page, 'Invite').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page.getByRole('textbox', { name: 'The link' }).inputValue();
    const { page: opened } = await withoutMail.openPage(
      await withoutMail.openContext(),
      link.replace(/^https?:\/\/[^/]+/, ''),
    );
    await choose(opened);
    await signInAfterwards(opened);
    await withoutMail.stop();
  });

  test.each(['en', 'zh'] as const)(
    '%s: no violation of WCAG 2.2 AA on these pages, at both widths and in both themes',
    async (language: Language) => {
      const found: Record<string, string[]> = {};
      const { page, problems } = await app.openPage(await app.openContext({ language }), '/forgot-password');
      const inspect = async (name: string) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        found[name] = await findingsAtBothWidths(page, language);
      };
      await inspect('forgot');
      await page.locator('input[type=email]').fill('0@example.org');
      await page.locator('button[type=submit]').click();
      await page.getByRole('status').waitFor();
      await inspect('asked');
      await page.goto('/accept');
      await inspect('incomplete');
      for (const purpose of ['invitation', 'password_reset']) {
        await page.goto('/healthz');
        await page.goto(`/accept#token=0&for=${purpose}`);
        await page.locator('input[type=password]').waitFor();
        await inspect(purpose);
      }
      await page.locator('input[type=password]').fill('0123456789 0123456789');
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
      await inspect('no longer valid');
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
      expect(problems).toEqual([]);
    },
    300_000,
  );
});
