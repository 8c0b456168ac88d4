import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attentionPairs, createAttentionPairs, numberIn } from '../support/attention-pairs.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const texts = {
  silent: /^Silent 1[12] days$/,
  overdue: /^Overdue \d$/,
  behind: /^Behind \d$/,
  slowing: /^Slowing$/,
  not_started: /^Not started$/,
  on_track: /^On track$/,
  without_goals: /^No goals$/,
} as const;
const filters = {
  ...{ silent: 'Silent 7 days', overdue: 'Overdue', behind: 'Behind', slowing: 'Slowing' },
  not_started: 'Not started',
} as const;

describe.skipIf(noBrowser)(`students to whom two classes of attention apply ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('are in the first of them by chip, by filter and by the counts of the home page', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    await createAttentionPairs(app, await app.createUser({ role: 'admin' }), new Date());
    const { page, problems } = await app.openAs(admin, { width: 1280 }, '/admin/students');
    const rows = page.getByRole('table', { name: 'Students' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(attentionPairs.length);
    for (const { username, is } of attentionPairs) {
      const row = rows.filter({ has: page.getByRole('link', { name: username, exact: true }) });
      await row.getByText(texts[is]).waitFor();
    }
    for (const [name, text] of Object.entries(filters) as [keyof typeof filters, string][]) {
      const number = numberIn(name);
      const chip = page.getByRole('search').getByRole('button', { name: `${text} ${number}`, exact: true });
      await chip.click();
      await expect.poll(() => rows.count()).toBe(number);
      await chip.click();
    }
    await page.goto('/');
    const counts = page.getByRole('list', { name: 'Why' });
    for (const name of ['silent', 'overdue', 'behind', 'slowing', 'not_started'] as const)
      await counts.getByRole('button', { name: `${filters[name]} ${numberIn(name)}` }).waitFor();
    expect(problems).toEqual([]);

    // Of more students than the service computes states for, only those that need no goals are offered.
    await app.query(
      `INSERT INTO users (username, email, display_name, password_hash)
       SELECT 'user' || n, 'user' || n || '@example.org', 'User ' || n, '-' FROM generate_series(1, 2001) AS n`,
    );
    const refused: string[] = [];
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
    await page.goto('/admin/students');
    const silent = page.getByRole('search').getByRole('button', { name: `Silent 7 days ${numberIn('silent')}` });
    await silent.click();
    await expect.poll(() => rows.count()).toBe(numberIn('silent'));
    expect(await page.getByRole('button', { name: 'Not started' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });
});
