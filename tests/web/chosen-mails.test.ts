import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../support/contact.ts';
import { addSession } from '../support/records.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import { createTestClock } from '../support/test-app.ts';
import { clickLabel, type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`mails that users choose ${noBrowser || ''}`, () => {
  const clock = createTestClock();
  let smtp: TestSmtpServer;
  let app: WebApp;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    app = await startWebApp({ clock, settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
  });
  afterAll(async () => {
    await app?.stop();
    await smtp?.stop();
  });
  beforeEach(() => {
    clock.set('2026-02-04T08:00:00Z'); // a Wednesday
  });

  async function mailAt(moment: string) {
    clock.set(moment);
    smtp.mails.length = 0;
    await runJob(app, 'send reminders');
    await runJob(app, 'send mails to account holders');
    return smtp.mails[0];
  }

  /** A student who studied on these days, on the page of their settings. */
  async function openStudent(days: readonly string[], look: Look = {}) {
    const account = await app.createAccount({ timezone: 'UTC' });
    const [{ id } = { id: 0 }] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    for (const day of days)
      await addSession(app, {
        ...{ project_id: id, user_id: account.id, started_at: `${day}T09:00:00Z`, ended_at: `${day}T10:00:00Z` },
      });
    return { ...(await app.openAs(account, look, '/me/study')), account };
  }
  const choices = (page: Page) => ({
    streak: page.getByRole('checkbox', { name: 'Streak at risk by mail' }),
    hour: page.getByRole('combobox', { name: 'Streak at risk: when' }),
    week: page.getByRole('checkbox', { name: '每周小结：邮件' }),
  });

  test('the streak at risk: chosen in the settings, stopped by a click in the mail program', async () => {
    const { page, account, problems } = await openStudent(['2026-02-02', '2026-02-03']);
    await page.getByText(account.email).waitFor();
    expect(await mailAt('2026-02-04T19:00:00Z')).toBeUndefined();
    await clickLabel(choices(page).streak);
    await page.getByRole('status').getByText('Streak at risk by mail is on.').waitFor();
    await choices(page).hour.selectOption({ label: 'From 19:00' });
    await expect.poll(async () => (await mailAt('2026-02-04T19:05:00Z'))?.recipients).toEqual([account.email]);
    const [mail] = smtp.mails;
    expect(mail?.subject).toBe('Study today to keep your streak (2)');

    // RFC 8058: the program sends this form to the address of the header.
    const header = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const address = new URL(/<([^>]+)>/.exec(header)?.[1] ?? 'http://no.link');
    const response = await fetch(app.origin + address.pathname + address.search, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(response.status).toBe(200);
    await page.reload();
    await choices(page).streak.waitFor({ state: 'attached' });
    expect(await choices(page).streak.isChecked()).toBe(false);
    expect(await choices(page).hour.isDisabled()).toBe(true);
    await app.query('DELETE FROM reminders');
    expect(await mailAt('2026-02-04T20:00:00Z')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('the week, in Chinese: stopped on the page of its link', async () => {
    const { page, context, account, problems } = await openStudent(['2026-02-02'], { language: 'zh' });
    await clickLabel(choices(page).week);
    await page.getByRole('status').getByText('已开启邮件提醒：每周小结。').waitFor();
    await expect
      .poll(() => app.query('SELECT weekly_mail FROM users WHERE id = $1', [account.id]))
      .toEqual([{ weekly_mail: true }]);
    const mail = await mailAt('2026-02-09T08:00:00Z');
    expect(mail?.recipients).toEqual([account.email]);
    const link = new URL(/http\S+\/unsubscribe#token=\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://no.link');
    const { page: stopping } = await app.openPage(context, link.pathname + link.hash);
    await stopping.getByRole('button', { name: '退订', exact: true }).click();
    await stopping.getByRole('heading', { name: '已退订，不会再收到此类邮件' }).waitFor();
    await page.reload();
    await choices(page).week.waitFor({ state: 'attached' });
    expect(await choices(page).week.isChecked()).toBe(false);
    expect(await mailAt('2026-02-16T08:00:00Z')).toBeUndefined();
    expect(problems).toEqual([]);
  });
});
