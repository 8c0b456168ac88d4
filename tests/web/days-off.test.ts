import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { findingsAtBothWidths } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`days off of a student ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const year = new Date().getUTCFullYear();
  const daysOf = (id: number) =>
    app.query<object>(
      `SELECT first_day || '/' || last_day AS days, reason, set_by = user_id AS own FROM days_off WHERE user_id = $1
       ORDER BY first_day`,
      [id],
    );

  test('are added, changed and deleted in the settings, too many are refused at the field', async () => {
    const student = await app.createAccount();
    const holiday = `INSERT INTO school_days (first_day, last_day, name, kind) VALUES ($1, $2, $3, 'off')`;
    await app.query(holiday, ['2020-01-01', '2020-01-03', 'Long ago']);
    await app.query(holiday, [`${year + 1}-01-01`, `${year + 1}-01-03`, 'New Year']);
    const { page, problems } = await app.openAs(student, {}, '/me/study');
    await page.getByText('60 of 60 left this year').waitFor();
    await page.getByText(/Next: 1.{1,3}3 Jan.*, New Year\./).waitFor();
    await app.query('DELETE FROM school_days');
    await page.getByRole('button', { name: 'Add days off' }).click();
    const dates = page.getByRole('textbox', { name: 'From – to' });
    await dates.fill(`1 Jan ${year} – 10 Mar ${year}`);
    await page.getByRole('textbox', { name: 'Reason' }).fill('Operation');
    const save = page.locator('form').filter({ hasText: 'Reason' }).getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText(/More than 60 days off in/).waitFor();
    await dates.fill(`11–1 Jan ${year}`);
    await page.getByText('Not two dates').waitFor();
    await dates.fill(`1–11 Jan ${year}`);
    await page.getByRole('textbox', { name: 'Reason' }).click();
    await save.click();
    await page.getByText('49 of 60 left this year').waitFor();
    await expect
      .poll(() => daysOf(student.id))
      .toEqual([{ days: `${year}-01-01/${year}-01-11`, reason: 'Operation', own: true }]);
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);
    await page.getByRole('button', { name: /^Edit 1–11 Jan/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The days off were deleted.').waitFor();
    await expect.poll(() => daysOf(student.id)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('are set by administrators on the page of the student, who cannot change these', async () => {
    const student = await app.createAccount();
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, `/admin/students/${student.id}`);
    await page.getByRole('button', { name: 'Excuse' }).click();
    await page.getByRole('textbox', { name: 'From – to' }).fill(`2 Feb ${year}`);
    await page.getByRole('textbox', { name: 'Reason' }).fill('Competition');
    await page.getByRole('region', { name: 'What this changes' }).getByText('No current streak and no goal').waitFor();
    expect(await daysOf(student.id)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Edit 2 Feb/ }).waitFor();
    await expect
      .poll(() => daysOf(student.id))
      .toEqual([{ days: `${year}-02-02/${year}-02-02`, reason: 'Competition', own: false }]);
    const own = (await app.openAs(student, {}, '/me/study')).page;
    await own.getByText('Competition · set by an administrator').waitFor();
    expect(await own.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  });

  test('shows what days off would change before they are saved', async () => {
    const account = await app.createAccount();
    const student = await signIn(app, account);
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    const project = (await app.as(student).post('/api/projects', { name: 'Algebra' }).expect(201)).body.data.id;
    for (const back of [1, 2, 4])
      await app
        .as(student)
        .post(`/api/projects/${project}/sessions`, { started_at: `${day(back)}T00:10:00Z`, duration_seconds: 3600 })
        .expect(201);
    const write = (back: number) =>
      new Date(Date.now() - back * 86_400_000).toLocaleDateString('en-GB', {
        ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
      });
    const [written, tomorrow] = [write(3), write(-1)];
    const admin = await app.createAccount({ role: 'admin' });
    for (const [who, path, add] of [
      [account, '/me/study', 'Add days off'],
      [admin, `/admin/students/${account.id}`, 'Excuse'],
    ] as const) {
      const { page, problems } = await app.openAs(who, {}, path);
      await page.getByRole('button', { name: add }).click();
      await page.getByRole('textbox', { name: 'From – to' }).fill(written);
      await page.getByRole('textbox', { name: 'Reason' }).fill('Ill');
      const effect = page.getByRole('region', { name: 'What this changes' });
      await effect.getByText('The streak changes from 2 to 3 days').waitFor();
      expect(await effect.getByRole('figure').getByRole('listitem').count()).toBe(7);
      await page.getByRole('textbox', { name: 'From – to' }).fill(`${written} to ${tomorrow}`);
      await effect.getByText('No reminders on these days').waitFor();
      await effect.getByText('Time recorded on these days stays as it is: 2 h.').waitFor();
      expect(await findingsAtBothWidths(page, 'en')).toEqual([]);
      expect([await daysOf(account.id), problems]).toEqual([[], []]);
    }
  });
});
