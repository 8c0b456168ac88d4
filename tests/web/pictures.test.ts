import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import type { Account } from '../support/accounts.ts';
import { createTestClock } from '../support/test-app.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

/** Required to render Chinese text. */
const chineseFont = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';
const missing = noBrowser || (existsSync(chineseFont) ? false : 'needs the package fonts-noto-cjk');

/** Fraction of differing pixels: tolerates another browser version, but not a moved line. */
const maxDifference = 0.005;

/** A Friday. */
const now = new Date('2026-11-20T12:00:00Z');
const phone: Look = { language: 'zh', width: 360, theme: 'dark', now };
const desktop: Look = { now };

/** The page takes the time of the service from its responses, whose `Date` is not that of the test clock. */
async function reloadAt(page: Page): Promise<void> {
  await page.route(/\/api\/(?!events)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), date: now.toUTCString() } });
  });
  await page.reload();
}

// `UPDATE_PICTURES=1 npm run test:web pictures` saves the current screenshots as reference.
describe.skipIf(missing)(`pages look as in tests/web/pictures ${missing || ''}`, () => {
  let app: WebApp;
  let student: Account;
  let admin: Account;
  beforeAll(async () => {
    app = await startWebApp({ clock: createTestClock(now) });
    student = await app.createAccount({ username: 'lin', email: 'lin@example.org', display_name: '林 Lin' });
    admin = await app.createAccount({
      username: 'chen',
      email: 'chen@example.org',
      display_name: 'Chen',
      role: 'admin',
    });
    await app.query(
      `WITH project AS (
         INSERT INTO projects (name, description, user_id, category, target_hours, created_at)
         VALUES ('Linear algebra', 'Eigenvalues', $1, 'academic', 90, '2026-09-01Z'),
           ('吉他', '', $1, 'hobby', 40, '2026-09-02Z') RETURNING id, name),
       record AS (
         SELECT n, timestamptz '2026-09-05 08:00Z' + n * interval '1 day' AS started_at
         FROM generate_series(0, 75) n WHERE n % 7 < 5)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, p.id, r.started_at, r.started_at + (1 + n % 3) * interval '40 minutes', 'Chapter ' || n, 'manual', 'UTC'
       FROM record r JOIN project p ON (p.name = '吉他') = (n % 4 = 0)`,
      [student.id],
    );
    await app.query(
      `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       SELECT 'Person ' || n, n || '@example.org', 'account_registration', 'May I have an account?', '192.0.2.1', 'test',
         at, at FROM generate_series(1, 4) n, LATERAL (SELECT timestamptz '2026-11-20Z' - n * interval '20 hours' AS at) t`,
    );
  });
  afterAll(() => app?.stop());

  async function compare(name: string, drawn: Buffer): Promise<string> {
    const file = path.join(import.meta.dirname, 'pictures', `${name}.png`);
    if (process.env['UPDATE_PICTURES'] !== undefined) {
      await writeFile(file, await sharp(drawn).png({ palette: true, colours: 256, effort: 10 }).toBuffer());
      return '';
    }
    const [actual, expected] = await Promise.all([raw(drawn), raw(await readFile(file))]);
    const { width, height } = actual.info;
    const isSameSize = expected.info.width === width && expected.info.height === height;
    const pixels = isSameSize ? pixelmatch(expected.data, actual.data, undefined, width, height) : width * height;
    if (pixels <= maxDifference * width * height) return '';
    const shown = path.join(projectRoot, 'dist', `${name}.png`); // stays after the run
    await writeFile(shown, drawn);
    return `${pixels} of ${width} × ${height} pixels differ; see ${shown}`;
  }

  test.each<[string, Look, string, () => Account | undefined]>([
    ['sign-in', desktop, '/', () => undefined],
    ['contact-phone', phone, '/contact', () => undefined],
    ['today-phone', phone, '/', () => student],
    ['statistics', { ...desktop, theme: 'dark' }, '/statistics', () => student],
    ['projects', desktop, '/projects', () => student],
    ['inbox', desktop, '/admin/inbox', () => admin],
  ])('%s', async (name, look, where, who) => {
    const account = who();
    const opened = account && (await app.openAs(account, look, where));
    const { page } = opened ?? (await app.openPage(await app.openContext(look), where));
    await reloadAt(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main :is(h2, article, form, table, li)').first().waitFor(); // shown after the heading
    await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' }); // loading indicators
    const captcha = page.locator('img[src^="data:"]');
    if (where === '/contact') await captcha.waitFor();
    expect(await compare(name, await page.screenshot({ animations: 'disabled', mask: [captcha] }))).toBe('');
  });
});

const raw = (image: Buffer) => sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
