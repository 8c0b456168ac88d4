import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, submit } from '../support/contact.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

/** The target is one second. Generous for slow machines, but below the polling interval of one minute. */
const timeout = 25_000;

describe.skipIf(noBrowser)(`two browsers connected to two processes show the same ${noBrowser || ''}`, () => {
  let app: WebApp;
  let other: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ settings: contactSettings });
    other = await startWebApp({ databaseUrl: app.databaseUrl });
  });
  afterAll(async () => {
    await other?.stop();
    await app?.stop();
  });

  let opened: Page[] = [];
  /** Signs a student with a project in at both processes. */
  async function openBoth() {
    const account = await app.createAccount();
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    const { page: here } = await app.openAs(account);
    const { page: there, problems } = await other.openAs(account);
    opened = [here, there];
    return { here, there, problems, id };
  }
  const timer = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Timer' }).getByRole('button', { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole('article').getByRole('link', { name });

  async function rename(page: Page, id: number, name: string): Promise<void> {
    await page.goto(`/projects/${id}/edit`);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Save' }).first().click();
  }

  async function measure(what: string, change: Promise<unknown>, seen: Locator): Promise<void> {
    await change;
    const startedAt = performance.now();
    await seen.waitFor({ timeout }).catch(async (cause: Error) => {
      const shown = await Promise.all(opened.map((page) => page.locator('body').ariaSnapshot()));
      const parts = shown.map((text) => text.slice(text.indexOf('region')).slice(0, 400));
      throw new Error(`not seen: ${what}\n${parts.join('\n')}`, { cause });
    });
    process.stdout.write(`the other browser shows it after ${Math.round(performance.now() - startedAt)} ms: ${what}\n`);
  }

  test('a timer, a project and a record of one appear in the other without interaction', async () => {
    const { here, there, problems, id } = await openBoth();
    await timer(there, 'Start').waitFor();
    await measure('a timer that runs', timer(here, 'Start').click(), timer(there, 'Stop'));
    await measure('a timer that ended', timer(here, 'Stop').click(), timer(there, 'Start'));

    await there.getByRole('link', { name: 'Projects', exact: true }).click();
    await link(there, 'Guitar').waitFor();
    await measure('a new name', rename(here, id, 'Violin'), link(there, 'Violin'));

    await there.getByRole('link', { name: 'Calendar' }).click();
    await there.getByRole('button', { name: 'List', exact: true }).click();
    await there.getByRole('button', { name: /^Edit record/ }).waitFor();
    await here.goto('/records?view=list');
    await here.getByRole('button', { name: 'Add record' }).click();
    await here.getByLabel('Date', { exact: true }).fill('2026-11-20');
    await here.getByLabel('Start').fill('18:00');
    await here.getByRole('textbox', { name: 'Duration' }).fill('1h30');
    await measure('a record', here.getByRole('button', { name: 'Save' }).click(), there.getByText('18:00–19:30'));
    expect(problems).toEqual([]);
  });

  test('a slow response does not delay other updates', async () => {
    const { here, there, id } = await openBoth();
    await there.getByRole('link', { name: 'Projects', exact: true }).click();
    await link(there, 'Guitar').waitFor();
    await there.route('**/api/projects?*', () => undefined); // never responds
    const held = there.waitForRequest('**/api/projects?*');
    await rename(here, id, 'Violin');
    await held;
    await measure('a timer that runs', timer(here, 'Start').click(), timer(there, 'Stop'));
  });

  test('a missing response delays the same resource by ten seconds', async () => {
    const { here, there } = await openBoth();
    await there.clock.install();
    await there.reload();
    await timer(there, 'Start').waitFor();
    await there.route('**/api/timer', () => undefined, { times: 1 });
    const held = there.waitForRequest('**/api/timer');
    await timer(here, 'Start').click();
    await held;
    await timer(here, 'Stop').click();
    await timer(here, 'Start').click();
    await there.clock.runFor(10_000);
    await measure('a timer that runs', Promise.resolve(), timer(there, 'Stop'));
  });

  test('a contact request appears in the inbox and its counter in every tab of an administrator', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page: inbox, context } = await other.openAs(admin, {}, '/admin/inbox');
    const { page: home } = await other.openPage(context);
    const card = home.locator('section').filter({ has: home.getByRole('heading', { name: 'Inbox', exact: true }) });
    await card.getByText('No requests yet.').waitFor();
    await inbox.getByRole('button', { name: 'Open 0' }).waitFor();
    await measure('a request', submit(app), inbox.getByRole('link', { name: 'Lin Xiaoyu' }));
    await inbox.getByRole('button', { name: 'Open 1' }).waitFor();
    await card.getByRole('link', { name: 'Open 1' }).waitFor({ timeout });
    const entry = home
      .getByRole('navigation')
      .getByRole('link', { name: 'Inbox', description: 'Inbox: 1 open request' });
    await entry.getByText('1', { exact: true }).waitFor({ timeout });
  });

  test('the tabs of a browser share one stream; if its tab is closed, another takes over', async () => {
    const { there, problems, id, here } = await openBoth();
    const context = there.context();
    await timer(there, 'Start').waitFor();
    const streams: Page[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams.push(request.frame().page());
    });
    const { page: second } = await other.openPage(context, '/projects');
    await link(second, 'Guitar').waitFor();
    await measure('a new name, in the other tab', rename(here, id, 'Violin'), link(second, 'Violin'));
    expect(streams).toEqual([]);
    await there.close();
    await expect.poll(() => streams).toEqual([second]);
    await measure('a new name, after it took over', rename(here, id, 'Cello'), link(second, 'Cello'));
    expect(problems).toEqual([]);
  });

  test('a sign-in ended elsewhere prompts for a new one without interaction', async () => {
    const account = await app.createAccount();
    const { page } = await other.openAs(account, {}, '/projects/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Mechanics');
    await app.query('DELETE FROM sign_ins WHERE user_id = $1', [account.id]);
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
  });

  test('a restart of the service shows no error, and changes made meanwhile appear', async () => {
    const { here, there, problems, id } = await openBoth();
    await there.getByRole('link', { name: 'Projects', exact: true }).click();
    await link(there, 'Guitar').waitFor();
    const { server, container } = other;
    const { port } = server.address() as AddressInfo; // a TCP server has one
    container.lifecycle.draining = true;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await rename(here, id, 'Violin');
    await here.getByRole('heading', { level: 1, name: 'Violin' }).waitFor();
    await link(there, 'Guitar').waitFor();
    expect(await there.getByRole('alert').count()).toBe(0);
    expect(await there.getByRole('region', { name: 'Connection' }).count()).toBe(0);

    container.lifecycle.draining = false;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await link(there, 'Violin').waitFor();
    await measure('a new name, after the restart', rename(here, id, 'Cello'), link(there, 'Cello'));
    expect(problems).toEqual([]);
  });
});
