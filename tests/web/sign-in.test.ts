import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSegments } from '../../web/src/routes.ts';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`sign-in on the page ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('works by keyboard, stores no token in web storage, and survives a reload', async () => {
    const account = await app.createAccount();
    const { page, problems } = await app.openPage(await app.openContext());
    await page.locator('input:focus').waitFor(); // the first field is focused
    await page.keyboard.type(account.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie');
    expect(stored).not.toMatch(/eyJ|studytrack=/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the set-up page follows a link that is pasted into its tab', async () => {
    const { page } = await app.openPage(await app.openContext(), '/setup');
    await page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor();
    await page.evaluate(`location.hash = 'token=another'`);
    await page.getByRole('button', { name: 'Create administrator' }).waitFor();
    expect(page.url()).not.toContain('token');
  });

  test('/sign-in redirects to the home page afterwards', async () => {
    const { page } = await app.openPage(await app.openContext(), '/sign-in');
    await signInOn(page, await app.createAccount());
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a wrong password shows an error and keeps the input', async () => {
    const account = await app.createAccount();
    const { page } = await app.openPage(await app.openContext());
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(account.username);
    await page.getByLabel('Password', { exact: true }).fill('something else');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('textbox', { name: 'Username or e-mail' }).inputValue()).toBe(account.username);
  });

  test('signed out, no API request is sent; the language changes without a reload, and is stored', async () => {
    const requests: string[] = [];
    const context = await app.openContext({ language: 'zh' });
    context.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const { page } = await app.openPage(context);
    await page.getByRole('textbox', { name: '用户名或邮箱' }).fill('lin');
    await page.getByRole('button', { name: 'English' }).click();
    expect(await page.getByRole('textbox', { name: 'Username or e-mail' }).inputValue()).toBe('lin');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(requests.filter((path) => path.startsWith('/api') || path === '/')).toEqual(['/']);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('the theme can be selected', async () => {
    const { page } = await app.openAs(await app.createAccount());
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(background).not.toBe(light);
  });

  test('a one-time password must be replaced before anything else', async () => {
    const { username } = await app.createAccount();
    const admin = await app.createUser({ role: 'admin' });
    const [{ id = 0 } = {}] = await app.query<{ id: number }>('SELECT id FROM users WHERE username = $1', [username]);
    const reset = await app.as(admin).post(`/api/admin/users/${id}/reset-password`, {}).expect(200);
    const { page } = await app.openPage(await app.openContext());
    await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(username);
    await page.getByLabel('Password', { exact: true }).fill(reset.body.data.one_time_password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0); // it has just been typed
    await page.getByLabel('New password', { exact: true }).fill('my very own sentence');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  test('the time zone of the device is adopted unless one was chosen, and offered when the two differ', async () => {
    const [fresh, settled] = [await app.createAccount(), await app.createAccount({ timezone: 'Europe/Rome' })];
    await app.query('UPDATE users SET timezone_chosen = true WHERE id = $1', [settled.id]);
    const zoneOf = async ({ id }: { id: number }) =>
      (await app.query<{ timezone: string }>('SELECT timezone FROM users WHERE id = $1', [id]))[0]?.timezone;
    const context = await app.openContext({ timezone: 'Asia/Shanghai' });
    const { page, problems } = await app.openPage(context);
    await signInOn(page, fresh);
    await expect.poll(() => zoneOf(fresh)).toBe('Asia/Shanghai');
    await page.getByText('Times in Shanghai, English').waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInOn(page, settled);
    await page.getByText('Times are shown for Rome; this device is set to Shanghai.').waitFor();
    expect(await zoneOf(settled)).toBe('Europe/Rome');
    await page.getByRole('button', { name: 'Use Shanghai' }).click();
    await page.getByText('Times are shown for Rome').waitFor({ state: 'detached' });
    expect(await zoneOf(settled)).toBe('Asia/Shanghai');
    expect(problems).toEqual([]);
  });

  test('can be installed: manifest and icons are served, and its shortcuts are pages', async () => {
    for (const language of ['en', 'zh'] as const) {
      const { page, problems } = await app.openPage(await app.openContext({ language }));
      const found = page.locator('link[rel=manifest]');
      const manifest = await page.request.get((await found.getAttribute('href')) ?? '');
      expect(manifest.headers()['content-type']).toMatch(/^application\/manifest\+json/);
      const { lang, icons, shortcuts, start_url } = await manifest.json();
      expect([lang, start_url]).toEqual([language === 'zh' ? 'zh-CN' : 'en', '/']);
      for (const { src, sizes } of icons) {
        const image = await (await page.request.get(src)).body();
        expect(`${image.readUInt32BE(16)}x${image.readUInt32BE(20)}`).toBe(sizes); // the size in a PNG's header
      }
      expect(icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
      for (const { url } of shortcuts) expect(firstSegments).toContain(url.split(/[/?]/)[1]);
      expect(problems).toEqual([]);
    }
  });

  test('signing out in one tab signs out all tabs', async () => {
    const { page, context } = await app.openAs(await app.createAccount());
    const { page: other } = await app.openPage(context);
    await other.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  test('another user in the same browser sees their own page in all tabs', async () => {
    const [first, second] = [await app.createAccount(), await app.createAccount()];
    const { page, context } = await app.openAs(first);
    const { page: other } = await app.openPage(context);
    await other.getByRole('button', { name: `Account: ${first.username}` }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInOn(page, second);
    await other.getByRole('button', { name: `Account: ${second.username}` }).waitFor();
  });
});
