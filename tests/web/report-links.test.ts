import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { type FullApp, findingsAtBothWidths, startFullApp } from '../support/web/every-page.ts';
import { noBrowser } from '../support/web/web-app.ts';

const languages = [['en'], ['zh']] as const;

describe.skipIf(noBrowser)(`links to reports ${noBrowser || ''}`, () => {
  let app: FullApp;
  beforeAll(async () => {
    app = await startFullApp();
  });
  afterAll(() => app?.stop());

  const share = async (page: Page) => {
    await page.getByRole('button', { name: /^(Share the report of|分享)/ }).click();
    await page.getByRole('dialog').waitFor();
  };

  test('a report says how the period compares, which goals are late, and the median of a class of five', async () => {
    const [{ id: group = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO groups (name) VALUES ('Five') RETURNING id`,
    );
    onTestFinished(async () => {
      await app.query(`UPDATE projects SET due_date = NULL WHERE id = $1`, [app.projectId]);
      await app.query('DELETE FROM groups WHERE id = $1', [group]);
    });
    const people = [app.student];
    while (people.length < 5) people.push(await app.createAccount());
    await app.query('INSERT INTO group_members (group_id, user_id) SELECT $1, unnest($2::bigint[])', [
      group,
      people.map(({ id }) => id),
    ]);
    await app.query(`UPDATE projects SET due_date = current_date - 2 WHERE id = $1`, [app.projectId]);
    const admin = await app.createAccount({ role: 'admin' });
    const { page } = await app.openAs(admin, {}, `/admin/reports?group=${group}`);
    await page.getByText('The goal is late.').waitFor();
    await page.getByRole('rowheader', { name: 'Overdue' }).waitFor();
    const medians = page.getByText('Median of the class'); // shown once the reports of all five are read
    await medians.nth(4).waitFor();
    expect(await medians.count()).toBe(5);
    await page.goto(`/admin/reports?students=${app.student.id}`);
    await page.getByText('The goal is late.').waitFor();
    expect(await page.getByText('Median of the class').count()).toBe(0);
    // A goal that is neither late nor on track.
    const [, beginner = app.student] = people;
    const project = { name: '789', category: 'hobby', target_hours: 10, due_date: '2099-01-01' };
    await app
      .as(await signIn(app, beginner))
      .post('/api/projects', project)
      .expect(201);
    await page.goto(`/admin/reports?students=${beginner.id}`);
    await page.getByRole('rowheader', { name: 'Not started' }).waitFor();
    expect(await page.getByText(/goal/).count()).toBe(0);
  });

  test.each(languages)(
    'an administrator shares a report, anyone opens and prints it, and revoking ends it: %s',
    async (language) => {
      const admin = await app.createAccount({ role: 'admin', display_name: '456' });
      await app.query("UPDATE users SET display_name = '123' WHERE id = $1", [app.student.id]);
      const { page } = await app.openAs(admin, { language }, `/admin/reports?students=${app.student.id}`);
      await page.getByRole('table').waitFor();
      await share(page);
      await page.getByRole('button', { name: /^(Create link|创建链接)$/ }).click();
      const address = await page.getByRole('textbox', { name: /^(Link|链接)$/ }).inputValue();
      const shared = new URL(address);
      expect(shared.pathname).toBe('/reports/shared');
      expect({ dialog: await findingsAtBothWidths(page, language) }).toEqual({ dialog: [] });

      const visitor = await app.openPage(await app.openContext({ language }));
      const sent: string[] = [];
      visitor.page.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''));
      await visitor.page.goto(shared.pathname + shared.hash);
      await visitor.page.getByRole('table').waitFor();
      expect(sent.filter((text) => text.includes(shared.hash.slice(1)))).toEqual([]);
      expect(await visitor.page.locator('main').textContent()).not.toContain('789'); // the note of the records
      expect({ report: await findingsAtBothWidths(visitor.page, language) }).toEqual({ report: [] });
      await visitor.page.emulateMedia({ media: 'print' });
      expect(await visitor.page.getByRole('banner').isVisible()).toBe(false);
      await visitor.page.emulateMedia({ media: 'screen' });

      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Revoke|撤销)/ })
        .click();
      await page.getByRole('dialog').getByRole('alertdialog').waitFor(); // the dialog does not cover it
      await page
        .getByText(/^(There are no valid links\.|没有有效链接。)$/)
        .first()
        .waitFor();
      await visitor.page.reload();
      await visitor.page.getByRole('heading', { level: 1, name: /^(This link is not valid|链接无效)$/ }).waitFor();
      expect({ invalid: await findingsAtBothWidths(visitor.page, language) }).toEqual({ invalid: [] });
    },
  );
});
