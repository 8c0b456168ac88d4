import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagesOf } from '../support/web/all-pages.ts';
import { type FullApp, startFullApp, untilLoaded } from '../support/web/every-page.ts';
import { noBrowser } from '../support/web/web-app.ts';

/** Other views of the pages. */
const views = {
  user: ['/records?view=day', '/records?view=list', '/projects/1?tab=records', '/statistics?kind=week'],
  admin: ['/admin/assign?view=grid', '/admin/students?view=projects', '/admin/students/1?tab=records'],
};

/** What ends beyond the window, and cannot be scrolled into it, texts that a box cuts off, and fields too narrow for a date; read in the page. */
const readBeyond = `(() => {
  const scrolls = (element) => element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const beyond = [...document.querySelectorAll('body *')].filter((element) => {
    const { width, right } = element.getBoundingClientRect();
    return width > 0 && right > innerWidth + 0.5 && !scrolls(element.parentElement);
  });
  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeName === '#text' && node.data.trim() !== '');
  const isCut = (end, box) => {
    if (box === null) return false;
    const { overflowX, textOverflow } = getComputedStyle(box);
    const { width, right } = box.getBoundingClientRect();
    if (['auto', 'scroll'].includes(overflowX) || textOverflow === 'ellipsis' || width < 2) return false;
    return (['hidden', 'clip'].includes(overflowX) && end > right + 1) || isCut(end, box.parentElement);
  };
  const cut = [...document.querySelectorAll('main *')].filter((element) => {
    const { width, right } = element.getBoundingClientRect();
    return width > 1 && hasText(element) && isCut(right, element.parentElement);
  });
  const ofDates = ['Select a date', '选择日期'].map((name) => 'main input:has(+ div > button[aria-label="' + name + '"])');
  const dates = [...document.querySelectorAll(ofDates)].filter(({ clientWidth }) => clientWidth < 120);
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const found = [...beyond.slice(0, 2), ...cut.slice(0, 2), ...dates.slice(0, 2)].map(({ outerHTML }) => outerHTML.slice(0, 160));
  return [...(overflow > 0 ? [overflow + ' px'] : []), ...found];
})()`;

describe.skipIf(noBrowser)(`windows of 320 px, as at 400 % zoom ${noBrowser || ''}`, () => {
  let app: FullApp;
  beforeAll(async () => {
    app = await startFullApp();
    const [project, person, group] = [
      'Preparation for the literature examination',
      'Maximiliane Hohenstein',
      'Class of 2027 B',
    ];
    await app.query('UPDATE projects SET name = $1 WHERE id = $2', [project, app.projectId]);
    await app.query('UPDATE users SET display_name = $1 WHERE id = $2', [person, app.student.id]);
    await app.query('UPDATE groups SET name = $1 WHERE id = $2', [group, app.groupId]);
  });
  afterAll(() => app?.stop());

  test.each([
    ['user', 'en'],
    ['user', 'zh'],
    ['admin', 'en'],
    ['admin', 'zh'],
  ] as const)(
    'role %s, %s: no page scrolls sideways, and nothing is cut off',
    async (role, language) => {
      const account = role === 'user' ? app.student : await app.createAccount({ role });
      const { page } = await app.openAs(account, { language, width: 320 }, '/help');
      const found: Record<string, unknown> = {};
      for (const where of [...pagesOf(app, role), ...views[role]]) {
        await page.goto(where);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await untilLoaded(page);
        // Charts get their width in the frame after that of the page.
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        const beyond = await page.evaluate(readBeyond);
        if ((beyond as unknown[]).length > 0) found[where] = beyond;
      }
      expect(found).toEqual({});
    },
    300_000,
  );

  test('with 200 % zoom one row is before the page, in which the open page is marked', async () => {
    const { page } = await app.openAs(app.student, { language: 'en', width: 720 }, '/records');
    await page.setViewportSize({ width: 720, height: 450 });
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    const open = page.getByRole('link', { name: 'Calendar' });
    const middles = [
      open,
      page.getByRole('button', { name: /^Account: / }),
      page.getByRole('button', { name: 'Search' }),
    ].map(async (each) => {
      const box = await each.first().boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) / 2;
    });
    const [calendar = 0, ...others] = await Promise.all(middles);
    expect(others.map((middle) => Math.abs(middle - calendar) < 8)).toEqual([true, true]);
    const weight = 'getComputedStyle(document.querySelector(\'nav a[href="/records"]\')).fontWeight';
    expect(await page.evaluate(weight)).toBe('600');
  });
});
