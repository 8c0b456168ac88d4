import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, textOf, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`comparisons with an earlier time ${noBrowser || ''}`, () => {
  /** Noon on a Friday. */
  const clock = createTestClock(new Date('2026-11-20T12:00:00Z'));
  let app: WebApp;
  let admin: Account;
  let group: number;
  beforeAll(async () => {
    app = await startWebApp({ clock });
    admin = await app.createAccount({ role: 'admin' });
    const { token } = await app.createUser({ role: 'admin' });
    const as = app.as({ ...admin, role: 'admin', token });
    const students = [
      await app.createAccount({ display_name: 'Ann' }),
      await app.createAccount({ display_name: 'Bob' }),
    ];
    const user_ids = students.map(({ id }) => id);
    group = (await as.post('/api/admin/groups', { name: 'Class 3b', user_ids }).expect(201)).body.data.id;
    const [project] = await app.query<{ id: number }>(
      "INSERT INTO projects (name, user_id, category) VALUES ('Algebra', $1, 'academic') RETURNING id",
      [admin.id],
    );
    const study = (index: number, from: string, hours: number) =>
      app.query(
        `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
         VALUES ($1, $2, $3, $4, $4::timestamptz + make_interval(hours => $5), '', 'manual', 'UTC')`,
        [students[index]?.id, admin.id, project?.id, from, hours],
      );
    await study(0, '2026-11-20T08:00:00Z', 2);
    await study(0, '2026-11-13T11:00:00Z', 2); // an hour of it by noon
    await study(1, '2026-11-13T15:00:00Z', 3); // later on that day
    const holiday = { name: 'Holiday', from: '2026-11-11', to: '2026-11-11', kind: 'off' };
    await as.post('/api/admin/school-days', holiday).expect(201);
  });
  afterAll(() => app?.stop());

  async function open(where: string) {
    const { page } = await app.openAs(admin);
    await page.clock.setFixedTime(clock());
    await page.goto(where);
    return page;
  }

  test('the first page compares with last Friday by this time, and the figure beside its line has this week', async () => {
    const page = await open('/');
    // Bob had not studied by noon.
    await page.getByText('same as this time last Fri').waitFor();
    await page.getByText('vs this time last week').waitFor();
    await page.getByRole('img', { name: 'Hours of the last weeks: 0, 0, 0, 0, 0, 0, 5, 2' }).waitFor();
  });

  test('a class is compared with the same part of the week before, and unequal school days are named', async () => {
    const page = await open(`/admin/groups/${group}`);
    await page.getByTitle('vs the period before by this time').getByText('100').waitFor();
    await page.getByText('5 school days in this period, 4 in the other.').waitFor();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: '1 h more than on 9–13 Nov' }).waitFor();
    await page.getByText('Both up to this time.').waitFor();
    await page.getByText('5 school days in this period, 4 in the other.').waitFor();
    const students = page.getByRole('list', { name: 'Each student, both periods' });
    await students.getByRole('img', { name: '1 h, now 2 h' }).waitFor();
    expect(await students.getByRole('img', { name: '0 min, now 0 min' }).count()).toBe(1); // Bob
    const projects = page.locator('section', { has: page.getByRole('heading', { name: 'Which projects moved' }) });
    await projects
      .getByRole('listitem')
      .filter({ hasText: 'Algebra' })
      .getByRole('img', { name: '1 h, now 2 h' })
      .waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const [head, ann, bob] = (await textOf(await downloading)).split('\r\n');
    expect(head).toContain('"hours","other_hours","change"');
    expect(ann).toMatch(/"Ann","?2"?,"?1"?,"?1"?/);
    expect(bob).toMatch(/"Bob","?0"?,"?0"?,"?0"?/);
  });

  test('a printed report says the same', async () => {
    const page = await open(`/admin/groups/${group}`);
    await page.getByRole('link', { name: 'Print reports' }).click();
    await page.getByText('Period before, by this time').first().waitFor();
  });

  test('hours after a week without any are no “same”', async () => {
    await app.query("DELETE FROM study_sessions WHERE started_at < '2026-11-14'");
    const page = await open('/');
    await page.getByText('none by this time last week').waitFor();
  });
});
