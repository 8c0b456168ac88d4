import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { findingsAtBothWidths } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`administrators set the school year ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const now = new Date('2026-11-27T12:00:00Z');
  const daysInStore = () =>
    app.query<{ name: string; kind: string; days: string; group_id: number | null }>(
      `SELECT name, kind, first_day || '/' || last_day AS days, group_id FROM school_days ORDER BY first_day`,
    );

  test('adds a term and days off, changes them in the list, deletes them and undoes that', async () => {
    const { page, problems } = await app.openAs(
      await app.createAccount({ role: 'admin' }),
      { now },
      '/admin/school-year',
    );
    await app.createUser();
    await page.getByText('There are no terms in this school year yet.').waitFor();
    await page.getByRole('button', { name: 'Add term' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add term' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Autumn term');
    await dialog.getByRole('textbox', { name: 'From – to' }).fill('1 Sep 2026 – 23 Jan 2027');
    await dialog.getByRole('textbox', { name: 'Name' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('week 13 of 21 · 40 of 104 school days left').waitFor();

    await page.getByRole('button', { name: 'Make it days off' }).click();
    expect(await page.getByRole('textbox', { name: 'From – to' }).inputValue()).toMatch(/^24 Jan 2027 – \d/);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Add days off' }).click();
    const dates = page.getByRole('textbox', { name: 'From – to' });
    await dates.fill('30 Nov 2026 – 11 Dec 2026');
    await page.getByRole('textbox', { name: 'Name' }).fill('Sports days');
    await page.getByText('10 school days', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Select the dates' }).click();
    await page.getByRole('button', { name: /Monday,? 30 November/ }).click();
    await page.getByText('Now select the other day.').waitFor();
    await page.getByRole('button', { name: /Tuesday,? 1 December/ }).click();
    expect(await dates.inputValue()).toBe('30 Nov 2026 – 1 Dec 2026');
    expect(await page.getByRole('button', { name: 'Whole school' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByText('2 school days, Mon–Tue').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /Sports days/ });
    await row.getByText('Day off').waitFor();
    await page.getByText('38 of 102 school days left').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });

    await row.getByRole('button', { name: /^Edit Sports days/ }).click();
    await page.getByRole('button', { name: 'School day', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const days = { name: 'Sports days', kind: 'school_day', days: '2026-11-30/2026-12-01', group_id: null };
    await expect.poll(daysInStore).toEqual([days]);

    await row.getByRole('button', { name: /^Edit Sports days/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Sports days was deleted.').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /Sports days, .*Deleted \d\d:\d\d/ })
      .waitFor();
    await expect.poll(daysInStore).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('School day').waitFor();
    expect(await daysInStore()).toEqual([days]);
    expect(problems).toEqual([]);
  });

  test('shows what days would change before they are saved, and what a deletion has changed', async () => {
    await app.query('DELETE FROM terms');
    await app.query('DELETE FROM school_days');
    const admin = await app.createAccount({ role: 'admin' });
    const student = await app.createUser({ display_name: 'Ava Johnson' });
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const project = (await app.as(student).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data.id;
    for (const back of [1, 2, 5])
      await app
        .as(student)
        .post(`/api/projects/${project}/sessions`, { started_at: `${day(back)}T00:10:00Z`, duration_seconds: 3600 })
        .expect(201);
    const stored = await daysInStore();
    const { page, problems } = await app.openAs(admin, {}, '/admin/school-year');
    await page.getByRole('button', { name: 'Add days off' }).click();
    const effect = page
      .locator('section, div')
      .filter({ has: page.getByRole('heading', { name: 'What this changes' }) });
    await effect.getByText('Enter dates to see').last().waitFor();
    const written = (back: number) =>
      new Date(Date.now() - back * 86_400_000).toLocaleDateString('en-GB', {
        ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
      });
    await page.getByRole('textbox', { name: 'From – to' }).fill(`${written(4)} – ${written(3)}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Sports days');
    await effect.getByText('The streak of 1 student changes').last().waitFor();
    await effect.getByText('Ava Johnson: 2 → 3 days').last().waitFor();
    await effect.getByText('For example, the streak of Ava Johnson').last().waitFor();
    expect(await page.getByRole('figure').getByRole('listitem').count()).toBe(7);
    await effect.getByText('Recorded time stays as it is').last().waitFor();
    expect(await effect.getByText(/^No reminders/).count()).toBe(0);
    await page.getByRole('textbox', { name: 'From – to' }).fill(`${written(4)} – ${written(-1)}`);
    await effect
      .getByText(/^No reminders to \d+ students? on these days$/)
      .last()
      .waitFor();
    await effect.getByText('Time recorded on these days stays as it is: 2 h.').last().waitFor();
    expect(await daysInStore()).toEqual(stored);
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'What this changes' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add days off' }).click();
    await page.getByRole('textbox', { name: 'From – to' }).fill(`${written(4)} – ${written(3)}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Sports days');
    await effect.getByText('Ava Johnson: 2 → 3 days').last().waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = page.getByRole('status').filter({ hasText: /Sports days, .*Saved \d\d:\d\d/ });
    await saved.waitFor();
    await page.getByText('Ava Johnson: 2 → 3 days').waitFor();
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);

    let compute = () => {};
    const computed = new Promise<void>((resolve) => {
      compute = resolve;
    });
    await page.route('**/school-days?dry_run=true', async (route) => {
      await computed;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Edit Sports days/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /Sports days, .*Deleted \d\d:\d\d/ })
      .waitFor();
    expect(await daysInStore()).toEqual(stored);
    compute();
    await page.getByText('Ava Johnson: 3 → 2 days').waitFor();
    expect(problems).toEqual([]);
  });

  test('imports a calendar after a preview, in which each event can be chosen', async () => {
    await app.query('DELETE FROM school_days');
    const admin = await app.createAccount({ role: 'admin' });
    const { page, problems } = await app.openAs(admin, { now }, '/admin/school-year');
    await page.getByRole('button', { name: 'Import .ics' }).click();
    const send = (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        ...{ name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) },
      });
    await send('name,from,to');
    await page.getByText('is no calendar in iCalendar format').waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
    const event = (name: string, ...lines: string[]) => ['BEGIN:VEVENT', `SUMMARY:${name}`, ...lines, 'END:VEVENT'];
    const lines = [
      ...event('National Day', 'DTSTART;VALUE=DATE:20261001', 'DTEND;VALUE=DATE:20261008'),
      ...event('National Day, make-up', 'DTSTART;VALUE=DATE:20261010'),
      ...event('Parents’ evening', 'DTSTART:20261112T180000', 'DTEND:20261112T200000'),
      ...event('Every New Year', 'DTSTART;VALUE=DATE:20270101', 'RRULE:FREQ=YEARLY'),
    ];
    await send(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'));
    await page.getByRole('row', { name: /Every New Year.*Repeats/ }).waitFor();
    await page.getByRole('button', { name: 'Add 2 entries' }).waitFor();
    await page.getByText('No current streak and no goal changes.').last().waitFor();
    await page.getByRole('row', { name: /National Day 1–7 Oct 2026/ }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const box = await page.getByLabel('Parents’ evening becomes').boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(375);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Parents’ evening becomes').selectOption('School day');
    await page.getByLabel('National Day, make-up becomes').selectOption('Not imported');
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);
    expect(await daysInStore()).toEqual([]);
    await page.getByRole('button', { name: 'Add 2 entries' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /2 entries were added\..*Saved \d\d:\d\d/ })
      .waitFor();
    const whole = { group_id: null };
    expect(await daysInStore()).toEqual([
      { name: 'National Day', kind: 'off', days: '2026-10-01/2026-10-07', ...whole },
      { name: 'Parents’ evening', kind: 'school_day', days: '2026-11-12/2026-11-12', ...whole },
    ]);
    expect(problems).toEqual([]);
  });

  test('pictures show holidays, excused days and make-up days', async () => {
    await app.query('DELETE FROM school_days');
    const head = await app.createUser({ role: 'admin' });
    const account = await app.createAccount({ display_name: 'Ava Johnson' });
    const student = await signIn(app, account);
    const made = await app.as(head).post('/api/admin/groups', { name: 'Year 12 A', user_ids: [student.id] });
    const date = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const entry = (name: string, back: number, kind = 'off') =>
      app
        .as(head)
        .post('/api/admin/school-days', { name, from: date(back), to: date(back), kind })
        .expect(201);
    await entry('Sports day', 0);
    await entry('Make-up day', 1, 'school_day');
    const excuse = { from: date(2), to: date(2), reason: 'Ill' };
    await app.as(head).post(`/api/admin/users/${student.id}/days-off`, excuse).expect(201);
    const project = (await app.as(student).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data.id;
    const record = { started_at: `${date(3)}T00:10:00Z`, duration_seconds: 3600 };
    await app.as(student).post(`/api/projects/${project}/sessions`, record).expect(201);

    const { page, problems } = await app.openAs(account, {}, '/');
    await page.getByRole('link', { name: /, Sports day, day off$/ }).waitFor();
    const calendar = page.locator('[role=application]');
    await calendar.focus();
    await calendar.press('ArrowUp');
    await page.getByText(/ · Sports day, day off$/).waitFor();
    await calendar.press('ArrowUp');
    await page.getByText(/ · Make-up day, make-up day$/).waitFor();
    await calendar.press('ArrowUp');
    await page.getByText(/ · Ill, excused$/).waitFor();
    expect(await calendar.locator('[data-off]').count()).toBe(2);
    await page.goto(`${app.origin}/records?view=week`);
    await page.getByRole('heading', { name: /Sports day, day off/ }).waitFor();
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);

    const teacher = await app.openAs(
      await app.createAccount({ role: 'admin' }),
      {},
      `/admin/groups/${made.body.data.id}`,
    );
    await teacher.page.getByText(/: Sports day, day off/).waitFor();
    const row = teacher.page
      .getByRole('link', { name: /^Ava Johnson/ })
      .filter({ has: teacher.page.locator('[data-day]') });
    await expect.poll(() => row.locator('[data-off]').count()).toBe(2);
    await row.locator('[data-off]').first().hover();
    await teacher.page.getByText(/^Ava Johnson.* · excused$/).waitFor();
    expect(await findingsAtBothWidths(teacher.page, 'en')).toEqual([]);
    await teacher.page.goto(`${app.origin}/admin/students/${student.id}`);
    await teacher.page.locator('[data-day-off]').first().waitFor();
    expect(await teacher.page.locator('[data-day-off]').count()).toBe(2);
    expect(await teacher.page.locator('title', { hasText: 'Ill, excused' }).count()).toBe(1);
    expect([...problems, ...teacher.problems]).toEqual([]);
  });

  test('a term of the school can be chosen by its name, wherever a period can', async () => {
    await app.query('DELETE FROM terms');
    const head = await app.createUser({ role: 'admin' });
    const student = await app.createUser({ display_name: 'Ben Baker' });
    const made = await app.as(head).post('/api/admin/groups', { name: 'Year 12 C', user_ids: [student.id] });
    const date = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const add = (name: string, from: number, to: number) =>
      app
        .as(head)
        .post('/api/admin/terms', { name, from: date(from), to: date(to) })
        .expect(201);
    await add('First term', 250, 150);
    await add('Second term', 120, -30);
    const project = (await app.as(student).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data.id;
    const record = { started_at: `${date(200)}T10:10:00Z`, duration_seconds: 3600 };
    await app.as(student).post(`/api/projects/${project}/sessions`, record).expect(201);

    const { page, problems } = await app.openAs(
      await app.createAccount({ role: 'admin' }),
      {},
      `/admin/groups/${made.body.data.id}?period=term`,
    );
    await page.getByRole('button', { name: 'Second term' }).waitFor();
    expect(await page.getByRole('button', { name: 'Later' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByRole('button', { name: 'First term' }).waitFor();
    await page.goto(`${app.origin}/statistics?user=${student.id}`);
    await page.getByRole('button', { name: 'Second term' }).waitFor();
    await page.getByRole('button', { name: 'Period before' }).click();
    await page.getByRole('button', { name: 'First term' }).waitFor();
    await page.goto(`${app.origin}/admin/reports?students=${student.id}`);
    await page.getByRole('button', { name: 'First term' }).click();
    await expect.poll(() => page.url()).toContain(`from=${date(250)}`);
    await page.goto(`${app.origin}/admin/groups/${made.body.data.id}?tab=compare&period=term`);
    await page.getByRole('option', { name: /^First term, / }).waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });

  test('a class teacher changes the days of their class only', async () => {
    const head = await app.createUser({ role: 'admin' });
    const group = (await app.as(head).post('/api/admin/groups', { name: 'Year 12 B' }).expect(201)).body.data.id;
    const holiday = { name: 'New Year', from: '2027-01-01', to: '2027-01-03', kind: 'off' };
    await app.as(head).post('/api/admin/school-days', holiday).expect(201);
    const teacher = await app.createAccount({ role: 'admin' });
    const scope = { admin_scope: 'groups', admin_group_ids: [group] };
    await app.as(head).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
    await app.query('DELETE FROM terms'); // the list is of the present term
    const { page } = await app.openAs(teacher, { now }, '/admin/school-year');
    await page.getByRole('row', { name: /New Year/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Edit|Add term|Make it/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add days off' }).click();
    await page.getByRole('textbox', { name: 'From – to' }).fill('12 Nov 2026');
    await page.getByRole('textbox', { name: 'Name' }).fill('Field trip');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Field trip.*Year 12 B/ }).waitFor();
    await expect.poll(daysInStore).toContainEqual({
      name: 'Field trip',
      kind: 'off',
      days: '2026-11-12/2026-11-12',
      group_id: group,
    });
  });
});
