import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`charts ${noBrowser || ''}`, () => {
  /** A Friday. */
  const now = new Date('2026-11-20T12:00:00Z');
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock: createTestClock(now) });
  });
  afterAll(() => app?.stop());

  /** A student with a weekly goal and records of several projects, of the given length, in every week of a term. */
  async function createStudent(projects: readonly string[], minutes: number, goal: number | null = 3) {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (
         INSERT INTO projects (name, user_id, target_hours, weekly_goal_hours)
         SELECT name, $1, 40, $4 FROM unnest($2::text[]) name RETURNING id
       )
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, at, at + $3 * interval '1 minute' + extract(week FROM at) % 3 * interval '7 minutes', '', 'manual', 'UTC'
       FROM (SELECT id, row_number() OVER () AS hour FROM project) p
         JOIN generate_series('2026-09-01 08:00Z'::timestamptz, '2026-11-19', '4 days') day ON true,
         LATERAL (SELECT day + hour * interval '1 hour') AS record (at)
       WHERE (extract(day FROM day)::int + hour) % 3 > 0`,
      [account.id, projects, minutes, goal],
    );
    return account;
  }
  const chart = (page: Page) => page.locator('section:has(h2)', { has: page.locator('svg[role=img]') }).first();
  const topOf = async (element: Locator) => (await element.boundingBox())?.y;

  test.each([
    ['en', 1280],
    ['zh', 1280],
    ['en', 390],
    ['zh', 390],
  ] as const)(
    '%s, %i px: the chart stays where it is while the pointer moves over its bars',
    async (language, width) => {
      const names = ['Algebra', 'Chemistry', 'English literature', 'Geography', 'History of Europe'];
      const { page } = await app.openAs(await createStudent(names, 45), { language, width, now }, '/statistics');
      const drawing = chart(page).locator('svg[role=img]').first();
      await drawing.scrollIntoViewIfNeeded();
      const bars = chart(page).locator('button[aria-label*=":"], button[aria-label*="："]');
      const before = await topOf(drawing);
      const found: unknown[] = [];
      for (const bar of await bars.all()) {
        await bar.dispatchEvent('pointerover', { bubbles: true });
        await bar.dispatchEvent('pointerenter');
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        found.push(await topOf(drawing));
      }
      expect(found.length).toBeGreaterThan(10);
      expect([...new Set(found)]).toEqual([before]);
    },
  );

  test('on a phone the goal is named beside the bars', async () => {
    const { page } = await app.openAs(await createStudent(['Algebra'], 120), { width: 390, now }, '/statistics');
    const goal = chart(page).locator('text', { hasText: 'goal 3 h' });
    const left = (await goal.boundingBox())?.x ?? 0;
    const ends = await chart(page)
      .locator('rect[data-hue]')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(left);
  });

  test('axes name the hours of their lines exactly', async () => {
    const { page } = await app.openAs(await createStudent(['Algebra'], 5, null), { now }, '/statistics');
    await chart(page).locator('svg[role=img]').first().waitFor();
    const axis = await chart(page).locator('svg[aria-hidden=true] text').allTextContents();
    expect(axis).toEqual(['0 h', '0.25 h', '0.5 h']);
  });

  test('on a phone selects have an arrow of their own', async () => {
    const { page } = await app.openAs(await app.createAccount(), { width: 390 }, '/me/study');
    const select = page.getByRole('combobox').first();
    await select.waitFor();
    await select.evaluate((element) => element.setAttribute('data-tested', ''));
    const look = await page.evaluate(`(() => {
      const { appearance, backgroundImage, paddingRight } = getComputedStyle(document.querySelector('[data-tested]'));
      return { appearance, arrow: backgroundImage.startsWith('linear-gradient'), paddingRight };
    })()`);
    expect(look).toEqual({ appearance: 'none', arrow: true, paddingRight: '34px' });
  });
});
