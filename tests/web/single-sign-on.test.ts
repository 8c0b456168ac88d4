import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeAt, createAccountWithTotp } from '../support/second-factor.ts';
import { startIdentityProvider, type TestProvider } from '../support/servers/identity-provider.ts';
import { startTestApp } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`single sign-on in a browser ${noBrowser || ''}`, () => {
  let provider: TestProvider;
  let app: WebApp;
  // The settings name the public address before the app has one. Playwright does not route redirects.
  const publicAddress = createServer((request, response) => {
    response.writeHead(302, { Location: `${app.origin}${request.url}` }).end();
  });
  beforeAll(async () => {
    await once(publicAddress.listen(0, '127.0.0.1'), 'listening');
    provider = await startIdentityProvider({
      publicUrl: `http://127.0.0.1:${(publicAddress.address() as AddressInfo).port}`,
    });
    app = await startWebApp({
      settings: {
        ...provider.settings,
        OIDC_NAME: 'Westfield <School>',
        SITE_NAME: '西田 & Co',
        PASSWORD_SIGN_IN: 'off',
      },
    });
  });
  afterAll(async () => {
    publicAddress.close();
    await app?.stop();
    await provider?.stop();
  });

  test('returns to the page that was opened, without the code in its address', async () => {
    const { email } = await app.createAccount();
    provider.be('returning', { email, email_verified: true });
    const context = await app.openContext();
    const { page, problems } = await app.openPage(context, '/statistics?x=1');
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /password/ }).count()).toBe(0);
    await page.getByText('西田 & Co', { exact: true }).waitFor();
    await page.getByText('Keep me signed in').click();
    await page.getByRole('button', { name: 'Continue with Westfield <School>' }).click();
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    expect(page.url()).not.toMatch(/code=|state=/);
    const { expires = 0 } = (await context.cookies()).find(({ name }) => name.endsWith('studytrack')) ?? {};
    expect(expires, 'remains when the browser is closed').toBeGreaterThan(Date.now() / 1000);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('asks for the code of a second factor', async () => {
    const withPasswords = await startTestApp({ databaseUrl: app.databaseUrl });
    const { email, secret } = await createAccountWithTotp(withPasswords, new Date());
    await withPasswords.stop();
    provider.be('careful', { email, email_verified: true });
    const { page } = await app.openPage(await app.openContext());
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await page.getByRole('textbox', { name: 'Code from your app' }).fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/code/i).last().waitFor();
    await page.getByRole('textbox', { name: 'Code from your app' }).fill(codeAt(secret, new Date(Date.now() + 30_000)));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  test.each([
    [
      'en',
      { email: 'nobody@school.test', email_verified: true },
      false,
      'There is no account with your e-mail address',
    ],
    ['en', { email: 'nobody@school.test', email_verified: false }, false, 'does not confirm your e-mail address'],
    ['zh', {}, true, '登录服务未允许此次登录'],
  ] as const)('a refusal is one page (%s %j)', async (language, claims, denies, text) => {
    provider.be('refused', claims, { denies });
    const { page, problems } = await app.openPage(await app.openContext({ language }));
    await page.getByRole('button', { name: language === 'zh' ? /登录$/ : /^Continue with/ }).click();
    await page.getByRole('alert').getByText(text).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      language === 'zh' ? '未能登录' : 'You were not signed in',
    );
    await page.getByRole('link', { name: language === 'zh' ? '返回登录' : 'Back to sign-in' }).click();
    await page.getByRole('button', { name: /Westfield/ }).waitFor();
    expect(problems).toEqual([]);
  });

  test('settings have no password, and an administrator unlinks who is linked', async () => {
    const [student, head] = [await app.createAccount(), await app.createAccount({ role: 'admin' })];
    const signIn = async (subject: string, email: string) => {
      provider.be(subject, { email, email_verified: true });
      const { page, problems } = await app.openPage(await app.openContext());
      await page.getByRole('button', { name: /^Continue with/ }).click();
      await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
      return { page, problems };
    };
    const own = (await signIn('leaving', student.email)).page;
    await own.goto('/me/sign-in');
    await own.getByRole('heading', { level: 2, name: 'Two-step verification' }).waitFor();
    expect(await own.getByRole('heading', { level: 2, name: 'Password' }).count()).toBe(0);

    const { page, problems } = await signIn('head', head.email);
    await page.goto(`/admin/users/${student.id}`);
    await page.getByRole('heading', { name: 'Identity provider' }).waitFor();
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('is unlinked.').waitFor();
    await page.getByRole('heading', { name: 'Identity provider' }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    const { id } = await app.createAccount();
    await page.goto(`/admin/users/${id}`);
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    expect(await page.getByRole('button', { name: 'Unlink' }).count()).toBe(0);
  });

  test('its address without an answer says so', async () => {
    const { page } = await app.openPage(await app.openContext(), '/sign-in/callback');
    await page.getByText('Start on the sign-in page').waitFor();
  });
});
