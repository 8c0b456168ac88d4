import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { runJob } from '../support/contact.ts';
import { createProject } from '../support/records.ts';
import { startReceiver } from '../support/servers/webhook-receiver.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { clickLabel, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator manages webhooks ${noBrowser || ''}`, () => {
  let app: WebApp;
  let admin: Account;
  beforeAll(async () => {
    app = await startWebApp({ settings: { WEBHOOK_TARGETS: 'any' } });
    admin = await app.createAccount({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  test('creates one, sees the secret once, sends a test, and replays a failed delivery', async () => {
    const receiver = await startReceiver(() => 500);
    const { page, problems } = await app.openAs(admin, {}, '/');
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Webhooks' }).click();
    await page.getByText('There are no webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('nowhere');
    await clickLabel(dialog.getByRole('checkbox', { name: 'Project created' }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('must be an address').waitFor();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const secret = page.getByRole('textbox', { name: 'Secret' });
    expect(await secret.inputValue()).toMatch(/^whsec_/);

    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: receiver.url }) });
    await card.getByRole('button', { name: 'Send a test' }).click();
    const list = card.getByRole('list', { name: 'Deliveries' });
    await list.getByText('waiting').waitFor();
    await runJob(app, 'deliver webhooks');
    await list.getByText('HTTP_500').waitFor();
    await card.getByText('1 failure').waitFor();
    receiver.respondWith(() => 204);
    await app.query(`UPDATE webhook_deliveries SET state = 'failed'`);
    await app.query('DELETE FROM background_jobs');
    await app.query('UPDATE webhooks SET paused_until = NULL');
    await list.getByRole('button', { name: /^Replay Test/ }).click();
    await expect
      .poll(async () => {
        await runJob(app, 'deliver webhooks');
        return receiver.received.length;
      })
      .toBe(2);
    await list.getByText('delivered').waitFor();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);

    await page.reload();
    await card.getByText('On', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await card.getByRole('button', { name: 'Switch off' }).click();
    await card.getByText('Off', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no webhooks yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test.each(looksOfFeature)('$language, $width px, both themes: accessible', async (look) => {
    await app.query('DELETE FROM webhooks');
    await app.query(
      `INSERT INTO webhooks (url, events, secret, active, disabled_reason, created_at, updated_at)
       SELECT 'https://1.example/' || repeat('0', 120), '{project.created,session.created,goal.reached}', 'sealed',
         reason IS NULL, reason, now(), now() FROM (VALUES (NULL), ('failures')) AS w (reason)`,
    );
    await createProject(app, await app.createUser({ role: 'admin' }), '123');
    await app.query('UPDATE webhooks SET skips_since = now()');
    await app.query(
      `UPDATE webhook_deliveries SET state = 'failed', attempts = 2, response_status = 500, response_text = repeat('0', 300)`,
    );
    const { page, problems } = await app.openAs(admin, look, '/admin/webhooks');
    await page.locator('main section').nth(1).waitFor();
    await page
      .getByRole('button', { name: look.language === 'zh' ? '投递记录' : 'Deliveries' })
      .first()
      .click();
    await page.locator('main time').waitFor();
    const allowed = /language: project:/;
    const found = { list: (await findingsOf(page, look)).filter((text) => !allowed.test(text)), form: [] as string[] };
    await page.getByRole('button', { name: look.language === 'zh' ? '新建推送' : 'New webhook' }).click();
    await page.getByRole('dialog').waitFor();
    found.form = (await findingsOf(page, look)).filter((text) => !allowed.test(text));
    expect({ ...found, problems }).toEqual({ list: [], form: [], problems: [] });
  });
});
