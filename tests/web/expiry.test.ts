import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

const refresh = '/api/auth/browser/refresh';
/** An incompressible image. */
const noise = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 300 });
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(1200, 300);
  for (let at = 0; at < pixels.data.length; at += 1) pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

describe.skipIf(noBrowser)(`a sign-in that expires ${noBrowser || ''}`, () => {
  const clock = createTestClock();
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());

  const endSignIn = ({ id }: { id: number }) => app.query('DELETE FROM sign_ins WHERE user_id = $1', [id]);
  /** A page reads by itself, too: it may already have found that the sign-in has ended, and opened the dialog. */
  const pressEvenIfCovered = (button: Locator) => button.dispatchEvent('click');
  async function signInAgain(page: Page, { password }: Account) {
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  /** Collects the API paths requested from now on. */
  function collectApiRequests(context: BrowserContext): string[] {
    const requests: string[] = [];
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) requests.push(pathname);
    });
    return requests;
  }
  /** Waits for the list of projects; the page before it has the same text. */
  async function readsProjects(tab: Page): Promise<void> {
    await tab.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await tab.getByText('Create your first project').waitFor();
  }
  const openWithProject = async (where = '/') => {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    return { ...(await app.openAs(account, { isLive: false }, where.replace(':id', String(id)))), account, id };
  };

  test('ten tabs with an expired token refresh it once', async () => {
    const { page, context } = await app.openAs(await app.createAccount());
    const tabs = [page];
    while (tabs.length < 10) tabs.push((await app.openPage(context)).page);
    await Promise.all(tabs.map((tab) => tab.getByRole('heading', { level: 1, name: 'Today' }).waitFor()));
    const requests = collectApiRequests(context);
    clock.advance(20 * 60_000);
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.getByRole('link', { name: 'Projects' }).click();
        await readsProjects(tab);
      }),
    );
    expect(requests.filter((path) => path === refresh)).toEqual([refresh]);
  }, 180_000);

  test('after it has ended the user signs in on the page, and the form is unchanged', async () => {
    const account = await app.createAccount();
    const { page, problems } = await app.openAs(account, { isLive: false }, '/projects/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Mechanics');
    await page.getByRole('textbox', { name: 'Target hours' }).fill('12');
    await endSignIn(account);
    await pressEvenIfCovered(page.getByRole('button', { name: 'Save' }));
    await signInAgain(page, account);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('an unreachable service does not sign the user out', async () => {
    const { page, context } = await app.openAs(await app.createAccount());
    await context.route(`**${refresh}`, (route) => route.abort());
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    await context.unroute(`**${refresh}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  test('without navigator.locks (plain http) tabs refresh once, and ask once to sign in', async () => {
    const account = await app.createAccount();
    const context = await app.openContext({ isLive: false });
    await context.addInitScript(`Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })`);
    const { page } = await app.openPage(context);
    const all = collectApiRequests(context);
    await signInOn(page, account);
    const tabs = [page];
    while (tabs.length < 4) tabs.push((await app.openPage(context)).page);
    await Promise.all(tabs.map((tab) => tab.getByRole('heading', { level: 1, name: 'Today' }).waitFor()));
    // The last that a tab reads by itself; later it would find that the sign-in has ended, too.
    await expect.poll(() => all.filter((path) => path === '/api/achievements')).toHaveLength(tabs.length);
    const requests = collectApiRequests(context);
    clock.advance(20 * 60_000);
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Projects' }).click()));
    await Promise.all(tabs.map(readsProjects));
    expect(requests.filter((path) => path === refresh)).toEqual([refresh]);
    await endSignIn(account);
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(requests.filter((path) => path === refresh)).toEqual([refresh, refresh]);
  });

  test('a token that expires while a form is open is refreshed silently', async () => {
    const { page } = await openWithProject('/projects/:id/edit');
    await page.getByRole('textbox', { name: 'Name' }).fill('Bass');
    clock.advance(20 * 60_000);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bass' }).waitFor();
  });

  test('a sign-in that ends during an upload: the image can be sent again', async () => {
    const { page, context, account, id } = await openWithProject('/projects/:id');
    const buffer = Buffer.from(String(await page.evaluate(noise)), 'base64');
    await page.locator('input[type=file]').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer });
    const dialog = page.getByRole('dialog', { name: 'Cover picture' });
    await dialog.getByRole('button', { name: 'Save' }).waitFor();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const slow = { offline: false, latency: 50, downloadThroughput: 100_000, uploadThroughput: 12_000 }; // half a minute for the picture
    await network.send('Network.emulateNetworkConditions', slow);
    clock.advance(20 * 60_000); // the access token has also expired
    await dialog.getByRole('button', { name: 'Save' }).click();
    const sent = async () => Number(await dialog.getByRole('progressbar').getAttribute('aria-valuenow'));
    await expect.poll(sent, { timeout: 90_000, interval: 20 }).toBeGreaterThanOrEqual(60);
    await endSignIn(account);
    await network.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 });
    await signInAgain(page, account);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('main img').waitFor();
    expect(await app.query('SELECT image IS NOT NULL AS is_there FROM projects WHERE id = $1', [id])).toEqual([
      { is_there: true },
    ]);
  });

  test('a sign-in that ends before an import is saved: the checked file remains, and is imported once', async () => {
    const { page, account } = await openWithProject('/records/import');
    const lines = ['project_name,started_at,ended_at,note', 'Guitar,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z,Scales'];
    const buffer = Buffer.from(lines.join('\n'));
    await page.getByLabel('File').setInputFiles({ name: 'records.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Import 1 record' }).waitFor();
    await endSignIn(account);
    await pressEvenIfCovered(page.getByRole('button', { name: 'Import 1 record' }));
    await signInAgain(page, account);
    await page.getByRole('button', { name: 'Import 1 record' }).click();
    await page.getByText('1 record was imported.').waitFor();
    expect(await app.query('SELECT note FROM study_sessions WHERE user_id = $1', [account.id])).toEqual([
      { note: 'Scales' },
    ]);
  });

  test('a sign-in that ends before the board is applied: staged changes remain', async () => {
    const student = await app.createAccount({ display_name: 'Board 1' });
    const admin = await app.createAccount({ role: 'admin' });
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Board 1', $1) RETURNING id`,
      [admin.id],
    );
    const { page } = await app.openAs(admin, { isLive: false }, '/admin/assign?search=Board&student=Board');
    const row = (list: string) => page.getByRole('grid', { name: list }).getByRole('row', { name: 'Board 1' });
    await row('Projects').click();
    await row('Students').click();
    await page.getByRole('status').getByText('Staged: 1 added').waitFor();
    await endSignIn(admin);
    await pressEvenIfCovered(page.getByRole('button', { name: 'Apply' }));
    await signInAgain(page, admin);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done: 1 added, 0 removed.').waitFor();
    expect(await app.query('SELECT user_id FROM project_assignments WHERE project_id = $1', [id])).toEqual([
      { user_id: student.id },
    ]);
  });
});
