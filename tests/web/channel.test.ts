import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../support/servers/webhook-receiver.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`a channel of one's own ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ settings: { WEBHOOK_TARGETS: 'any' } });
  });
  afterAll(() => app?.stop());

  test('is tested with the values of the form, saved without showing its address, and removed', async () => {
    const receiver = await startReceiver(() => 200);
    const { page, problems } = await app.openAs(await app.createAccount(), {}, '/me/study');
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Channel' }) });
    await card.getByRole('combobox', { name: 'Your channel' }).selectOption('url');
    await card.getByRole('textbox', { name: 'Address' }).fill('nowhere');
    await card.getByRole('button', { name: 'Send a test message' }).click();
    await card.getByText('must be an address such as').waitFor();
    await card.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await card.getByRole('button', { name: 'Send a test message' }).click();
    await card.getByText('The test message arrived').waitFor();
    await card.getByRole('combobox', { name: 'When my streak ends today' }).selectOption('20');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved: http://127.0.0.1').waitFor();
    expect(await card.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('');
    await card.getByRole('combobox', { name: 'Your channel' }).selectOption('none');
    await card.getByRole('button', { name: 'Remove channel' }).click();
    await expect
      .poll(async () => (await app.query('SELECT count(*)::integer AS count FROM channels'))[0])
      .toEqual({ count: 0 });
    expect(problems).toEqual([]);
  });
});
