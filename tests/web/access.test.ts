import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePixel } from '../support/one-pixel.ts';
import {
  type FullApp,
  findingsAtBothWidths,
  findingsOfPages,
  type States,
  startFullApp,
} from '../support/web/every-page.ts';
import { noBrowser } from '../support/web/web-app.ts';

const title = '%s, both widths, both themes: no violation of WCAG 2.2 AA, no horizontal scrolling, one language';
const languages = [['en'], ['zh']] as const;

describe.skipIf(noBrowser)(`every public page and every page of students ${noBrowser || ''}`, () => {
  let app: FullApp;
  beforeAll(async () => {
    app = await startFullApp();
  });
  afterAll(() => app?.stop());

  test.each(languages)(`signed out, ${title}`, async (language) => {
    const { page, problems } = await app.openPage(await app.openContext({ language }));
    const found: Record<string, string[]> = {};
    await page.getByRole('heading', { level: 1 }).waitFor();
    found['sign-in'] = await findingsAtBothWidths(page, language);
    await page.goto('/accessibility');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    found['accessibility'] = await findingsAtBothWidths(page, language);
    await page.goto('/contact');
    await page.locator('img[src^="data:"]').waitFor();
    found['contact'] = await findingsAtBothWidths(page, language);
    await page.locator('button[type=submit]').click();
    await page.locator('[aria-invalid]').first().waitFor();
    found['contact with errors'] = await findingsAtBothWidths(page, language);
    expect({ ...found, problems }).toEqual({
      'sign-in': [],
      accessibility: [],
      contact: [],
      'contact with errors': [],
      problems: [],
    });
  });

  /** Pages with an open dialog or another state. */
  const states: States = {
    'preview of an import': async (page) => {
      const rows = ['123,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z', '0,2026-11-01T08:30:00Z,2026-11-01T09:30:00Z'];
      const buffer = Buffer.from(['project_name,started_at,ended_at', ...rows].join('\n'));
      await page.goto('/records/import');
      await page.locator('input[type=file]').setInputFiles({ name: '123', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: /^(Continue|继续)$/ }).click(); // after the names of projects
      await page.getByRole('table').first().waitFor();
    },
    'cropping a cover': async (page) => {
      await page.goto(`/projects/${app.projectId}`);
      const file = { name: 'x.png', mimeType: 'image/png', buffer: await onePixel() };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('slider').first().waitFor();
    },
    'a conflict': async (page) => {
      await page.goto(`/projects/${app.projectId}/edit`);
      await page.locator('textarea').fill('0');
      await app.query(
        `UPDATE projects SET description = description || '1', updated_at = now() + interval '1 minute' WHERE id = $1`,
        [app.projectId],
      );
      await page.locator('button[type=submit]').click();
      await page.getByRole('radio').first().waitFor();
    },
    'a timer without a network': async (page, language) => {
      const names = language === 'zh' ? ['计时器', '开始', '连接状态'] : ['Timer', 'Start', 'Connection'];
      const [timer = '', start = '', connection = ''] = names;
      await page.goto('/');
      const button = page.getByRole('region', { name: timer }).getByRole('button', { name: start, exact: true });
      await button.waitFor();
      await page.context().setOffline(true);
      await button.click();
      await page.getByRole('region', { name: connection }).getByRole('button').click();
      await page.getByRole('region', { name: connection }).getByRole('listitem').waitFor();
    },
  };

  test.each(languages)(
    `a student with records, ${title}`,
    async (language) => {
      const pages = [
        '/',
        '/projects',
        '/projects/new',
        `/projects/${app.projectId}`,
        `/projects/${app.projectId}/edit`,
      ];
      const more = [
        '/records',
        '/records/import',
        '/statistics',
        '/awards',
        '/trash',
        '/me',
        '/me/study',
        '/me/sign-in',
        '/me/data',
        '/help',
        '/privacy',
        '/no/page',
      ];
      const opened = await app.openAs(app.student, { language });
      expect(await findingsOfPages(opened, [...pages, ...more], states, language)).toEqual({});
    },
    600_000,
  );

  test.each(languages)(
    `a student without data, ${title}`,
    async (language) => {
      const opened = await app.openAs(await app.createAccount(), { language });
      const pages = ['/', '/projects', '/records', '/statistics', '/awards', '/trash'];
      expect(await findingsOfPages(opened, pages, {}, language)).toEqual({});
    },
    600_000,
  );
});
