import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const poll = { timeout: 15_000 };
/** At noon, so that the day does not end meanwhile. */
const now = new Date((Math.floor(Date.now() / 86_400_000) + 0.5) * 86_400_000);
const names = ['Algebra', 'Biology', 'Chemistry', 'Drawing'];

/** The hues of all that names one project only, by its name. */
async function namedHues(page: Page): Promise<Record<string, string[]>> {
  const shown = await page.locator('main [data-hue]').evaluateAll((elements) =>
    elements.map((element) => ({
      hue: element.getAttribute('data-hue') ?? '',
      text: `${element.getAttribute('aria-label') ?? ''} ${element.textContent ?? ''}`,
    })),
  );
  const found: Record<string, string[]> = {};
  for (const { hue, text } of shown) {
    const [name, ...others] = names.filter((one) => text.includes(one));
    if (name !== undefined && others.length === 0) found[name] = [...new Set([...(found[name] ?? []), hue])];
  }
  return found;
}

describe.skipIf(noBrowser)(`the hue of a project ${noBrowser || ''}`, () => {
  let app: WebApp;
  let owner: Account;
  let member: Account;
  let admin: Account;
  beforeAll(async () => {
    app = await startWebApp({ clock: createTestClock(now) });
    owner = await app.createAccount();
    member = await app.createAccount();
    admin = await app.createAccount({ role: 'admin' });
    // Biology has the id of Algebra plus twelve: by their ids they would have the same hue. Two others have chosen ones.
    await app.query(
      `INSERT INTO projects (id, name, user_id, status, color) OVERRIDING SYSTEM VALUE VALUES (1001, 'Algebra', $1, 'active', NULL),
         (1013, 'Biology', $1, 'active', NULL), (1014, 'Chemistry', $1, 'active', 7), (1015, 'Drawing', $1, 'paused', 9)`,
      [owner.id],
    );
    await app.query(
      `INSERT INTO project_assignments (project_id, owner_id, project_created_at, user_id, position)
       SELECT id, user_id, created_at, $1, 1 FROM projects WHERE user_id = $2`,
      [member.id, owner.id],
    );
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT u, p.user_id, p.id, at, at + interval '4 minutes', '', 'manual', 'UTC' FROM unnest($1::bigint[]) u,
         projects p, LATERAL (SELECT date_trunc('day', $2::timestamptz, 'UTC') + p.id % 5 * interval '5 minutes' AS at) t`,
      [[owner.id, member.id], now],
    );
  });
  afterAll(() => app?.stop());

  const drawn = (page: Page) =>
    page.locator('main svg rect[data-hue]').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('data-hue')));
  const people = { owner: () => owner, member: () => member };
  test.each([
    ['owner', 1280],
    ['owner', 360],
    ['member', 1280],
    ['member', 360],
  ] as const)('is the same on all pages of its %s, %i px wide', async (person, width) => {
    const { page, problems } = await app.openAs(people[person](), { width, now }, '/projects');
    await page.locator('main article').nth(3).waitFor();
    const known = await namedHues(page);
    expect(known).toMatchObject({ Chemistry: ['7'], Drawing: ['9'] });
    const hues = names.flatMap((name) => known[name] ?? []).toSorted();
    expect(new Set(hues).size).toBe(4);
    for (const where of ['/records', '/records?view=list', '/statistics']) {
      await page.goto(where);
      await expect.poll(() => namedHues(page).then((found) => [where, found]), poll).toEqual([where, known]);
    }
    await expect.poll(() => drawn(page).then((found) => [...new Set(found)].toSorted()), poll).toEqual(hues);
    await page.goto('/');
    await expect.poll(() => drawn(page).then((found) => [...new Set(found)].toSorted()), poll).toEqual(hues);
    const { Drawing: _paused, ...active } = known;
    expect(await namedHues(page)).toMatchObject(active);
    expect(problems).toEqual([]);
  });

  test('that somebody has chosen is also that on the page of the student', async () => {
    const { page } = await app.openAs(admin, { now }, `/admin/students/${owner.id}`);
    await page.locator('main li[data-hue]').nth(3).waitFor();
    expect(await namedHues(page)).toMatchObject({ Chemistry: ['7'], Drawing: ['9'] });
  });
});
