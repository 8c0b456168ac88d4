import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actorOf, createProject } from '../support/records.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`awards and trash ${noBrowser || ''}`, () => {
  const clock = createTestClock(new Date('2026-11-20T12:00:00Z'));
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());

  test('earned awards and progress towards the next ones, in both languages', async () => {
    const account = await app.createAccount();
    const learner = { ...account, role: 'user' as const };
    const guitar = await createProject(app, learner, 'Guitar');
    for (const day of [17, 18, 19, 20]) {
      const started_at = new Date(Date.UTC(2026, 10, day, 8));
      const ended_at = new Date(Date.UTC(2026, 10, day, 9, 30));
      await app.container.services.sessions.create(actorOf(learner), guitar, {
        started_at,
        ended_at,
        note: '',
        tags: [],
      });
    }
    const { page, problems } = await app.openAs(account);
    await page.getByRole('link', { name: 'Awards' }).click();
    const award = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) });
    await award('Getting going').getByText('19 Nov 2026').waitFor();
    await award('A full week').getByText('4 days of 7 days').waitFor();
    const share = award('Warming up').getByRole('progressbar', { name: 'Progress of Warming up' });
    expect(await share.getAttribute('aria-valuenow')).toBe('60');
    await award('Warming up').getByText('6 h of 10 h').waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: '中文', exact: true }).click();
    await award('一周不断').getByText('4 天 / 7 天').waitFor();
    expect(problems).toEqual([]);
  });

  test('before the first record the first award is next, with what it is for', async () => {
    const { page } = await app.openAs(await app.createAccount());
    await page.getByRole('link', { name: 'Awards' }).click();
    const next = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'Next' }) });
    const names = next.getByRole('heading', { level: 3 });
    await expect.poll(() => names.allTextContents()).toEqual(['First step', 'Warming up']);
    await next.getByText('Complete the first study record.').waitFor();
  });

  test('a deleted project can be restored', async () => {
    const account = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id, deleted_at) VALUES ('Chess', $1, now())`, [account.id]);
    const { page, problems } = await app.openAs(account);
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('button', { name: 'Deleted' }).click();
    await page.getByRole('button', { name: 'Restore Chess' }).click();
    await page.getByText('The project was restored.').waitFor();
    await page.getByText('There are no deleted projects.').waitFor();
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByRole('article').getByRole('link', { name: 'Chess' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('administrators see all deleted projects, on a phone from their projects', async () => {
    const owner = await app.createAccount();
    await app.query(`INSERT INTO projects (name, user_id, deleted_at) VALUES ('Botany', $1, now())`, [owner.id]);
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), { width: 360 });
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'Deleted' }).click();
    await page.getByRole('button', { name: 'Restore Botany' }).waitFor();
  });
});
