import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, signIn } from '../support/accounts.ts';
import { addSession, assign, createProject } from '../support/records.ts';
import { findingsAtBothWidths, untilLoaded } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`administrators limited to classes ${noBrowser || ''}`, () => {
  let app: WebApp;
  let head: Account;
  let asHead: ReturnType<WebApp['as']>;
  beforeAll(async () => {
    app = await startWebApp();
    head = await app.createAccount({ role: 'admin', display_name: 'He Jing' });
    asHead = app.as(await signIn(app, head));
  });
  afterAll(() => app?.stop());

  const createGroup = async (name: string): Promise<number> =>
    (await asHead.post('/api/admin/groups', { name }).expect(201)).body.data.id;

  test('the page of an account says what they can do, and what changes on saving', async () => {
    const [own, other] = [await createGroup('Year 12 B'), await createGroup('Year 12 A')];
    const teacher = await app.createAccount({ role: 'admin', display_name: 'Thomas Reid' });
    const scope = { admin_scope: 'groups', admin_group_ids: [other] };
    await asHead.put(`/api/admin/users/${teacher.id}`, scope).expect(200);
    const reading = await createProject(app, { ...teacher, role: 'admin' }, 'Reading');
    const member = await app.createUser();
    await assign(app, reading, member, await app.createUser(), await app.createUser());
    await asHead.post(`/api/admin/groups/${own}/members`, { add: [member.id] }).expect(200);

    const { page, problems } = await app.openAs(head, {}, `/admin/users/${teacher.id}?tab=access`);
    const card = page.locator('main');
    await card.getByText('assign projects to these students').waitFor();
    await card.getByText('edit a student who is also in another class').waitFor();
    expect(await card.getByText('When you save').count()).toBe(0); // nothing is changed yet
    await card.getByRole('button', { name: 'Year 12 B' }).click();
    await card.getByRole('button', { name: 'Year 12 A', pressed: true }).click();
    await card.getByText('Thomas Reid no longer sees the students of Year 12 A').waitFor();
    await card.getByText('also sees the students of Year 12 B').waitFor();
    await card.getByText('keeps one project of their own').waitFor();
    await card.getByText('One is also given to students outside these classes (2)').waitFor();
    await card.getByRole('listitem').filter({ hasText: 'He Jing' }).getByText('you').waitFor();
    await card.getByRole('button', { name: 'Save access' }).click();
    await expect
      .poll(() => app.query('SELECT group_id FROM admin_groups WHERE user_id = $1', [teacher.id]))
      .toEqual([{ group_id: own }]);
    await expect.poll(() => card.getByText('When you save').count()).toBe(0);

    // The tiles are one group of radio buttons for the keyboard.
    const whole = card.getByRole('radio', { name: 'Whole school' });
    await card.getByRole('radio', { name: 'Only these classes' }).focus();
    await page.keyboard.press('ArrowUp');
    expect([await whole.isChecked(), await card.getByRole('button', { name: 'Year 12 B' }).count()]).toEqual([true, 0]);
    await card.getByText('may limit other administrators').waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    expect(await whole.isChecked()).toBe(false);
    expect(await findingsAtBothWidths(page, 'en')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('all administrators of the whole school are counted, however many there are of classes', async () => {
    await app.query(
      `INSERT INTO users (username, email, display_name, password_hash, role, admin_scope)
       SELECT 'tutor.' || n, 'tutor.' || n || '@example.org', 'Tutor', '', 'admin', 'groups' FROM generate_series(1, 101) n`,
    );
    const { page } = await app.openAs(head, {}, '/admin/users?role=admin&search=tutor.1');
    await page.getByRole('link', { name: '0 classes' }).first().click();
    const [{ count = 0 } = {}] = await app.query<{ count: number }>(
      `SELECT count(*)::int FROM users WHERE role = 'admin' AND status = 'active' AND admin_scope = 'all'`,
    );
    await page.getByText(count === 1 ? '1 administrator' : `${count} administrators`, { exact: true }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'He Jing' }).waitFor();
    await app.query(`DELETE FROM users WHERE username LIKE 'tutor.%'`);
  });

  test('Home without a class, and with one, says whom to ask', async () => {
    const teacher = await app.createAccount({ role: 'admin' });
    const setScope = (admin_group_ids: number[]) =>
      asHead.put(`/api/admin/users/${teacher.id}`, { admin_scope: 'groups', admin_group_ids }).expect(200);
    await setScope([]);
    const { page } = await app.openAs(teacher, {}, '/');
    await page.getByText(/No class has been given to you yet.*: .*He Jing/).waitFor();
    await page.getByText('No class yet').waitFor();

    const group = await createGroup('高三（2）班');
    const student = await app.createUser({ display_name: 'Emma Fischer' });
    const today = new Date().toISOString().slice(0, 10);
    await asHead.post(`/api/admin/users/${student.id}/days-off`, { from: today, to: today }).expect(201);
    await asHead.put(`/api/admin/groups/${group}`, { user_ids: [student.id] }).expect(200);
    await setScope([group]);
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await page.reload();
    await page.getByText(/^Whole school: ask .*He Jing/).waitFor();
    await page.getByText('Studied today').first().waitFor();
    await page.getByRole('heading', { name: 'Your classes' }).waitFor();
    await page.getByText('For 1 class').waitFor();
    await page.locator('dl > div', { hasText: 'Excused today' }).getByText('Emma Fischer').waitFor();
    expect(await page.getByText('Open requests').count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('the page of another class says why it is not shown, and offers nothing that cannot help', async () => {
    const [own, other] = [await createGroup('Year 9'), await createGroup('Year 8')];
    const teacher = await app.createAccount({ role: 'admin' });
    const scope = { admin_scope: 'groups', admin_group_ids: [own] };
    await asHead.put(`/api/admin/users/${teacher.id}`, scope).expect(200);
    const { page } = await app.openAs(teacher, {}, `/admin/groups/${other}`);
    await page.getByRole('alert').getByText('does not belong to').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('what is for the whole school is no page of theirs, and Help has no keys for it', async () => {
    const teacher = await app.createAccount({ role: 'admin' });
    const scope = { admin_scope: 'groups', admin_group_ids: [await createGroup('Year 7')] };
    await asHead.put(`/api/admin/users/${teacher.id}`, scope).expect(200);
    const { page, problems } = await app.openAs(teacher, {}, '/help');
    await page.getByRole('heading', { name: 'Assignments' }).waitFor();
    expect(await page.getByText('Next request').count()).toBe(0);
    for (const name of ['inbox', 'inbox/1', 'audit', 'webhooks', 'background-work']) {
      await page.goto(new URL(`/admin/${name}`, page.url()).href);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test('no page that the application links to answers that something is forbidden', async () => {
    const teacher = await app.createAccount({ role: 'admin', display_name: 'Li Na' });
    const group = await createGroup('Year 11 C');
    const student = await app.createUser({ display_name: 'Mei Chen' });
    const outsider = await app.createUser();
    await asHead.put(`/api/admin/groups/${group}`, { user_ids: [student.id] }).expect(200);
    const project = await createProject(app, { ...teacher, role: 'admin' }, 'Poetry');
    await assign(app, project, student);
    const shared = await createProject(app, { ...head, role: 'admin' }, 'Chemistry');
    await assign(app, shared, student, outsider);
    await addSession(app, {
      user_id: student.id,
      project_id: shared,
      ...{
        started_at: new Date(Date.now() - 7_200_000).toISOString(),
        ended_at: new Date(Date.now() - 3_600_000).toISOString(),
      },
    });
    const scope = { admin_scope: 'groups', admin_group_ids: [group] };
    await asHead.put(`/api/admin/users/${teacher.id}`, scope).expect(200);

    const { page } = await app.openAs(teacher, {}, '/');
    let current = '/';
    const refused = new Set<string>();
    page.on('response', (response) => {
      if (response.status() === 403) refused.add(`${current}: ${response.request().method()} ${response.url()}`);
    });
    /** Pages of one kind, such as those of students, are opened once. */
    const kindOf = (path: string) => path.replace(/\?.*$/, '').replace(/\d+/g, ':id');
    const opened = new Set<string>();
    const waiting = ['/'];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (opened.has(kindOf(path))) continue;
      opened.add(kindOf(path));
      current = path;
      await page.goto(new URL(path, page.url()).href);
      await page.locator('h1').first().waitFor();
      await untilLoaded(page);
      waiting.push(
        ...(await page
          .locator('a[href^="/"]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))),
      );
    }
    expect([...refused]).toEqual([]);
    const kinds = [...opened];
    for (const kind of ['/students/:id', '/projects/:id', '/groups/:id'])
      expect(
        kinds.some((found) => found.endsWith(kind)),
        `${kind} of ${kinds.join(' ')}`,
      ).toBe(true);
  });
});
