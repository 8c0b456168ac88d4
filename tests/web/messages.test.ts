import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`writing to students ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } }); // mails are queued only
  });
  afterAll(() => app?.stop());

  test('sends a mail to each selected student; what is typed is kept until it is sent', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    for (const display_name of ['Lin Wei', 'Wang Fang']) await app.createAccount({ display_name });
    const { page, problems } = await app.openAs(admin, {}, '/admin/students');
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    const write = page.getByRole('button', { name: 'Write to 2' });
    const dialog = page.getByRole('dialog', { name: 'Write to 2 students' });
    await write.click();
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('Piano');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await write.click();
    expect(await dialog.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Piano');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('is required').waitFor();
    await dialog.getByRole('textbox', { name: 'Message' }).fill('On Friday.\nBring a book.');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Sent to 2 students.').waitFor();
    const queued = "SELECT count(*) AS number FROM background_jobs WHERE queue = 'messages'";
    expect(await app.query(queued)).toEqual([{ number: 2 }]);
    await write.click();
    expect(await dialog.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });
});
