import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createTestClock } from '../support/test-app.ts';
import { createStudent, friday } from '../support/web/student-of-week.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

type Way = 'replaceChild' | 'insertBefore';

/** Does to the page what a browser's translator does, and later to what has changed: each text in an element, marked. */
const translator = (way: Way) => `
  const ignored = 'script, style, svg, textarea, font, [translate=no]';
  const replaced = [];
  function show(text) {
    if (text.data.trim() === '' || text.parentElement === null || text.parentElement.closest(ignored)) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = '«' + text.data + '»';
    outer.append(inner);
    replaced.push([outer, text]);
    if ('${way}' === 'replaceChild') return text.replaceWith(outer);
    text.parentElement.insertBefore(outer, text);
    text.remove();
  }
  function showAll(root) {
    if (root instanceof Text) return show(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(show);
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') showAll(target);
      addedNodes.forEach(showAll);
    }
  });
  showAll(document.body);
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  window.showOriginal = () => {
    observer.disconnect();
    for (const [shown, text] of replaced) if (shown.isConnected) shown.replaceWith(text);
  };`;

describe.skipIf(noBrowser)(`a page that the browser translates ${noBrowser || ''}`, () => {
  const clock = createTestClock(friday);
  let app: WebApp;
  let student: Account;
  beforeAll(async () => {
    app = await startWebApp({ clock });
    student = await createStudent(app, {}, '2026-12-20');
  });
  afterAll(() => app?.stop());

  const shownOn = async (page: Page) => (await page.locator('main').allInnerTexts()).join();
  const textOf = async (page: Page) => (await shownOn(page)).replace(/[«»]/g, '');
  const press = (name: string) => (page: Page) => page.locator(`button:has-text("${name}")`).first().click();
  const pages: readonly [string, string, readonly ((page: Page) => Promise<unknown>)[]][] = [
    [
      'statistics',
      '/statistics',
      [press('Week'), press('Month'), press('All time'), press('By category'), press('Term')],
    ],
    ['projects', '/projects', [press('Completed'), press('Active')]],
    [
      'a new project',
      '/projects/new',
      [
        (page) => page.locator('button:has-text("Save")').click(),
        (page) => page.getByRole('textbox').first().fill('Piano'),
        (page) => page.getByRole('textbox').first().fill(''),
      ],
    ],
  ];

  for (const way of ['replaceChild', 'insertBefore'] as const satisfies readonly Way[])
    test.each(pages)(`by ${way}: %s show the same as without`, async (_name, path, steps) => {
      const { page: plain } = await app.openAs(student, {}, path);
      const { page, problems } = await app.openAs(student, {}, path);
      for (const each of [plain, page]) await each.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(async () => (await textOf(page)) === (await textOf(plain))).toBe(true);
      await page.evaluate(translator(way));
      expect(await shownOn(page)).toContain('«');
      expect(await textOf(page)).toBe(await textOf(plain));
      for (const step of steps) {
        await step(plain);
        await step(page);
        await expect.poll(async () => [await textOf(page)]).toEqual([await textOf(plain)]);
      }
      expect(problems).toEqual([]);
    });

  test('shows the original again, and goes on', async () => {
    const { page, problems } = await app.openAs(student, {}, '/statistics');
    await page.getByRole('heading', { name: 'By project' }).waitFor();
    const before = await textOf(page);
    await page.evaluate(translator('replaceChild'));
    await expect.poll(() => shownOn(page)).toContain('«');
    await page.evaluate('showOriginal()');
    await expect.poll(() => shownOn(page)).toBe(before);
    await page.getByRole('button', { name: 'Week', exact: true }).click();
    await page.getByText('16–20 Nov 2026').first().waitFor();
    expect(problems).toEqual([]);
  });
});
