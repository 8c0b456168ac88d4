import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../support/web/student-of-week.ts';
import { noBrowser, signInOn, startWebApp, type WebApp } from '../support/web/web-app.ts';

/** Kilobytes of scripts and of the style sheet, compressed with gzip. */
const budget = { signedOut: 39, today: 91, all: 315, style: 29.4 };

describe.skipIf(noBrowser)(`the size of the application ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  /** Opens a page with an empty cache, and measures what it loads. */
  async function open(where: string) {
    const context = await app.openContext({ isLive: false }); // with events the network never becomes idle
    const loaded = new Set<string>();
    context.on('request', (request) => loaded.add(new URL(request.url()).pathname));
    const kilobytes = (type: RegExp) =>
      [...loaded].filter((path) => type.test(path)).reduce((sum, path) => sum + (app.gzipSize(path) ?? 0), 0) / 1000;
    return { ...(await app.openPage(context, where)), kilobytes };
  }

  test('the public pages', async () => {
    for (const [where, button] of [
      ['/', 'Sign in'],
      ['/contact', 'Send'],
    ] as const) {
      const { page, kilobytes } = await open(where);
      await page.getByRole('button', { name: button, exact: true }).waitFor();
      expect(kilobytes(/\.js$/), where).toBeLessThan(budget.signedOut);
      expect(kilobytes(/\.css$/)).toBeLessThan(budget.style);
    }
  });

  test('the first page of a student, with the sign-in', async () => {
    const { page, kilobytes } = await open('/');
    const due = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
    await signInOn(page, await createStudent(app, {}, due));
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Coming up' }).waitFor();
    await page.waitForLoadState('networkidle'); // parts that are loaded only if needed
    expect(kilobytes(/\.js$/)).toBeLessThan(budget.today);
  });

  test('the whole application', () => {
    const total = app.assets('.js').reduce((sum, path) => sum + (app.gzipSize(path) ?? 0), 0) / 1000;
    expect(total).toBeLessThan(budget.all);
  });
});
