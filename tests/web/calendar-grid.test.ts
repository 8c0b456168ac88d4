import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coveredOf } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the calendar ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  /** A student with an hour of guitar at eight and one of piano at ten, on a Wednesday. */
  async function open(where = '/records?on=2026-11-18', look = {}) {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id) VALUES ('Guitar', $1), ('Piano', $1) RETURNING id, name)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, at, at + interval '1 hour', '', 'manual', 'UTC'
       FROM project, LATERAL (SELECT CASE name WHEN 'Guitar' THEN timestamptz '2026-11-18 08:00Z' ELSE '2026-11-18 10:00Z' END) t (at)`,
      [account.id],
    );
    const opened = await app.openAs(account, look, where);
    const block = (name: RegExp) => opened.page.getByRole('button', { name });
    const times = async (project = 'Guitar') => {
      const rows = await app.query<{ times: string }>(
        `SELECT to_char(started_at, 'DD HH24:MI') || to_char(ended_at, '–HH24:MI') AS times
         FROM study_sessions s JOIN projects p ON p.id = project_id
         WHERE s.user_id = $1 AND p.name = $2 ORDER BY started_at`,
        [account.id, project],
      );
      return rows.map((row) => row.times);
    };
    return { ...opened, account, block, times };
  }

  test('moves and resizes a record by keys, and changes its project', async () => {
    const { page, block, times, problems } = await open();
    await page.getByRole('heading', { level: 1, name: '16–22 November 2026' }).waitFor();
    const guitar = block(/^Guitar, 1 h, Wed 18 Nov, 08:00–09:00$/);
    await guitar.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
    await expect.poll(() => times()).toEqual(['17 08:30–09:15']);
    await page.keyboard.press('Enter');
    const form = page.getByRole('region', { name: 'Edit record' });
    await form.getByRole('combobox', { name: 'Project' }).selectOption('Piano');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => times('Piano')).toEqual(['17 08:30–09:15', '18 10:00–11:00']);
    expect(problems).toEqual([]);
  });

  test('a pointer moves, resizes and draws records in steps of 15 minutes; an overlap names the other record', async () => {
    const { page, block, times, problems } = await open();
    const guitar = block(/^Guitar, /);
    const drag = async (from: { x: number; y: number }, by: { x?: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + (by.x ?? 0), from.y + by.y, { steps: 4 });
      await page.mouse.up();
    };
    const place = async () => {
      const box = await guitar.boundingBox();
      if (box === null) throw new Error('not visible');
      return box;
    };
    const hour = ((await page.locator('[data-day]').first().boundingBox())?.height ?? 0) / 24;
    let box = await place();
    await drag({ x: box.x + 30, y: box.y + 20 }, { y: hour / 2 });
    await expect.poll(() => times()).toEqual(['18 08:30–09:30']);
    await block(/08:30–09:30/).waitFor();
    box = await place();
    await drag({ x: box.x + 30, y: box.y + box.height - 2 }, { y: -hour / 4 });
    await expect.poll(() => times()).toEqual(['18 08:30–09:15']);
    await block(/08:30–09:15/).waitFor();
    box = await place();
    await drag({ x: box.x + 30, y: box.y + 15 }, { y: hour * 1.5 });
    await page.getByText('It overlaps Piano, Wed 18 Nov, 10:00–11:00.').waitFor();
    await block(/08:30–09:15/).waitFor();
    box = await place();
    const width = box.width + 8;
    await drag({ x: box.x + 30 - width, y: box.y + 4 }, { y: hour * 1.5 });
    const form = page.getByRole('region', { name: 'Add record' });
    await form.getByRole('textbox', { name: 'Duration' }).waitFor();
    expect(await form.getByRole('textbox', { name: 'Duration' }).inputValue()).toBe('1 h 30');
    await form.getByRole('combobox', { name: 'Project' }).selectOption('Guitar');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => times()).toEqual(['17 08:30–10:00', '18 08:30–09:15']);
    expect(problems).toEqual([]);
  });

  test.each([
    { width: 1280, height: 720 },
    { width: 390, height: 700 },
  ])('the month of a date is whole and above its form: $width × $height', async ({ width, height }) => {
    const { page } = await open(undefined, { width });
    await page.setViewportSize({ width, height });
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByRole('button', { name: 'Select a date' }).click();
    const month = page.getByRole('group', { name: 'Select a date' });
    const { y = 0, height: size = 0 } = (await month.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + size).toBeLessThanOrEqual(height);
    expect(await coveredOf(month.getByRole('button'))).toEqual([]);
  });

  test('projects are legend, totals and filter; the list searches notes and totals the filter', async () => {
    const { page, account, block } = await open();
    const filter = page.getByRole('group', { name: 'Projects' });
    const all = ['All projects 2 h', 'Guitar 1 h', 'Piano 1 h', ''];
    await expect.poll(() => filter.getByRole('button').allTextContents()).toEqual(all);
    await filter.getByRole('button', { name: 'Piano 1 h' }).click();
    await block(/^Guitar, /).waitFor({ state: 'detached' });
    await app.query(
      "UPDATE study_sessions SET note = 'Scales' WHERE user_id = $1 AND started_at < '2026-11-18 09:00Z'",
      [account.id],
    );
    await page.goto('/records?view=list');
    await page.getByText('10:00–11:00').waitFor();
    await page.getByRole('searchbox', { name: 'Search records' }).fill('scal');
    await page.getByText('1 record, 1 h').waitFor();
    await page.getByText('10:00–11:00').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search records' }).fill('');
    await page.getByText('10:00–11:00').waitFor();
    const period = page.getByRole('combobox', { name: 'Period', exact: true });
    await period.selectOption('This month');
    await expect.poll(() => page.url()).toMatch(/from=\d{4}-\d\d-01$/);
    await period.selectOption('Select dates …');
    await page.getByLabel('From', { exact: true }).fill('18 Nov 2026');
    await page.getByText('2 records, 2 h').waitFor();
  });

  test('many projects take one row: the others are in a menu; the list totals all pages', async () => {
    const { page, account } = await open('/records');
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id) SELECT 'Subject ' || n, $1 FROM generate_series(1, 40) n RETURNING id, name)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, at, at + interval '5 minutes', '', 'manual', 'UTC'
       FROM project, LATERAL (SELECT timestamptz '2026-11-18 12:00Z' + substr(name, 9)::integer * interval '10 minutes') t (at)`,
      [account.id],
    );
    await page.goto('/records?on=2026-11-18');
    const filter = page.getByRole('group', { name: 'Projects' });
    const height = async () => (await filter.boundingBox())?.height;
    const before = await height();
    await filter.getByRole('button', { name: '37 more projects' }).click();
    expect(await height()).toBe(before);
    await page.getByRole('menuitem', { name: 'Subject 40 · 5 min' }).click();
    await filter.getByRole('button', { name: 'Subject 40 5 min', pressed: true }).waitFor();
    await page.goto('/records?view=list&from=2026-11-18&to=2026-11-18');
    await page.getByText('42 records, 5 h 20').waitFor();
    await page.locator('strong[data-hue]').first().waitFor();
  });

  test('a day and its agenda end together, within the window', async () => {
    const { page } = await open('/records?view=day&on=2026-11-18', { width: 1440 });
    const agenda = page.locator('section').filter({ has: page.getByRole('heading', { name: '2 records' }) });
    const grid = page.locator('[data-day]').first().locator('xpath=ancestor::section[1]');
    const ends = await Promise.all(
      [agenda, grid].map(async (part) => {
        const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
        return y + height;
      }),
    );
    expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 99))).toBeLessThanOrEqual(2);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    expect(await grid.getByRole('heading').count(), 'the day and its total are said once').toBe(0);
  });

  test('the line of now does not cross a record of a few seconds', async () => {
    const { page, account } = await open('/help');
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, min(id), now() - interval '5 seconds', now(), '', 'manual', 'UTC' FROM projects WHERE user_id = $1`,
      [account.id],
    );
    await page.goto('/records?view=day');
    const block = await page.getByRole('button', { name: /^Guitar, 0 min/ }).boundingBox();
    const line = await page.locator('[data-day] [class*="nowLine"]').boundingBox();
    const [end, start] = [(block?.y ?? 999) + (block?.height ?? 0), block?.y ?? 0];
    // In the first minutes of a day there is no room above the line.
    if (new Date().getUTCHours() > 0) expect(end).toBeLessThanOrEqual((line?.y ?? 0) + 1);
    expect(start).toBeGreaterThanOrEqual(0);
  });

  test('shows one day on a phone, and the list where there is no height', async () => {
    const { page } = await open('/records?on=2026-11-18', { width: 390 });
    await page.getByRole('heading', { level: 1, name: 'Wednesday, 18 November' }).waitFor();
    await page.setViewportSize({ width: 320, height: 200 });
    await page.getByText('10:00–11:00').waitFor();
  });
});
