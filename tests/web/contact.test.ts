import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings } from '../support/contact.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the contact form ${noBrowser || ''}`, () => {
  const clock = createTestClock(new Date());
  let app: WebApp;
  let senders = 0;
  beforeAll(async () => {
    app = await startWebApp({ clock, settings: contactSettings });
  });
  afterAll(() => app?.stop());

  async function open({ where = '/contact', isClockSet = false } = {}) {
    const context = await app.openContext();
    if (isClockSet) await context.clock.install();
    senders += 1;
    await context.setExtraHTTPHeaders({ 'X-Forwarded-For': `198.51.100.${senders}` });
    const answers: string[] = [];
    context.on('response', async (response) => {
      if (!/json/.test(response.headers()['content-type'] ?? '') || !/captcha/.test(response.url())) return;
      answers.push((await response.json()).data.answer);
    });
    const opened = await app.openPage(context, where);
    return { ...opened, context, answers, email: `sender${senders}@example.org` };
  }

  async function fill(page: Page, email: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Name' }).fill('Mei Lin');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('textbox', { name: 'Message' }).fill('I would like an account.');
  }
  const characters = (page: Page) => page.getByRole('textbox', { name: 'Characters in the picture' });
  const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
  const requestsOf = (email: string) =>
    app.query('SELECT name, subject FROM contact_requests WHERE email = $1', [email]);
  const picture = (page: Page) => page.getByRole('img', { name: /^Picture/ }).getAttribute('src');

  test('by keyboard from the sign-in page, with a confirmation, and the draft is deleted', async () => {
    const { page, answers, email, problems } = await open({ where: '/' });
    await page.getByRole('link', { name: 'Request an account' }).press('Enter');
    await page.getByRole('radio', { name: 'An account' }).focus();
    await page.keyboard.press('ArrowDown');
    for (const text of ['Mei Lin', email, '', 'I forgot my password.']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await expect.poll(() => answers.length).toBe(1);
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab'); // past both buttons
    await page.keyboard.type(answers[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText(/^The answer comes to /).waitFor();
    await page.getByText(/Your number: \d+/).waitFor();
    expect(await requestsOf(email)).toEqual([{ name: 'Mei Lin', subject: 'password_reset' }]);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    expect(problems).toEqual([]);
  });

  test('on a phone the logo begins where the page does', async () => {
    const { page } = await app.openPage(await app.openContext({ width: 390 }), '/contact');
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    const [logo, title] = await Promise.all([page.locator('header svg').first().boundingBox(), heading.boundingBox()]);
    expect(logo?.x).toBe(title?.x);
  });

  test('errors are shown at their fields, the first one is focused, and the picture remains', async () => {
    const { page, answers, email } = await open();
    await fill(page, 'nobody');
    await page.getByRole('textbox', { name: 'Phone' }).fill('12');
    await expect.poll(() => answers.length).toBe(1);
    const [answer = ''] = answers;
    await characters(page).fill(answer);
    const first = await picture(page);
    await send(page);
    await page.getByText('Enter 11 digits that begin with 13 to 19').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('I would like an account.');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('textbox', { name: 'Phone' }).fill('');
    await page.getByText('Enter 11 digits that begin with 13 to 19').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).fill('M');
    await characters(page).fill(answer.slice(1));
    await send(page);
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    expect(await characters(page).inputValue()).toBe(answer.slice(1));
    expect(await picture(page)).toBe(first);
    await page.getByRole('textbox', { name: 'Name' }).fill('Mei Lin');
    await characters(page).fill(answer);
    await send(page);
    await page.getByText(/Your number: \d+/).waitFor();
    expect(answers).toHaveLength(1);
  });

  test('a used captcha is replaced automatically, and the other fields remain', async () => {
    const { page, answers, email } = await open();
    await fill(page, email);
    await expect.poll(() => answers.length).toBe(1);
    await characters(page).fill('zzzz');
    await send(page);
    await page.getByText('does not match the picture').waitFor();
    expect(await characters(page).inputValue()).toBe('');
    await expect.poll(() => answers.length).toBe(2);
    await page.getByRole('textbox', { name: 'Message' }).fill('Buy cheap viagra online now, click http://x.example');
    await characters(page).fill(answers.at(-1) ?? '');
    await send(page);
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('message');
    await expect.poll(() => answers.length).toBe(3);
    await page.getByRole('textbox', { name: 'Message' }).fill('I would like an account.');
    await characters(page).fill(answers.at(-1) ?? '');
    await send(page);
    await page.getByText(/Your number: \d+/).waitFor();
  });

  test('the draft survives a reload, and a message whose response was lost is received once', async () => {
    const { page, context, answers, email } = await open();
    await fill(page, email);
    await expect.poll(() => answers.length).toBe(1);
    await characters(page).fill(answers[0] ?? '');
    await context.route('**/api/contact/submit', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send(page);
    await page.getByRole('alert').waitFor();
    await context.unroute('**/api/contact/submit');
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('I would like an account.');
    await send(page);
    await page.getByText(/Your number: \d+/).waitFor();
    expect(await requestsOf(email)).toHaveLength(1);
  });

  test('the rate limit shows a countdown, and the text remains', async () => {
    const { page, answers, email } = await open({ isClockSet: true });
    for (const tries of [1, 2]) {
      await fill(page, email);
      await expect.poll(() => answers.length).toBe(tries);
      await characters(page).fill(answers.at(-1) ?? '');
      await send(page);
      if (tries === 1) {
        await page.getByText(/Your number: \d+/).waitFor();
        await page.goto('/contact');
      }
    }
    await page.getByRole('alert').getByText('within the last hour').waitFor();
    const timer = page.getByRole('timer');
    const seconds = async () => {
      const [, minutes, rest] = /again in 0:(\d\d):(\d\d)/.exec((await timer.textContent()) ?? '') ?? [];
      return 60 * Number(minutes) + Number(rest);
    };
    await expect.poll(seconds).toBeGreaterThan(3000);
    const before = await seconds();
    await page.clock.runFor(10_000);
    await expect.poll(seconds).toBeLessThanOrEqual(before - 10);
    expect(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('I would like an account.');
    clock.advance(3_600_000);
    await page.clock.runFor(3_600_000);
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  });

  test('an expired captcha is replaced before sending', async () => {
    const { page, answers, email } = await open({ isClockSet: true });
    await fill(page, email);
    await expect.poll(() => answers.length).toBe(1);
    await characters(page).fill(answers[0] ?? '');
    await page.clock.fastForward(301_000);
    await send(page);
    await page.getByText('expired after five minutes').waitFor();
    const focused = () => page.evaluate("document.activeElement.labels?.[0]?.textContent ?? ''");
    await expect.poll(focused).toBe('Characters in the picture');
    await expect.poll(() => answers.length).toBe(2);
    await characters(page).fill(answers.at(-1) ?? '');
    await send(page);
    await page.getByText(/Your number: \d+/).waitFor();
  });

  test('the audio captcha replaces the picture', async () => {
    const { page, answers, email, problems } = await open();
    const sent: unknown[] = [];
    page.on('request', (request) => request.url().endsWith('/submit') && sent.push(request.postDataJSON()));
    await fill(page, email);
    await expect.poll(() => answers.length).toBe(1);
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.getByText('Type the four that you hear.').waitFor();
    const seconds = "document.querySelector('audio').duration";
    await expect.poll(async () => Number(await page.evaluate(seconds))).toBeGreaterThan(1);
    await characters(page).fill(answers[0] ?? '');
    await send(page);
    await page.getByText('does not match the picture').waitFor();
    expect(sent).toEqual([expect.not.objectContaining({ captcha_id: expect.anything() })]);
    await page.getByRole('img', { name: /^Picture/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
