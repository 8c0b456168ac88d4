import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { assign, createProject } from '../support/records.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the page of a project ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openOwner(look = {}) {
    const account = await app.createAccount({ display_name: 'Lin Wei' });
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    return { ...(await app.openAs(account, look, `/projects/${id}`)), account, id };
  }

  /** An action of the menu. */
  async function act(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  }

  /** Draws an image with a red left half and a blue right half in the browser. */
  const drawn = `(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 100 });
    const context = canvas.getContext('2d');
    context.fillStyle = 'red';
    context.fillRect(0, 0, 400, 100);
    context.fillStyle = 'blue';
    context.fillRect(400, 0, 400, 100);
    return canvas.toDataURL('image/png').split(',')[1];
  })()`;
  const choose = async (page: Page) => {
    const buffer = Buffer.from(String(await page.evaluate(drawn)), 'base64');
    await page.locator('input[type=file]').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer });
  };
  /** The colours of the stored cover: at the left, in the middle and at the right. */
  const colors = `(async () => {
    const image = document.querySelector('main img');
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 9, height: 1 });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, 9, 1);
    return [1, 4, 7].map((at) => {
      const [red, green, blue] = context.getImageData(at, 0, 1, 1).data;
      return red > 200 && blue < 50 ? 'red' : blue > 200 && red < 50 ? 'blue' : [red, green, blue].join(' ');
    });
  })()`;

  test('a target that lacks one second is at 99 %, for the student and for administrators', async () => {
    const { page, account, id } = await openOwner();
    await app.query(`UPDATE projects SET name = 'One second', target_hours = 1 WHERE id = $1`, [id]);
    const { page: adminPage } = await app.openAs(await app.createAccount({ role: 'admin' }));
    const study = (from: string, seconds: number) =>
      app.query(
        `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
         VALUES ($1, $1, $2, $3, $3::timestamptz + make_interval(secs => $4), '', 'manual', 'UTC')`,
        [account.id, id, from, seconds],
      );
    async function expectShown(percent: string) {
      for (const one of [page, adminPage]) {
        await one.goto(`${app.origin}/projects?search=One+second`);
        const meter = one.getByRole('progressbar', { name: /One second/ });
        await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe(percent);
      }
      await adminPage.getByText(`${percent} %`, { exact: true }).waitFor();
      await app.query(`UPDATE projects SET target_scope = 'each' WHERE id = $1`, [id]);
      await adminPage.goto(`${app.origin}/projects/${id}?tab=class`);
      const bar = adminPage.getByRole('table').getByRole('progressbar');
      await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe(percent);
      await app.query(`UPDATE projects SET target_scope = 'shared' WHERE id = $1`, [id]);
    }
    await study('2026-01-05T08:00:00Z', 3599);
    await expectShown('99');
    await study('2026-01-06T08:00:00Z', 1);
    await expectShown('100');
  });

  test('a cover is cropped by keyboard or dragging, uploaded, and removed', async () => {
    const { page, id, problems } = await openOwner();
    await choose(page);
    const dialog = page.getByRole('dialog', { name: 'Cover picture' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('main img').waitFor();
    const [left, , right] = (await page.evaluate(colors)) as string[];
    expect([left, right], 'the middle, as shown').toEqual(['red', 'blue']);

    await choose(page);
    const first = await page.locator('main img').getAttribute('src');
    await dialog.getByRole('slider', { name: 'Left to right' }).focus();
    await page.keyboard.press('Home');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('main img').getAttribute('src')).not.toBe(first);
    expect(await page.evaluate(colors)).toEqual(['red', 'red', 'red']);

    await choose(page);
    const box = await dialog.getByRole('img', { name: 'The part that is shown' }).boundingBox();
    if (box === null) throw new Error('no preview');
    await page.mouse.move(box.x + box.width - 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 5, box.y + 5, { steps: 5 });
    await page.mouse.up();
    const before = await page.locator('main img').getAttribute('src');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('main img').getAttribute('src')).not.toBe(before);
    expect(await page.evaluate(colors)).toEqual(['blue', 'blue', 'blue']);

    await act(page, 'Remove cover');
    await page.locator('main img').waitFor({ state: 'detached' });
    expect(await app.query('SELECT image FROM projects WHERE id = $1', [id])).toEqual([{ image: null }]);
    expect(problems).toEqual([]);
  });

  test('the hours of weeks are rounded once, and records are added with the button of the page', async () => {
    const { page, account, id } = await openOwner();
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, $2, at, at + interval '20 minutes', '', 'manual', 'UTC'
       FROM generate_series(date_trunc('day', now(), 'UTC') - interval '30 days', now() - interval '1 day', '1 day') AS at`,
      [account.id, id],
    );
    await page.reload();
    await page
      .getByText(/^Whole period/)
      .locator('..')
      .getByText('10 h', { exact: true })
      .waitFor();
    await page.getByRole('link', { name: /^Records/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Records' }).waitFor();
    await page.getByRole('link', { name: 'Add record' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add record' }).count()).toBe(0);
  });

  test('an invalid image file is reported', async () => {
    const { page } = await openOwner();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This picture cannot be read.').waitFor();
  });

  test('the owner sees the members with their hours, a member does not', async () => {
    const { page, id } = await openOwner();
    const member = await app.createAccount({ display_name: 'Mei Lin' });
    await assign(app, id, { ...member, role: 'user', token: '' });
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, now() - interval '3 hours', now() - interval '90 minutes', '', 'manual', 'UTC')`,
      [member.id, id],
    );
    await page.reload();
    await page.getByRole('link', { name: 'Class 1' }).click();
    await page.getByRole('row', { name: /Mei Lin .*1 h 30/ }).waitFor();
    const { page: other } = await app.openAs(member, {}, `/projects/${id}`);
    await other.getByRole('heading', { level: 1, name: 'Guitar' }).waitFor();
    await other.getByText('1 h 30').first().waitFor();
    const parts = other.getByRole('navigation', { name: 'Parts of the project' });
    expect(await parts.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Records 1', 'Awards 0']);
    expect(await other.getByRole('button', { name: 'More', exact: true }).count()).toBe(0);
  });

  test('administrators read the names of people in the last records, not their user names', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const student = await app.createUser({ display_name: 'Lin the Student' });
    const id = await createProject(app, admin, 'Named');
    await assign(app, id, student);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, $2, $3, now() - interval '2 hours', now() - interval '1 hour', '', 'manual', 'UTC')`,
      [student.id, admin.id, id],
    );
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, `/projects/${id}`);
    await page.getByRole('link', { name: 'Lin the Student' }).waitFor();
    expect(await page.getByRole('main').getByText(student.username).count()).toBe(0);
  });

  test('awards that several users have earned together are shown as theirs, apart from one’s own', async () => {
    const { page, id } = await openOwner();
    const member = await app.createAccount({ display_name: 'Mei Lin' });
    await assign(app, id, { ...member, role: 'user', token: '' });
    // The page may have read the project after the assignment: awards come with a new version, as the service gives them.
    await app.query(
      `WITH earned AS (INSERT INTO project_achievements (project_id, achievement_id) VALUES ($1, 1))
       UPDATE projects SET row_version = row_version WHERE id = $1`,
      [id],
    );
    await page.reload();
    await page.getByRole('link', { name: 'Awards 1' }).click();
    await page.getByRole('heading', { level: 2, name: 'Awards', exact: true }).waitFor();
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       VALUES ($1, (SELECT user_id FROM projects WHERE id = $2), $2, now() - interval '3 hours', now() - interval '1 hour', '', 'manual', 'UTC')`,
      [member.id, id],
    );
    await page.reload();
    await page.getByRole('link', { name: 'Class 1' }).click();
    await page.getByRole('heading', { level: 2, name: 'Awards of all members' }).waitFor();
    expect(await page.getByRole('link', { name: /^Awards \d/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Your own awards' }).click();
    await page.getByRole('heading', { level: 1, name: 'Awards' }).waitFor();
  });

  test('a weekly goal and a colour are chosen in the form and kept; the list is filtered by state', async () => {
    const { page, id, problems } = await openOwner();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Hours per week' }).fill('2.5');
    await page.getByRole('radio', { name: 'Honey' }).check({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('goal 2 h 30').first().waitFor();
    const stored = await app.query('SELECT weekly_goal_hours::float AS weekly, color FROM projects WHERE id = $1', [
      id,
    ]);
    expect(stored).toEqual([{ weekly: 2.5, color: 11 }]);
    await act(page, 'Mark as completed');
    await page.getByText('Finished at 0 min').waitFor();
    await page.goto('/projects');
    await page.getByRole('button', { name: 'Completed 1' }).click();
    await page.getByRole('article').getByRole('link', { name: 'Guitar' }).waitFor();
    await page.getByRole('button', { name: 'Active 0' }).click();
    await page.getByText('No project matches.').waitFor();
    await page.goto(`/projects/${id}`);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page
      .getByRole('button', { name: 'Start Guitar' })
      .or(page.getByRole('link', { name: 'Add record' }))
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('says what keeps the date, and what the weekly goal asks of today beyond it', async () => {
    const owner = await app.createAccount();
    const due_date = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
    const goals = { name: 'Piano', category: 'hobby', target_hours: 50, due_date, weekly_goal_hours: 14 };
    const created = await app.as(await signIn(app, owner)).post('/api/projects', goals);
    const { page, problems } = await app.openAs(owner, {}, `/projects/${created.body.data.id}`);
    await page.getByText(/^1\d min a day keeps the date; .+ today for the weekly goal$/).waitFor();
    expect(problems).toEqual([]);
  });

  test('an administrator creates one for several students, adds a cover, deletes and restores it', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const ids: number[] = [];
    for (const n of [1, 2, 3, 4]) ids.push((await app.createUser({ display_name: `Pupil ${n}` })).id);
    const { page, problems } = await app.openAs(admin, {}, '/projects');
    const { token } = await app.createUser({ role: 'admin' });
    const as = app.as({ ...admin, role: 'admin', token });
    await as.post('/api/admin/groups', { name: 'Class 3b', user_ids: ids.slice(0, 2) }).expect(201);
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mechanics');
    const list = page.getByRole('grid', { name: 'Students' });
    await list.waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('group', { name: 'Students' }).getByRole('alert').waitFor();
    await page.getByRole('combobox', { name: 'Class' }).selectOption('Class 3b');
    await page.getByRole('button', { name: 'Select all 2 shown' }).click();
    await page.getByRole('combobox', { name: 'Class' }).selectOption('All classes');
    await page.getByRole('searchbox', { name: 'Search students' }).fill('pupil 4');
    await list.getByRole('row', { name: 'Pupil 4' }).click();
    await page.getByText('3 selected').waitFor();
    await page.reload(); // the draft includes the selection
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    const assigned = () =>
      app.query('SELECT user_id FROM project_assignments WHERE project_id = $1 ORDER BY user_id', [id]);
    const three = [ids[0], ids[1], ids[3]].map((user_id) => ({ user_id }));
    expect(await assigned()).toEqual(three);
    await choose(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.locator('main img').waitFor();
    await act(page, 'Delete');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.goto('/trash');
    await page.getByRole('button', { name: 'Restore Mechanics' }).click();
    await page.getByText('The project was restored.').waitFor();
    expect(await assigned()).toEqual(three);
    expect(problems).toEqual([]);
  });
});
