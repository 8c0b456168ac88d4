import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../support/records.ts';
import type { TestUser } from '../support/test-app.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator assigns projects ${noBrowser || ''}`, () => {
  let app: WebApp;
  let owner: TestUser;
  beforeAll(async () => {
    app = await startWebApp();
    owner = await app.createUser({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  /** Creates projects and students whose names start with this word, to filter by it. */
  async function addClass(word: string, projects: number, students: number) {
    const created = { projects: [] as number[], students: [] as number[] };
    for (let n = 1; n <= projects; n += 1) created.projects.push(await createProject(app, owner, `${word} ${n}`));
    for (let n = 1; n <= students; n += 1)
      created.students.push((await app.createAccount({ display_name: `${word} ${n}` })).id);
    return created;
  }
  const pairsOf = async (projects: readonly number[]) =>
    (
      await app.query<{ pair: string }>(
        `SELECT project_id || ' ' || user_id AS pair FROM project_assignments WHERE project_id = ANY($1) ORDER BY 1`,
        [projects],
      )
    ).map(({ pair }) => pair);
  const allPairs = (projects: readonly number[], students: readonly number[]) =>
    projects.flatMap((project) => students.map((student) => `${project} ${student}`)).sort();
  const change = (assign_type: 'add' | 'remove', project_ids: readonly number[], user_ids: readonly number[]) =>
    app.as(owner).post('/api/projects/batch-assign', { project_ids, user_ids, assign_type }).expect(200);
  const openBoard = async (word: string, look: Look = {}) =>
    app.openAs(await app.createAccount({ role: 'admin' }), look, `/admin/assign?search=${word}&student=${word}`);
  const row = (page: Page, list: string, name: string) =>
    page.getByRole('grid', { name: list }).getByRole('row', { name });

  test('a board without projects and students says so, and offers to clear filters only if there are some', async () => {
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, '/admin/assign');
    await page.getByText('No projects yet.').waitFor();
    await page.getByText('No students yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search projects' }).fill('x');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('No projects yet.').waitFor();
  });

  test('assigns five projects to three students by keyboard, with preview and exact undo', async () => {
    const { projects, students } = await addClass('Key', 6, 4);
    await change('add', projects.slice(0, 2), students.slice(0, 1));
    const before = await pairsOf(projects);
    const { page, problems } = await openBoard('Key');
    await row(page, 'Projects', 'Key 1').focus();
    await page.keyboard.press('Space');
    for (let n = 0; n < 4; n += 1) await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('5 of 6 selected').waitFor();
    await row(page, 'Students', 'Key 1, in 2 of 5').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await row(page, 'Students', 'Key 1, in 2 of 5, will be in 5').waitFor();
    await page.getByRole('status').getByText('Staged: 13 added, 0 removed, 2 unchanged.').waitFor();
    await page.getByRole('button', { name: 'See details' }).press('Enter');
    await page.getByRole('dialog').getByText('added to: Key 3 · Key 4 · Key 5').waitFor();
    await page.keyboard.press('Escape');
    expect(await pairsOf(projects)).toEqual(before);
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByText('Done: 13 added, 0 removed.').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects.slice(0, 5), students.slice(0, 3)));
    await row(page, 'Students', 'Key 1, in 5 of 5').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    expect(await pairsOf(projects)).toEqual(before);
    expect(problems).toEqual([]);
  });

  test('a class is a row before the students that stands for its members', async () => {
    const { projects, students } = await addClass('Whole', 2, 3);
    const [, second = 0, third = 0] = students;
    await change('add', projects, [second]);
    await app.query(
      `WITH g AS (INSERT INTO groups (name) VALUES ('Whole class') RETURNING id)
      INSERT INTO group_members (group_id, user_id) SELECT g.id, unnest($1::bigint[]) FROM g`,
      [[second, third]],
    );
    const { page, problems } = await openBoard('Whole');
    const first = page.getByRole('grid', { name: 'Students' }).getByRole('row').first();
    await first.getByText('2 students').waitFor();
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await row(page, 'Students', 'Whole class, 1 of 2 assigned').click();
    await row(page, 'Students', 'Whole class, 1 of 2 assigned, will be 2').waitFor();
    await page.getByRole('status').getByText('Staged: 2 added, 0 removed, 0 unchanged.').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done: 2 added, 0 removed.').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects, [second, third]));
    await row(page, 'Students', 'Whole class, 2 of 2 assigned').click();
    await page.getByRole('status').getByText('Staged: 0 added, 4 removed, 0 unchanged.').waitFor();
    expect(problems).toEqual([]);
  });

  test('what to do covers nothing of the list in a narrow window', async () => {
    await addClass('Narrow', 12, 2);
    const { page } = await openBoard('Narrow', { width: 320 });
    const all = page.getByRole('button', { name: 'Select all 12' });
    await all.waitFor();
    const hint = page.getByText('Nothing changes until you apply it.');
    const [above, below] = [await all.boundingBox(), await hint.boundingBox()];
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  });

  test('works in Chinese on a phone, in two steps', async () => {
    const { projects, students } = await addClass('手机', 5, 3);
    await change('add', projects.slice(0, 1), students);
    const { page, problems } = await openBoard('手机', { language: 'zh', width: 360 });
    for (let n = 1; n <= 5; n += 1) await row(page, '项目', `手机 ${n}`).tap();
    await page.getByRole('button', { name: '下一步：学生' }).tap();
    for (let n = 1; n <= 3; n += 1) await row(page, '学生', `手机 ${n}`).tap();
    await page.getByText('待应用：新增 12，移除 0，不变 3。').waitFor();
    await page.getByRole('button', { name: '应用' }).tap();
    await page.getByText('已完成：新增 12，移除 0。').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects, students));
    await page.getByRole('button', { name: '撤销' }).tap();
    await page.getByText('已撤销。').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects.slice(0, 1), students).sort());
    expect(problems).toEqual([]);
  });

  test('does not cover the focused control on a phone', async () => {
    await addClass('Focus', 3, 2);
    const { page } = await openBoard('Focus', { width: 360 });
    await row(page, 'Projects', 'Focus 1').tap();
    // null for the body, otherwise the covered element or ''
    const covered = `(() => {
      const focused = document.activeElement;
      if (focused === document.body) return null;
      const { x, y, width, height } = focused.getBoundingClientRect();
      const above = document.elementFromPoint(x + width / 2, y + height / 2);
      return focused.contains(above) || above?.contains(focused) ? '' : focused.outerHTML;
    })()`;
    // Tabs through all controls until the focus wraps around.
    const seen: unknown[] = [];
    for (let rounds = 0; rounds < 2; rounds += Number(seen.at(-1) === null)) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(covered));
    }
    expect(seen.length).toBeGreaterThan(15);
    expect(seen.filter(Boolean)).toEqual([]);
  });

  test('concurrent changes of two administrators are both preserved', async () => {
    const { projects, students } = await addClass('Two', 2, 3);
    const [first = 0, second = 0, third = 0] = students;
    await change('add', projects.slice(0, 1), [first]);
    const { page } = await openBoard('Two', { isLive: false });
    await row(page, 'Projects', 'Two 1').focus();
    await page.keyboard.press('Control+a');
    await row(page, 'Students', 'Two 1, in 1 of 2').waitFor();
    // Meanwhile another administrator removes the first student and adds the third.
    await change('remove', projects.slice(0, 1), [first]);
    await change('add', projects, [third]);
    await page.getByRole('button', { name: 'Assign all 3' }).click();
    await row(page, 'Students', 'Two 3').click(); // unstaged
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done: 3 added, 0 removed.').waitFor();
    expect(await pairsOf(projects)).toEqual(
      [...allPairs(projects, [second, third]), ...allPairs(projects.slice(1), [first])].sort(),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects, [third]));
  });

  test('Space cycles through all, none and unchanged; groups filter; failures are reported', async () => {
    const { projects, students } = await addClass('Round', 2, 3);
    const [first = 0, second = 0] = students;
    await change('add', projects.slice(0, 1), [first]);
    await app
      .as(owner)
      .post('/api/admin/groups', { name: 'Class R', user_ids: students.slice(0, 2) })
      .expect(201);
    const { page } = await openBoard('Round');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('combobox', { name: 'Class' }).selectOption('Class R');
    await page.getByText(/^2 of \d+ shown/).waitFor();
    const state = row(page, 'Students', 'Round 1');
    await state.focus();
    for (const label of ['will be in 2', 'will be in 0', undefined]) {
      await page.keyboard.press('Space');
      const whole = ['Round 1', 'in 1 of 2', ...(label === undefined ? [] : [label])].join(', ');
      await expect.poll(() => state.getAttribute('aria-label')).toBe(whole);
    }
    await page.getByRole('button', { name: 'Assign all 2' }).click();
    await page.getByRole('status').getByText('Staged: 3 added').waitFor();
    await app.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [second]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alert').getByText('2 changes failed:').waitFor();
    await page.getByText('Done: 1 added, 0 removed.').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs(projects, [first]));
  });

  test('the grid supports arrows, Space and ranges, and stages the same changes as the lists', async () => {
    const { projects, students } = await addClass('Grid', 3, 4);
    const [first = 0, second = 0, third = 0, fourth = 0] = students;
    await change('add', projects.slice(0, 1), [first, second]);
    const { page, problems } = await openBoard('Grid');
    await page.getByRole('button', { name: 'Select all 3' }).click();
    await row(page, 'Students', 'Grid 4').click(); // staged for all three in the list
    await page.getByRole('button', { name: 'Grid', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('grid');
    const grid = page.getByRole('grid', { name: 'Students and projects' });
    const cell = (student: number, project: number) =>
      grid
        .getByRole('row')
        .nth(student)
        .getByRole('gridcell')
        .nth(project - 1);
    const stateOf = (student: number, project: number) => cell(student, project).getAttribute('aria-label');
    await cell(1, 1).focus();
    expect(await stateOf(1, 1)).toBe('assigned');
    await page.keyboard.press('Space');
    await expect.poll(() => stateOf(1, 1)).toBe('will be removed');
    await page.keyboard.press('ArrowRight');
    for (const key of ['Shift+ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Space'])
      await page.keyboard.press(key);
    await expect.poll(() => stateOf(3, 3)).toBe('will be added');
    expect(await stateOf(2, 2)).toBe('will be added');
    for (const key of ['Home', 'ArrowDown']) await page.keyboard.press(key);
    expect(await page.locator('[role=gridcell][tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Space');
    await expect.poll(() => stateOf(4, 1)).toBe('not assigned'); // unstaged from the list's changes
    await page.keyboard.press('Control+Home');
    await expect.poll(() => cell(1, 1).and(page.locator(':focus')).count()).toBe(1);
    await page.getByRole('status').getByText('Staged: 8 added, 1 removed, 1 unchanged.').waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await row(page, 'Students', 'Grid 1, in 1 of 3, will be in 2').waitFor();
    await row(page, 'Students', 'Grid 4, in 0 of 3, will be in 2').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done: 8 added, 1 removed.').waitFor();
    const [one = 0, ...others] = projects;
    expect(await pairsOf(projects)).toEqual(
      [`${one} ${second}`, ...allPairs(others, [first, second, third, fourth])].sort(),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await pairsOf(projects)).toEqual(allPairs([one], [first, second]));
    expect(problems).toEqual([]);
  });

  test('above 40 × 40 the grid requires a filter', async () => {
    await app.query(`INSERT INTO projects (name, user_id) SELECT 'Wide ' || n, $1 FROM generate_series(1, 41) n`, [
      owner.id,
    ]);
    await addClass('Wide', 0, 1);
    const { page } = await openBoard('Wide');
    await page.getByRole('button', { name: 'Grid', exact: true }).click();
    await page
      .getByText('The grid shows up to 40 projects and 40 students. Use the filters: there are 41 and 1.')
      .waitFor();
    await page.getByRole('searchbox', { name: 'Search projects' }).fill('Wide 4');
    await page.getByRole('grid', { name: 'Students and projects' }).waitFor();
    expect(await page.getByRole('columnheader').count()).toBe(4); // the students, and 4, 40, 41
  });
});
