import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { startReceiver } from '../support/servers/webhook-receiver.ts';
import { clickLabel, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`a channel of one's own ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ settings: { WEBHOOK_TARGETS: 'any', SMTP_URL: 'smtp://127.0.0.1:9' } });
  });
  afterAll(() => app?.stop());

  const cardOf = (page: Page) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Reminders and channel' }) });

  test('is tested with the values of the form, saved without showing its address, and removed', async () => {
    const receiver = await startReceiver(() => 200);
    const { page, problems } = await app.openAs(await app.createAccount(), {}, '/me/study');
    const card = cardOf(page);
    await card.getByRole('button', { name: 'Own address' }).click();
    await card.getByRole('textbox', { name: 'Address' }).fill('nowhere');
    await card.getByRole('button', { name: 'Send a test message' }).click();
    await card.getByText('must be an address such as').waitFor();
    await card.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await card.getByRole('button', { name: 'Send a test message' }).click();
    await card.getByText('The test message arrived').waitFor();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByRole('button', { name: 'Change Address' }).waitFor();
    expect(await card.getByRole('textbox', { name: 'Address' }).inputValue()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/…/);
    await card.getByRole('button', { name: 'None' }).click();
    await card.getByRole('button', { name: 'Remove channel' }).click();
    await expect
      .poll(async () => (await app.query('SELECT count(*)::integer AS count FROM channels'))[0])
      .toEqual({ count: 0 });
    expect(problems).toEqual([]);
  });

  test('what is saved of a robot is kept until it is changed', async () => {
    const account = await app.createAccount();
    const user = app.as(await signIn(app, account));
    const robot = { kind: 'feishu', secret: 'hush', url: 'http://127.0.0.1:9/hook/abcd' };
    await user.put('/api/me/channel', robot).expect(200);
    const { page, problems } = await app.openAs(account, {}, '/me/study');
    const card = cardOf(page);
    const saved = async () => {
      const { has_secret, keyword, address } = (await user.get('/api/me/channel').expect(200)).body.data;
      return { has_secret, keyword, address };
    };
    await card.getByRole('textbox', { name: 'Keyword' }).fill('study');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect.poll(saved).toEqual({ has_secret: true, keyword: 'study', address: 'http://127.0.0.1:9/…abcd' });

    await card.getByRole('button', { name: 'Change Signing secret' }).click(); // and left empty
    await card.getByRole('button', { name: 'Change Address' }).click();
    const field = card.getByRole('textbox', { name: 'Address' });
    expect(await field.evaluate((input) => input.matches(':focus'))).toBe(true);
    await field.fill('http://127.0.0.1:9/hook/wxyz');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect.poll(saved).toEqual({ has_secret: false, keyword: 'study', address: 'http://127.0.0.1:9/…wxyz' });
    expect(problems).toEqual([]);
  });

  test('each kind goes by mail, by the channel, by both or not at all; each choice is saved at once', async () => {
    const account = await app.createAccount();
    const user = app.as(await signIn(app, account));
    await user.put('/api/me/channel', { kind: 'ntfy', url: 'http://127.0.0.1:9/mei' }).expect(200);
    const { page, problems } = await app.openAs(account, {}, '/me/study');
    const card = cardOf(page);
    await card.getByRole('columnheader', { name: 'ntfy' }).waitFor();
    expect(await card.getByRole('columnheader').allTextContents()).toEqual(['What', 'When', 'Mail', 'ntfy']);
    const wanted = async () => [
      (await user.get('/api/auth/me').expect(200)).body.data.streak_reminder_hour,
      (await user.get('/api/me/channel').expect(200)).body.data.streak_hour,
    ];
    const said = (text: string) => card.getByRole('status').getByText(text).waitFor();

    await card.getByRole('textbox', { name: 'Access token' }).fill('typed');
    const [byMail, byChannel] = ['mail', 'ntfy'].map((way) =>
      card.getByRole('checkbox', { name: `Streak at risk by ${way}` }),
    );
    if (byMail === undefined || byChannel === undefined) throw new Error('two ways');
    await byChannel.focus();
    await page.keyboard.press('Space');
    await said('Streak at risk by ntfy is on.');
    expect(await byChannel.evaluate((box) => box.matches(':focus'))).toBe(true);
    expect(await wanted()).toEqual([null, 20]);
    await clickLabel(byMail);
    await said('Streak at risk by mail is on.');
    await card.getByRole('combobox', { name: 'Streak at risk: when' }).selectOption('18');
    await said('Streak at risk is sent from 18:00.');
    expect(await wanted()).toEqual([18, 18]);
    await clickLabel(byChannel);
    await said('Streak at risk by ntfy is off.');
    expect(await wanted()).toEqual([18, null]);
    // What is typed in the form of the channel stays.
    expect(await card.getByRole('textbox', { name: 'Access token' }).inputValue()).toBe('typed');

    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, json: {} }));
    await clickLabel(byMail);
    await card.getByRole('alert').waitFor();
    expect(await byMail.isChecked()).toBe(true);
    expect(problems).toEqual([]);
  });
});
