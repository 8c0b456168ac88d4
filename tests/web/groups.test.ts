import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject } from '../support/records.ts';
import type { TestUser } from '../support/test-app.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator manages groups ${noBrowser || ''}`, () => {
  let app: WebApp;
  let other: TestUser;
  beforeAll(async () => {
    app = await startWebApp();
    other = await app.createUser({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  const open = async (where: string, look: Look = {}) =>
    app.openAs(await app.createAccount({ role: 'admin' }), look, where);
  async function addStudents(word: string, count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 1; n <= count; n += 1) ids.push((await app.createUser({ display_name: `${word} ${n}` })).id);
    return ids;
  }
  const addGroup = async (name: string, user_ids: number[] = []): Promise<number> =>
    (await app.as(other).post('/api/admin/groups', { name, user_ids }).expect(201)).body.data.id;
  const membersOf = async (id: number) =>
    (await app.query<{ id: number }>('SELECT user_id AS id FROM group_members WHERE group_id = $1', [id]))
      .map((row) => row.id)
      .sort((a, b) => a - b);
  const nameOf = async (id: number) =>
    (await app.query<{ name: string }>('SELECT name FROM groups WHERE id = $1', [id]))[0]?.name;
  const openMenu = async (page: Page, name: string, what: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };

  test('creates a group, adds several students at once, removes one, and undoes both', async () => {
    const students = await addStudents('Maker', 4);
    const { page, problems } = await open('/admin/groups');
    await page.getByText('Create the first class').waitFor();
    await page.getByRole('button', { name: 'New class' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Class 3b');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Class 3b' }).waitFor();
    await page.getByText('Nobody is in this class yet.').waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));

    await page.getByRole('button', { name: 'Add members' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add members to Class 3b' });
    await dialog.getByRole('searchbox', { name: 'Search students' }).fill('maker');
    await dialog.getByRole('row', { name: 'Maker 1' }).click();
    await dialog.getByRole('row', { name: 'Maker 3' }).click({ modifiers: ['Shift'] });
    await dialog.getByText('3 selected').waitFor();
    await dialog.getByRole('button', { name: 'Add 3 students' }).click();
    await page.getByText('3 members were added.').waitFor();
    await expect.poll(() => membersOf(id)).toEqual(students.slice(0, 3));

    await page.getByRole('button', { name: 'Remove Maker 2' }).press('Enter');
    await page.getByText('Maker 2 was removed from the class.').waitFor();
    expect(await membersOf(id)).toEqual([students[0], students[2]]);
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Members');
    const undo = (text: string) =>
      page.getByRole('alertdialog').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();
    await undo('Maker 2');
    await page.getByRole('button', { name: 'Remove Maker 2' }).waitFor();
    await undo('3 members');
    await page.getByText('Nobody is in this class yet.').waitFor();
    expect(await membersOf(id)).toEqual([]);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Classes' }).click();
    await page
      .getByRole('table', { name: 'Classes' })
      .getByRole('row', { name: /^Class 3b 0/ })
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('its students are the table of all students: with state and hours, sorted, selected, and walked through', async () => {
    const [first = 0, second = 0, former = 0] = await addStudents('Tabled', 3);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, p.user_id, p.id, now() - interval '3 hours', now() - interval '1 hour', '', 'manual', 'UTC'
       FROM projects p WHERE p.id = $2`,
      [second, await createProject(app, other, 'Tabled project')],
    );
    const id = await addGroup('Tabled class', [first, second, former]);
    await app.as(other).put(`/api/admin/users/${former}`, { status: 'inactive' }).expect(200);
    const { page, problems } = await open(`/admin/groups/${id}?tab=students`);
    const names = () => page.getByRole('table', { name: 'Students' }).locator('tbody th').allTextContents();
    await expect.poll(async () => (await names()).map((name) => name.slice(-8))).toEqual(['Tabled 1', 'Tabled 2']);
    await page.getByRole('button', { name: '4 weeks' }).click();
    await expect.poll(async () => (await names()).map((name) => name.slice(-8))).toEqual(['Tabled 2', 'Tabled 1']);
    await page.getByRole('row', { name: /Tabled 2.*2 h/ }).waitFor();
    await page
      .getByRole('table', { name: 'Deactivated' })
      .getByRole('row', { name: /Tabled 3/ })
      .waitFor();
    await page.getByRole('checkbox', { name: 'Select Tabled 1' }).check();
    await page.getByRole('region', { name: 'Selected students' }).getByText('1 selected').waitFor();
    await page.getByRole('link', { name: 'Tabled 2' }).click();
    await page.getByText('1 of 2 in Tabled class').waitFor();
    expect(problems).toEqual([]);
  });

  test('links to the board and the progress of its members', async () => {
    const id = await addGroup('Board class', await addStudents('Boarder', 2));
    const { page } = await open(`/admin/groups/${id}`);
    await openMenu(page, 'Board class', 'Progress');
    await expect.poll(() => new URL(page.url()).search).toBe(`?group_id=${id}`);
    await page.goBack();
    await page.getByRole('link', { name: 'Assign projects' }).click();
    await page.getByText(/^2 of \d+ shown/).waitFor();
    const chosen = page.getByRole('combobox', { name: 'Class' });
    await expect.poll(() => chosen.inputValue()).toBe(`${id}`); // the names of the classes are read separately
  });

  test('tells the mean of the shares of each student, and what a class has reached of a common target', async () => {
    const [diligent, idle] = [await app.createUser(), await app.createUser()];
    const own = await createProject(app, other, 'Own targets', 'active', { target_hours: 10, target_scope: 'each' });
    const common = await createProject(app, other, 'One target', 'active', { target_hours: 40 });
    await assign(app, own, diligent, idle);
    await assign(app, common, diligent, idle);
    await app.query(
      `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT u, (SELECT user_id FROM projects WHERE id = p), p, now() - at, now() - at + length, '', 'manual', 'UTC'
       FROM unnest($1::bigint[], $2::bigint[], '{1 day,2 days,3 days,20 days}'::interval[],
         '{20 hours,5 hours,10 hours,2 hours}'::interval[]) AS r (u, p, at, length)`,
      [
        [diligent.id, idle.id, diligent.id, diligent.id],
        [own, own, common, common],
      ],
    );
    const id = await addGroup('Measured class', [diligent.id, idle.id]);
    const { page, problems } = await open(`/admin/groups/${id}?tab=projects`, { width: 390 });
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Own targets').getByText('75 % on average').waitFor();
    await row('One target').getByText('30 % together').waitFor();
    await page.goto(`/admin/groups/${id}`);
    await page.getByText('last 14 days, 2 of 2 shown').waitFor();
    await page.getByText(/^30 h on \d of 14 days/).waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText(/^32 h on \d of 28 days/).waitFor({ state: 'attached' });
    await page.goto('/projects?sort=name&search=targets');
    await page.getByText('25 h in all · 10 h each').waitFor();
    expect(problems).toEqual([]);
  });

  test('merges members and names changed by two administrators, and shows conflicting names', async () => {
    const [first = 0, second = 0] = await addStudents('Shared', 2);
    const id = await addGroup('Shared class');
    const url = `/api/admin/groups/${id}`;
    const { page } = await open(`/admin/groups/${id}?tab=students`, { isLive: false });
    await page.getByRole('button', { name: 'Add members' }).click();
    await page.getByRole('searchbox', { name: 'Search students' }).fill('shared');
    await page.getByRole('row', { name: 'Shared 1' }).click();
    await app
      .as(other)
      .post(`${url}/members`, { add: [second] })
      .expect(200);
    await page.getByRole('button', { name: 'Add 1 student' }).click();
    await page.getByRole('button', { name: 'Remove Shared 2' }).waitFor();
    expect(await membersOf(id)).toEqual([first, second]);

    await openMenu(page, 'Shared class', 'Rename');
    await app
      .as(other)
      .post(`${url}/members`, { remove: [second] })
      .expect(200);
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    await name.fill('Renamed class');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed class' }).waitFor();
    expect(await membersOf(id)).toEqual([first]);

    await openMenu(page, 'Renamed class', 'Rename');
    await app.as(other).put(url, { name: 'Theirs' }).expect(200);
    await name.fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Changed elsewhere' });
    await conflict.getByRole('radio', { name: 'The other Theirs' }).waitFor();
    expect(await nameOf(id)).toBe('Theirs');
    await conflict.getByRole('radio', { name: 'Yours Mine' }).check();
    await conflict.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    expect(await nameOf(id)).toBe('Mine');
  });

  test('shows an error at the field for a taken name', async () => {
    await addGroup('Taken');
    const { page } = await open('/admin/groups?search=taken');
    await page.getByRole('button', { name: 'New class' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('TAKEN');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[aria-invalid]').waitFor();
  });

  test('deletes a group only if unchanged meanwhile, without deleting its members', async () => {
    const students = await addStudents('Leaver', 3);
    const id = await addGroup('Old class', students.slice(0, 2));
    const { page } = await open(`/admin/groups/${id}`, { isLive: false });
    await openMenu(page, 'Old class', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete the class Old class?' });
    await dialog.getByText('2 members').waitFor();
    await app
      .as(other)
      .post(`/api/admin/groups/${id}/members`, { add: students.slice(2) })
      .expect(200);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('Somebody else has just changed the class').waitFor();
    await dialog.getByText('3 members').waitFor();
    expect(await nameOf(id)).toBe('Old class');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Classes' }).waitFor();
    await page.getByText('The class Old class was deleted.').waitFor();
    expect(await nameOf(id)).toBeUndefined();
    const [left] = await app.query('SELECT count(*)::int AS count FROM users WHERE id = ANY($1)', [students]);
    expect(left).toEqual({ count: 3 });
    await page.goto(`/admin/groups/${id}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test.each(looksOfFeature)('$language, $width px, both themes: accessible', async (look) => {
    const id = await addGroup(`${look.width}`, (await addStudents('1', 12)).concat((await app.createAccount()).id));
    const { page, problems } = await open('/admin/groups', look);
    const found: Record<string, string[]> = {};
    const lookAt = async (name: string, wait: ReturnType<Page['locator']>) => {
      await wait.first().waitFor();
      found[name] = await findingsOf(page, look);
    };
    // Names of other tests are in English.
    await page.goto(`/admin/groups?search=${look.width}`);
    await lookAt('list', page.locator('main td').first());
    await page.goto('/admin/groups?search=none');
    await lookAt('none', page.locator('main p'));
    await page.goto(`/admin/groups/${id}`);
    await lookAt('group', page.locator('main li'));
    await page.goto(`/admin/groups/${id}?tab=students`);
    await lookAt('members', page.locator('main tbody th'));
    await page.locator('main [aria-haspopup]').click();
    await page.getByRole('menuitem').last().click();
    await lookAt('delete', page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^(Add members|添加成员)$/ }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('none');
    await lookAt('add', page.getByRole('dialog').getByRole('grid'));
    expect({ ...found, problems }).toEqual({
      ...Object.fromEntries(Object.keys(found).map((key) => [key, []])),
      problems: [],
    });
  });
});
