import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import type { TestUser } from '../support/test-app.ts';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`an administrator reads the audit log ${noBrowser || ''}`, () => {
  let app: WebApp;
  let reader: Account;
  beforeAll(async () => {
    app = await startWebApp();
    reader = await app.createAccount({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  const open = (where: string, look: Look = {}) => app.openAs(reader, look, where);
  /** An administrator without log entries. */
  const createActor = (display_name: string) => app.createUser({ role: 'admin', display_name });
  const createStudent = async (actor: TestUser, display_name: string): Promise<number> => {
    const username = display_name.toLowerCase().replaceAll(' ', '.');
    const fields = { username, email: `${username}@example.org`, display_name, password: 'a very secret one' };
    return (await app.as(actor).post('/api/admin/users', fields).expect(201)).body.data.id;
  };

  test('shows actor, time, previous and new values, and links to the objects', async () => {
    const actor = await createActor('Head');
    const id = await createStudent(actor, 'Lin Wei');
    await app.as(actor).put(`/api/admin/users/${id}`, { role: 'admin', status: 'inactive' }).expect(200);
    const group = await app.as(actor).post('/api/admin/groups', { name: 'Class 3b' }).expect(201);
    const student = await app.createUser({ display_name: 'Wang Fang' });
    const assigned_user_ids = [student.id];
    await app.as(actor).post('/api/projects', { name: 'Piano', assigned_user_ids }).expect(201);
    const { page, problems } = await open('/');
    const last = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Recent changes' }) });
    await last
      .getByRole('listitem')
      .filter({ hasText: 'Head created the class' })
      .getByRole('link', { name: 'Class 3b' })
      .waitFor();
    expect(await last.getByRole('listitem').first().textContent()).toMatch(
      /^Head created the project Piano.*(just now|minutes? ago)$/,
    );
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity log' }).click();
    await page.getByRole('combobox', { name: 'Who' }).selectOption('Head');
    const entries = page.getByRole('list', { name: 'Changes' }).locator('> li');
    await expect.poll(() => entries.count()).toBe(4);
    const change = entries.filter({ has: page.getByRole('heading', { name: 'Changed the account' }) });
    await change.getByText('by Head').waitFor();
    expect(await change.getByRole('definition').allTextContents()).toEqual([
      'before: Studentafter: Administrator',
      'before: Activeafter: Deactivated',
    ]);
    expect(await change.locator('time').getAttribute('datetime')).toMatch(/^20\d\d-/);
    expect(await change.getByRole('link').getAttribute('href')).toBe(`/admin/users/${id}`);
    const groupEntry = entries.filter({ has: page.getByRole('heading', { name: 'Created the class' }) });
    const projectEntry = entries.filter({ has: page.getByRole('heading', { name: 'Created the project' }) });
    const links = new Set(await projectEntry.getByRole('link').allTextContents());
    expect(links).toEqual(new Set(['Piano', 'Wang Fang', 'Head']));
    await groupEntry.getByRole('link', { name: 'Class 3b' }).click();
    await page.getByRole('heading', { level: 1, name: 'Class 3b' }).waitFor();
    expect(page.url()).toContain(`/admin/groups/${group.body.data.id}`);
    expect(problems).toEqual([]);
  });

  test('every action, field and value has words, also those of webhooks, days off and links', async () => {
    const actor = await createActor('Writer');
    const as = app.as(actor);
    const student = await app.createAccount();
    const webhook = { url: 'https://example.org/hook', events: ['session.created', 'project.created'] };
    const { id } = (await as.post('/api/admin/webhooks', webhook).expect(201)).body.data;
    await as.put(`/api/admin/webhooks/${id}`, { active: false }).expect(200);
    await as.post(`/api/admin/webhooks/${id}/rotate-secret`).expect(200);
    await as.delete(`/api/admin/webhooks/${id}`).expect(200);
    await as.post(`/api/admin/users/${student.id}/days-off`, { from: '2026-12-01', to: '2026-12-03' }).expect(201);
    await as.post(`/api/admin/users/${student.id}/reset-link`).expect(200);
    const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const token = { name: 'Backup', scopes: ['read', 'projects:write'], expires_at: nextMonth };
    await as.post('/api/me/tokens', token).expect(201);
    await as.post('/api/projects', { name: 'Piano', assigned_user_ids: [student.id], color: 3 }).expect(201);

    const { page } = await open(`/admin/audit?actor=${actor.id}`);
    const log = page.getByRole('list', { name: 'Changes' });
    await log.getByText('Project created, Study record or timer added').first().waitFor();
    const texts = await log.locator('h2, dt, dd').allTextContents();
    expect(texts.filter((text) => /[a-z][A-Z]|[a-z]_[a-z]|[[{]|\dT\d/.test(text))).toEqual([]);
    const added = log.locator('> li').filter({ hasText: 'Excused' });
    expect(await added.locator('dt').allTextContents()).toEqual(['From', 'To']);
  });

  test('shows changes of two administrators to the same user, newest first', async () => {
    const [one, two] = [await createActor('One'), await createActor('Two')];
    const id = await createStudent(one, 'Fang');
    await app.as(one).put(`/api/admin/users/${id}`, { display_name: 'Wang Fang' }).expect(200);
    await app.as(two).put(`/api/admin/users/${id}`, { display_name: 'Fang Wang' }).expect(200);
    const { page } = await open(`/admin/users/${id}`);
    await page.getByRole('link', { name: 'History' }).click();
    const entries = page.getByRole('list', { name: 'Changes' }).locator('> li');
    await expect.poll(() => entries.count()).toBe(3);
    await entries.nth(0).getByText('by Two').waitFor();
    await entries.nth(0).getByText('before: Wang Fang').waitFor();
    await entries.nth(1).getByText('by One').waitFor();
    await entries.nth(1).getByText('after: Wang Fang').waitFor();
  });

  test('filters and page are in the URL; an empty result offers to clear the filters', async () => {
    const actor = await createActor('Busy');
    await app.query(
      `INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, after)
       SELECT $1, 'createGroup', 'busy-' || n, 'group', ARRAY[n], '{}' FROM generate_series(1, 105) AS n`,
      [actor.id],
    );
    const student = await createStudent(actor, 'Only One');
    const { page } = await open(`/admin/audit?actor=${actor.id}`);
    const entries = page.getByRole('list', { name: 'Changes' }).locator('> li');
    await expect.poll(() => entries.count()).toBe(100);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => entries.count()).toBe(6);
    await expect.poll(() => new URL(page.url()).search).toBe(`?actor=${actor.id}&page=2`);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('User');
    await expect.poll(() => entries.count()).toBe(1);
    await page.getByRole('combobox', { name: 'What' }).selectOption('Created the account …');
    await page.getByRole('combobox', { name: 'About' }).fill('only one');
    await page.getByRole('option', { name: 'Only One User' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('target_id')).toBe(`${student}`);
    await page.reload();
    await expect.poll(() => page.getByRole('combobox', { name: 'About' }).inputValue()).toBe('Only One');
    await entries.getByText('Only One').first().waitFor();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('From').fill(today);
    await page.getByLabel('To').fill(today);
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe(today);
    await expect.poll(() => entries.count()).toBe(1);
    await page.getByLabel('From').fill('2031-01-01');
    await page.getByText('No change matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => entries.count()).toBeGreaterThan(20);
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  test('what the log is about is found by name, with its assignments, and is left out of another kind', async () => {
    const actor = await createActor('Finder');
    const student = await createStudent(actor, 'Finder Pupil');
    const body = { name: 'Finder project', assigned_user_ids: [student] };
    const project = (await app.as(actor).post('/api/projects', body).expect(201)).body.data.id;
    const { page, problems } = await open('/admin/audit');
    const about = page.getByRole('combobox', { name: 'About' });
    const searched = () => new URL(page.url()).search;
    await about.fill('finder');
    await page.getByRole('option', { name: 'Finder Pupil User' }).waitFor();
    await page.getByRole('option', { name: 'Finder project Project' }).waitFor();
    await about.fill('finder pro');
    await page.getByRole('option', { name: 'Finder Pupil User' }).waitFor({ state: 'detached' });
    await about.press('Enter');
    await expect.poll(searched).toBe(`?target_type=project&target_id=${project}`);
    const kind = page.getByRole('combobox', { name: 'Kind' });
    await kind.selectOption('Assignment');
    await expect.poll(searched).toBe(`?target_type=assignment&target_id=${project}`);
    await page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: 'Finder Pupil' }).first().waitFor();
    expect(await about.inputValue()).toBe('Finder project');
    await kind.selectOption('User');
    await expect.poll(searched).toBe('?target_type=user');
    await page.route(`**/api/admin/users/${student}`, () => undefined); // is never answered
    await about.fill('finder pupil');
    await page.getByRole('option', { name: 'Finder Pupil User' }).click();
    await expect.poll(searched).toBe(`?target_type=user&target_id=${student}`);
    expect(await about.inputValue(), 'known before it is read').toBe('Finder Pupil');
    await about.fill('');
    await expect.poll(searched).toBe('?target_type=user');
    expect(problems).toEqual([]);
  });

  test('accounts created together are one entry that opens', async () => {
    const actor = await createActor('Batch');
    const users = Array.from({ length: 30 }, (_, n) => ({
      username: `batch${n}`,
      email: `batch${n}@example.org`,
      display_name: `Pupil ${n}`,
    }));
    await app.as(actor).post('/api/admin/users/bulk', { users }).expect(200);
    const { page } = await open(`/admin/audit?actor=${actor.id}`);
    const entries = page.getByRole('list', { name: 'Changes' }).locator('> li');
    await entries.getByText('and 22 more').waitFor();
    expect(await entries.count()).toBe(1);
    await page.getByText('pupil29@example.org').waitFor({ state: 'detached' });
    expect(await entries.getByText('after: batch29', { exact: true }).isVisible()).toBe(false);
    await page.getByText('30 changes').click();
    await entries.getByText('after: batch29', { exact: true }).waitFor();
  });

  test('never shows secrets, nor personal data of deleted accounts', async () => {
    const actor = await createActor('Keeper');
    const id = await createStudent(actor, 'Secret Person');
    const reset = await app.as(actor).post(`/api/admin/users/${id}/reset-password`, {}).expect(200);
    const { page } = await open(`/admin/audit?target_type=user&target_id=${id}`);
    const list = page.getByRole('list', { name: 'Changes' });
    await list.getByText('A new password was set.').waitFor();
    const [stored] = await app.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [id]);
    const shown = await page.content();
    for (const secret of ['a very secret one', reset.body.data.one_time_password, stored?.password_hash])
      expect(shown).not.toContain(secret);
    await app.as(actor).delete(`/api/admin/users/${id}`).expect(200);
    await page.reload();
    await list.getByRole('heading', { name: 'Deleted the account' }).waitFor();
    expect(await page.content()).not.toMatch(/secret.person/i);
    const deleted = list.locator('> li').filter({ has: page.getByRole('heading', { name: 'Deleted the account' }) });
    expect(await deleted.first().getByRole('link').count()).toBe(0);
  });

  test.each(looksOfFeature)('$language, $width px, both themes: accessible', async (look) => {
    const actor = await createActor('123');
    const students = await Promise.all(Array.from({ length: 14 }, () => app.createUser({ display_name: '0' })));
    const projects = [await createProject(app, actor, '456'), await createProject(app, actor, '789')];
    const user_ids = students.map(({ id }) => id);
    await app
      .as(actor)
      .post('/api/projects/batch-assign', { project_ids: projects, user_ids, assign_type: 'add' })
      .expect(200);
    const changes = { description: '0'.repeat(400), target_hours: 40, due_date: '2031-06-30', category: 'skill' };
    await app.as(actor).put(`/api/projects/${projects[0]}`, changes).expect(200);
    await app.as(actor).get('/api/admin/contact-requests/export').expect(200);
    const { page, problems } = await open(`/admin/audit?actor=${actor.id}`, look);
    await page.locator('main li').nth(2).waitFor();
    const found = { full: await findingsOf(page, look), none: [] as string[] };
    await page.goto('/admin/audit?from=2031-01-01');
    await page.locator('main p').waitFor();
    found.none = await findingsOf(page, look);
    expect({ ...found, problems }).toEqual({ full: [], none: [], problems: [] });
  });
});
