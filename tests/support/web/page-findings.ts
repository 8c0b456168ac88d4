import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import type { Look } from './web-app.ts';

type Finding = { id: string; nodes: { html: string }[] };
declare const document: { elementFromPoint: (x: number, y: number) => never };
declare const axe: { run: (options: object) => Promise<{ violations: Finding[] }> };
const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const runAxe = (page: Page, runOnly: object): Promise<Finding[]> =>
  page.evaluate(async (only) => (await axe.run({ runOnly: only, resultTypes: ['violations'] })).violations, runOnly);

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Texts that are the same in both languages: names of products, keys, settings and time zones, and user input. */
const latinAllowed =
  /Studytrack|WCAG|Toggl|Clockify|ntfy|Ctrl|Shift|English|CSV|PDF|https:\/\/|\.ics|JPEG|started_at|ended_at|UTC|GMT|[A-Z]+_[A-Z]+|[A-Z]\w+\/\w+|Chrome|Linux|(account|admin|user)\d+|@|example|^\s*$/;

/** Rules that do not apply behind a modal dialog; axe recognises such a dialog in wide windows only. */
const ofWholePages = ['landmark-one-main', 'page-has-heading-one'];

/** Reads every text node, in the page. */
const readTexts = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (!['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION'].includes(node.parentElement.tagName)) texts.push(node.textContent);
  return texts;
})()`;

/** Charts get their new width in the frame after the window's. */
const afterResize = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** The element that ends farthest to the right, in the page. */
const readWidest = `(() => {
  const ends = [...document.querySelectorAll('body *')].map((element) => [element.getBoundingClientRect().right, element]);
  return ends.reduce((a, b) => (b[0] > a[0] ? b : a))[1].outerHTML.slice(0, 200);
})()`;

/** The shown texts that are smaller than the smallest size of the design, in the page. */
const readTiny = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.textContent.trim() !== '' && !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(node.parentElement.tagName);
    const isTiny = isText && parseFloat(getComputedStyle(node.parentElement).fontSize) < 12;
    if (isTiny && node.parentElement.checkVisibility() && !node.parentElement.closest('svg')) texts.push(node.textContent);
  }
  return texts;
})()`;

/** The texts of the elements that are covered or cut off at their middle. */
export const coveredOf = (elements: Locator): Promise<(string | null)[]> =>
  elements.evaluateAll((all) =>
    all
      .filter((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })
      .map(({ textContent }) => textContent),
  );

/** Each is checked in both themes, which differ in colours only. Phones are checked at 320 px as well. */
export const looksOfFeature: Look[] = [
  { language: 'en', width: 1280 },
  { language: 'zh', width: 360 },
];

/** Violations of WCAG 2.2 AA, horizontal scrolling, tiny texts and texts in the other language. */
export async function findingsOf(page: Page, look: Look): Promise<string[]> {
  return [...(await violationsOf(page)), ...(await layoutFindingsOf(page, look))];
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' }); // disables colour transitions
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await source);
  const violations = await runAxe(page, { type: 'tag', values: tags });
  await page.emulateMedia({ colorScheme: 'dark' });
  violations.push(...(await runAxe(page, { type: 'rule', values: ['color-contrast'] })));
  const isCovered = (await page.locator('[aria-modal=true], [role=dialog]').count()) > 0;
  return violations
    .filter(({ id }) => !(isCovered && ofWholePages.includes(id)))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Horizontal scrolling, tiny texts and texts in the other language. */
export async function layoutFindingsOf(page: Page, { language = 'en', width = 1280 }: Look): Promise<string[]> {
  let overflow = 0;
  let widest = '';
  for (const narrow of width === 360 ? [360, 320] : [width, 768]) {
    await page.setViewportSize({ width: narrow, height: 800 });
    await page.evaluate(afterResize);
    overflow = Math.max(overflow, Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')));
    if (overflow > 0 && widest === '') widest = String(await page.evaluate(readWidest));
  }
  await page.setViewportSize({ width, height: 800 });
  const texts: string[] = await page.evaluate(readTexts);
  const tiny: string[] = await page.evaluate(readTiny);
  const foreign = language === 'zh' ? /[A-Za-z]{2,}/ : /\p{Script=Han}/u;
  return [
    ...(overflow > 0 ? [`scrolls horizontally by ${overflow} px: ${widest}`] : []),
    ...tiny.map((text) => `smaller than 12 px: ${text}`),
    ...texts
      .filter((text) => foreign.test(text) && !latinAllowed.test(text) && !/^(繁體)?中文$/.test(text))
      .map((text) => `language: ${text}`),
  ];
}
